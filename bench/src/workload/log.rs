//! `log`: the records of a web server. Short strings, and a few numbers.

mod handwritten;
mod newer;
pub mod record;

use archive::Options;

use super::Workload;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::{ours, rivals};
use crate::results::Results;
use crate::targets::{self, Target};
pub use record::{Address, Log, Logs, generate};

/// 10,000 records.
pub const WORKLOAD: Workload = Workload {
    name: "log",
    about: "10,000 records of a web server: an address of four `u8`, three short strings, a request, a `u16`, a `u64`.",
    entries,
    memory: |gauge| memory::usage(generate(), &Options::new(), gauge),
    targets,
};

fn entries() -> Vec<Entry> {
    let subject = Subject::new(generate());
    let mut entries = ours::entries(&subject, &Options::new());
    entries.push(handwritten::entry(subject.value()));
    entries.extend(newer::entries(subject.value()));
    entries.extend(rivals!(&subject));
    entries.push(subject.clone_and_drop());
    entries
}

fn targets(results: &Results) -> Vec<Target> {
    let mut all = targets::general(results, 0.5);
    all.extend(targets::handwritten(results, handwritten::NAME));
    all.extend(targets::newer(results, newer::NAME));
    all.extend(targets::columns(results, Some(newer::OF_COLUMNS)));
    all
}
