use archive::Serialize;

struct Weapon;

#[derive(Serialize)]
struct Unit {
    name: String,
    weapon: Weapon,
}

#[derive(Serialize)]
struct Newtype(Weapon);

#[derive(Serialize)]
struct Tuple(u8, Weapon);

#[derive(Serialize)]
enum Order {
    Use(Weapon),
    Drop { weapon: Weapon },
}

fn main() {}
