//! `minecraft_savedata`: players of a block game. Many members of all kinds, many short strings.

pub mod player;

use archive::Options;

use super::Workload;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::{ours, rivals};
use crate::results::Results;
use crate::targets::{self, Target};
pub use player::generate;

/// 500 players.
pub const WORKLOAD: Workload = Workload {
    name: "minecraft_savedata",
    about: "500 players of 28 members: strings, options, tuples, an enum, up to 40 + 27 items, lists of strings.",
    entries,
    memory: |gauge| memory::usage(generate(), &Options::new(), gauge),
    targets,
};

fn entries() -> Vec<Entry> {
    let subject = Subject::new(generate());
    let mut entries = ours::entries(&subject, &Options::new());
    entries.extend(rivals!(&subject));
    entries.push(subject.clone_and_drop());
    entries
}

fn targets(results: &Results) -> Vec<Target> {
    let mut all = targets::general(results, 0.6);
    all.extend(targets::columns(results, None));
    all
}
