use archive::Serialize;

#[derive(Serialize)]
struct Unit {
    #[archive(flatten)]
    health: u8,
}

fn main() {}
