use archive::Serialize;

#[derive(Serialize)]
struct Unit {
    #[archive(flatten)]
    health: u8,
}

#[derive(Serialize)]
enum Order {
    Stop,
    Go(u8),
}

#[derive(Serialize)]
struct Map {
    #[archive(flatten)]
    counts: std::collections::BTreeMap<String, u32>,
}

#[derive(Serialize)]
struct Enum {
    #[archive(flatten)]
    order: Order,
}

fn main() {}
