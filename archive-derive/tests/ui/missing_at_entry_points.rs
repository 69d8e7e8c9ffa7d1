use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use archive::{Archive, Result, Serialize, json};

struct Place(u8);

impl Serialize for Place {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x", &mut self.0)
    }
}

#[derive(Serialize, Default)]
struct Unit {
    hp: u8,
}

fn load(text: &str) -> Result {
    json::from_str::<Place>(text)?;
    json::from_str::<Vec<Place>>(text)?;
    json::from_str::<HashMap<String, Vec<Option<Place>>>>(text)?;
    json::from_str::<Rc<RefCell<Place>>>(text)?;
    Ok(())
}

fn save(place: &Place, unit: &Unit) {
    let _ = json::to_string(&vec![place]);
    let _ = json::to_string(place);
    let _ = json::to_string(&unit);
}

fn main() {}
