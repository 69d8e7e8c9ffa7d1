use archive::{Archive, Result, Serialize};

#[derive(Clone)]
struct Weapon(u8);

impl Serialize for Weapon {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("damage", &mut self.0)
    }
}
archive::save_by_clone!(Weapon);

#[derive(Serialize)]
struct Unit {
    weapon: Weapon,
}

#[derive(Serialize)]
enum Order {
    Wait,
    Use(Weapon),
}

fn main() {}
