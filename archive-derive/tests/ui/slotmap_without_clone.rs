//! Saving a slot map through `&` takes a copy; through `&mut` it does not.

use archive::Serialize;
use slotmap::{DefaultKey, SlotMap};

#[derive(Default, Serialize)]
struct NotClone;

#[derive(Default, Serialize)]
struct World {
    units: SlotMap<DefaultKey, NotClone>,
}

#[derive(Default, Serialize)]
#[archive(mut_only)]
struct Other {
    units: SlotMap<DefaultKey, NotClone>,
}

trait Task: archive::Polymorphic {}
archive::polymorphic!(dyn Task);

#[derive(Serialize)]
struct Entity {
    task: Option<Box<dyn Task>>,
}

#[derive(Default, Serialize)]
struct Arena {
    entities: SlotMap<DefaultKey, Entity>,
}

fn main() {
    let _ = archive::json::to_string(&mut Other::default());
    let _ = archive::json::to_string(&World::default());
}
