use std::cell::RefCell;
use std::rc::Rc;

use archive::{Archive, Registry, Result, Serialize, json};

trait Command {
    fn tick(&self);
}

struct Unit {
    owned: Box<dyn Command>,
    shared: Rc<RefCell<dyn Command>>,
}

impl Serialize for Unit {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("owned", &mut self.owned)?;
        ar.serialize("shared", &mut self.shared)
    }
}

#[derive(Default, Serialize)]
struct Stop;

impl Command for Stop {
    fn tick(&self) {}
}

type Commands = Vec<Box<dyn Command>>;

#[derive(Serialize)]
struct Alias {
    commands: Commands,
}

trait Known: archive::Polymorphic {}
archive::polymorphic!(dyn Known);

fn main() {
    let _ = json::from_str::<Vec<Box<dyn Command>>>("[]");
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { Stop }).unwrap();
    archive::register!(registry, dyn Known { Stop }).unwrap();
}
