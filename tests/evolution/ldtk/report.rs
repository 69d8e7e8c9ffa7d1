//! Reports as pinned texts: the number of notes of each kind about each member.

use std::collections::BTreeMap;
use std::fmt::Write;

use archive::Report;
use archive::report::NoteKind;

use crate::common::pinned::pinned;

/// The path of the first note without indices, and its kind; the number of notes.
pub fn summary(report: &Report) -> BTreeMap<(String, String), u64> {
    let mut counts = BTreeMap::new();
    for note in report.notes() {
        let kind = match &note.kind {
            NoteKind::Absent => "absent".to_owned(),
            NoteKind::Unknown => "unknown".to_owned(),
            NoteKind::Converted { from, to } => format!("{from} to {to}"),
            other => format!("{other:?}"),
        };
        *counts.entry((general(&note.path), kind)).or_insert(0) += note.count;
    }
    counts
}

/// `levels[3].uid` as `levels[].uid`.
fn general(path: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in path.chars() {
        inside &= c != ']';
        if !inside {
            out.push(c);
        }
        inside |= c == '[';
    }
    out
}

/// Compares a report with the pinned one; `UPDATE_REPORTS=1` pins it again.
pub fn check_pinned(name: &str, report: &Report) {
    let mut text = String::new();
    for ((path, kind), count) in summary(report) {
        writeln!(text, "{count:7} {kind:<10} {path}").unwrap();
    }
    pinned(&format!("tests/evolution/ldtk/reports/{name}.txt"), &text, "UPDATE_REPORTS");
}
