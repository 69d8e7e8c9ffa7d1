#[derive(Default, archive::Serialize, archive::Deserialize)]
struct Unit {
    hp: u8,
}

fn main() {
    archive::json::to_string(&Unit { hp: 1 }).unwrap();
}
