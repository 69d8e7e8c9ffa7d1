use archive::{Archive, Result, Serialize};

#[derive(Default)]
struct Weapon(u8);

impl Serialize for Weapon {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("damage", &mut self.0)
    }
}

#[derive(Serialize)]
struct Unit {
    weapon: Weapon,
}

#[derive(Serialize)]
struct Newtype(Weapon);

#[derive(Serialize)]
enum Order {
    Use(Weapon, u8),
}

fn main() {}
