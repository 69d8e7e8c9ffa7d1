//! `world`: a game in the middle of a battle. Shared squads, weak leaders, polymorphic commands;
//! and the usual alternatives to saving pointers.

#[cfg(feature = "fory")]
mod graph;
#[cfg_attr(
    feature = "rkyv",
    allow(missing_docs, reason = "rkyv derives types for tuple variants, without documentation")
)]
pub mod indices;
mod played;
pub mod pointers;

use archive::binary;
use skirmish::{Game, Level, Settings, options};

use super::Workload;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::{ours, rivals};
use crate::targets;

/// How many units there are at the beginning.
const UNITS: usize = 20_000;

/// How many ticks the battle lasts before it is saved.
const TICKS: u64 = 120;

/// 20,000 units.
pub const WORKLOAD: Workload = Workload {
    name: "world",
    about: "the world of `skirmish` with 20,000 units, in the middle of a battle: shared squads, weak leaders, \
            polymorphic commands and components. Ours and `fory` save the pointers. All others save the usual \
            hand-made answer: the same data with indices instead of pointers, and enums instead of trait objects. \
            All save a world that was loaded, whose objects lie in memory in the order in which they are met; \
            the row of the played world saves the one that the game left, with its objects scattered.",
    entries,
    memory: |gauge| memory::usage(pointers::World::of(generate()), &options(), gauge),
    targets: targets::world,
};

/// The value.
pub fn generate() -> skirmish::World {
    let settings = Settings { seed: 5, units: Some(UNITS) };
    let mut game = Game::new(&Level::own(), &settings).expect("the level is large enough");
    game.play(TICKS);
    game.into_world()
}

fn entries() -> Vec<Entry> {
    let (file, played) = played::World::generate();
    let world: skirmish::World =
        binary::from_slice_with(&file, &options()).expect("it was saved just now");
    let subject = Subject::new(indices::World::of(&world));
    let mut rivals = rivals!(&subject);
    for rival in &mut rivals {
        rival.name = format!("indices in {}", rival.name);
    }
    #[cfg(feature = "fory")]
    rivals.extend({
        let fory = crate::peer::fory::Fory::new(graph::registered());
        graph::subject(subject.value()).try_entry(fory)
    });
    let clone = subject.clone_and_drop();

    let subject = Subject::compared_by(pointers::World::of(world), pointers::World::is);
    let mut entries = ours::entries(&subject, &options());
    entries.push(played.entry());
    entries.extend(rivals);
    entries.push(clone);
    entries
}
