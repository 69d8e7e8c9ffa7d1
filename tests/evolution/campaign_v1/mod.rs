//! A file of versions, trait objects, weak pointers and maps, which changing types must always
//! load.
//!
//! `tests/golden/<format>/v1/campaign.*` were written once, by the types in `first.rs`:
//! `UPDATE_GOLDEN=1 cargo test --test evolution campaign_v1` writes those that are missing. A file
//! that exists is never rewritten. `today.rs` has the current types, and the expected value is
//! below.

mod first;
mod today;

use std::path::PathBuf;
use std::rc::Rc;

use archive::report::NoteKind;
use archive::{Format, Value, json};

fn stored() -> impl Iterator<Item = Format> {
    Format::all().chain([Format::of::<archive::bins::Bins>()])
}

fn golden(format: Format) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let folder = folder.join(format.name()).join("v1");
    let path = folder.join(format!("campaign.{}", format.extensions()[0]));
    if !path.exists() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(folder).unwrap();
        let bytes = format.to_vec_with(&first::campaign(), &first::options()).unwrap();
        std::fs::write(&path, bytes).unwrap();
    }
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_first_types_write_these_files() {
    for format in stored() {
        let bytes = format.to_vec_with(&first::campaign(), &first::options()).unwrap();
        let golden = golden(format);
        // The layouts of the binary format and of Bins have changed since then: these files load as
        // the present ones do.
        if format != Format::Binary && format != Format::of::<archive::bins::Bins>() {
            assert_eq!(crate::common::text(&bytes), crate::common::text(&golden), "{format}");
        }
        let again = |bytes: &[u8]| {
            let options = first::options();
            let first: first::Campaign = format.from_slice_with(bytes, &options).unwrap();
            format.to_vec_with(&first, &options).unwrap()
        };
        assert_eq!(
            crate::common::text(&again(&golden)),
            crate::common::text(&again(&bytes)),
            "{format}"
        );
    }
}

/// The value, as the types of today write it.
const VALUE: &str = include_str!("value.json").trim_ascii_end();

#[test]
fn the_types_of_today_read_them() {
    let options = today::options().pretty(true);
    for format in stored() {
        let (campaign, report) =
            format.from_slice_report::<today::Campaign>(&golden(format), &options).unwrap();
        assert_eq!(json::to_string_with(&campaign, &options).unwrap(), VALUE, "{format}");

        // One hero, with several pointers.
        let [ann, bo, cy] = &campaign.heroes[..] else { panic!("{format}") };
        let is = |weak: &std::rc::Weak<_>, hero| Rc::ptr_eq(&weak.upgrade().unwrap(), hero);
        assert!(is(&campaign.captain, bo) && is(&campaign.known[0], ann), "{format}");
        assert!(is(&ann.borrow().mentor, bo) && is(&campaign.places["mill"].owner, cy), "{format}");
        assert!(Rc::ptr_eq(cy.borrow().friend.as_ref().unwrap(), ann), "{format}");

        let of = |kind: fn(&NoteKind) -> bool| {
            let notes = report.notes().iter().filter(|note| kind(&note.kind));
            let mut notes: Vec<_> = notes.map(|note| (&*note.path, note.count)).collect();
            notes.sort_unstable();
            notes
        };
        assert_eq!(of(|kind| matches!(kind, NoteKind::Absent)), ABSENT, "{format}");
        assert_eq!(of(|kind| matches!(kind, NoteKind::Unknown)), UNKNOWN, "{format}");
        assert_eq!(of(|kind| matches!(kind, NoteKind::Dangling)), [("known[1]", 1)], "{format}");
        let other = of(|kind| matches!(kind, NoteKind::Duplicate | NoteKind::Clamped));
        assert!(other.is_empty() && report.errors().is_empty(), "{format}: {report}");
        break_cycles(&campaign);
    }
}

/// The first paths, and the number of objects that lack the member.
const ABSENT: &[(&str, u64)] = &[
    ("heroes[0].calling.Knight.loyal", 1),
    ("heroes[0].most", 3),
    ("quests[1].reward", 2),
    ("treasury", 1),
];
const UNKNOWN: &[(&str, u64)] = &[("quests[1].by", 2), ("weather", 1)];

/// Nothing is lost on the way through a tree.
#[test]
fn trees_of_them_are_the_same() {
    let options = today::options().pretty(true);
    for format in stored() {
        let tree: Value = format.from_slice(&golden(format)).unwrap();
        let campaign: today::Campaign = tree.to_with(&options).unwrap();
        assert_eq!(json::to_string_with(&campaign, &options).unwrap(), VALUE, "{format}");
        break_cycles(&campaign);
    }
}

/// The result can be saved and loaded, in every format and with `strict`.
#[test]
fn they_are_saved_in_their_present_form() {
    let options = today::options().pretty(true).strict(true);
    let value: today::Campaign = json::from_str_with(VALUE, &options).unwrap();
    for format in stored() {
        let bytes = format.to_vec_with(&value, &options).unwrap();
        let campaign: today::Campaign = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(json::to_string_with(&campaign, &options).unwrap(), VALUE, "{format}");
        break_cycles(&campaign);
    }
    break_cycles(&value);
}

/// So that the test does not leak.
fn break_cycles(campaign: &today::Campaign) {
    for hero in &campaign.heroes {
        drop(hero.borrow_mut().friend.take());
    }
}
