use archive::Serialize;

#[derive(Serialize, Default)]
struct NotComparable(u8);

#[derive(Serialize, PartialEq)]
struct NoDefault(u8);

#[derive(Serialize)]
struct Members {
    #[archive(skip_if_default)]
    a: NotComparable,
    #[archive(skip_if_default)]
    b: NoDefault,
    #[archive(skip_if_default, default = NoDefault(1))]
    fine: NoDefault,
}

fn main() {}
