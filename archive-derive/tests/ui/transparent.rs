use archive::Serialize;

#[derive(Serialize)]
#[archive(transparent)]
struct Two {
    a: u8,
    b: u8,
}

#[derive(Serialize)]
#[archive(transparent)]
enum Choice {
    A(u8),
}

fn main() {}
