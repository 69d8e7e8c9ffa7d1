//! `mk48`: the updates that the server of a naval game sends to its players. Small integers,
//! options, short lists.

pub mod update;

use archive::Options;

use super::Workload;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::{ours, rivals};
use crate::results::Results;
use crate::targets::{self, Target};
pub use update::generate;

/// 1,000 updates.
pub const WORKLOAD: Workload = Workload {
    name: "mk48",
    about: "1,000 updates of 20 to 40 contacts with `Vec<bool>`, `Vec<u16>`, options, enums, tuples, and terrain.",
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
