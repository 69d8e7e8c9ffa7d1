use archive::Serialize;

#[derive(Default, Serialize)]
struct Base {
    id: u32,
}

#[derive(Default, Serialize)]
struct Derived {
    #[archive(flatten)]
    base: Base,
    id: u64,
}

fn main() {
    let _ = archive::json::to_string(&Derived::default());
}
