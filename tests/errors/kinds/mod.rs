//! `docs/ERRORS.md`: the table of all kinds, rendered from the cases that produce them.
//!
//! `UPDATE_DOCS=1 cargo test --test errors` rewrites the page.

mod cases;
mod words;

use std::fmt::Write;

use archive::ErrorKind;
use archive::path::Path;

use crate::common::pinned::pinned;
use cases::case;
use words::words;

/// The expected page.
fn page() -> String {
    let mut page = String::from(include_str!("head.md"));
    page.push_str("\n| kind | what it means | what to do |\n|---|---|---|\n");
    for kind in ErrorKind::ALL {
        let (meaning, advice) = words(*kind);
        writeln!(page, "| [`{kind:?}`](#{}) | {meaning} | {advice} |", anchor(*kind)).unwrap();
    }
    page.push_str("\n## Messages\n\nOne example of each kind, as it is printed.\n");
    for kind in ErrorKind::ALL {
        let case = case(*kind);
        let error = case.error;
        assert_eq!(error.kind(), *kind, "the case of {kind:?}: {error}");
        assert!(!error.message().is_empty());
        assert_eq!(Path::parse(error.path()).unwrap().to_string(), error.path());
        write!(page, "\n### {kind:?}\n\n{}\n\n```text\n{error}\n```\n", case.what).unwrap();
    }
    page
}

/// The anchor of a heading on GitHub.
fn anchor(kind: ErrorKind) -> String {
    format!("{kind:?}").to_lowercase()
}

#[test]
fn the_page_shows_every_kind_as_it_is() {
    pinned("docs/ERRORS.md", &page(), "UPDATE_DOCS");
}

/// The list has each kind once. The compiler checks that it has all of them.
#[test]
fn every_kind_is_listed_once() {
    let mut kinds: Vec<String> = ErrorKind::ALL.iter().map(|kind| format!("{kind:?}")).collect();
    let count = kinds.len();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), count);
}
