//! Files of changed types, in serde formats: the table of `tests/evolution/matrix`.

mod differs;
#[path = "serde_way.rs"]
mod way;

use archive_test_support as shared;

/// The helpers of the table for all formats.
mod common {
    pub use crate::shared::serde_formats::serde_forgiving as forgiving;
}

#[path = "../../../tests/evolution/matrix/found.rs"]
mod found;
#[path = "../../../tests/evolution/matrix/outcome.rs"]
#[allow(dead_code)] // the page of the table is made elsewhere
mod outcome;
#[path = "../../../tests/evolution/matrix/places.rs"]
mod places;
#[path = "../../../tests/evolution/matrix/source.rs"]
mod source;
#[path = "../../../tests/evolution/matrix/table.rs"]
#[allow(dead_code)] // some of it is for the page
mod table;

#[path = "../../../tests/evolution/matrix/containers.rs"]
mod containers;
#[path = "../../../tests/evolution/matrix/enums.rs"]
mod enums;
#[path = "../../../tests/evolution/matrix/members.rs"]
mod members;
#[path = "../../../tests/evolution/matrix/numbers.rs"]
mod numbers;
#[path = "../../../tests/evolution/matrix/pointers.rs"]
mod pointers;
#[path = "../../../tests/evolution/matrix/text.rs"]
mod text;
#[path = "../../../tests/evolution/matrix/versions.rs"]
mod versions;

#[test]
fn every_serde_format_matches_the_table() {
    let sections = [
        members::section(),
        members::attributes(),
        numbers::section(),
        enums::section(),
        containers::section(),
        text::section(),
        pointers::section(),
        pointers::traits(),
        versions::section(),
    ];
    let rows = sections.into_iter().flat_map(|section| section.rows).map(differs::in_serde);
    let wrong: Vec<String> = rows.filter_map(|row| row.check().err()).collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
