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

#[derive(Default)]
struct Shield(u8);

impl Serialize for Shield {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("armor", &mut self.0)
    }
}
archive::blank!(Shield);

#[derive(Serialize)]
struct Rack {
    #[archive(as_object)]
    shields: Vec<std::collections::BTreeMap<String, Shield>>,
}

fn main() {}
