use archive::{Archive, Result, Serialize};

struct Weapon;

struct Armor(u8);

impl Serialize for Armor {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("thickness", &mut self.0)
    }
}
archive::save_by_clone!(Armor);

impl Clone for Armor {
    fn clone(&self) -> Self {
        Armor(self.0)
    }
}

#[derive(Serialize)]
struct Unit {
    weapons: Vec<Weapon>,
    armor: Option<Armor>,
}

fn main() {}
