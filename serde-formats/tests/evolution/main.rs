//! What becomes of a file when a type changes, in serde formats: the table of `evolution_matrix`.

mod differs;
mod way;

#[path = "../../../tests/common/mod.rs"]
mod shared;

/// What the table takes for all formats.
mod common {
    pub use crate::shared::serde_formats::serde_forgiving as forgiving;
}

#[path = "../../../tests/evolution_matrix/found.rs"]
mod found;
#[path = "../../../tests/evolution_matrix/outcome.rs"]
#[allow(dead_code)] // the page of the table is made elsewhere
mod outcome;
#[path = "../../../tests/evolution_matrix/places.rs"]
mod places;
#[path = "../../../tests/evolution_matrix/source.rs"]
mod source;
#[path = "../../../tests/evolution_matrix/table.rs"]
#[allow(dead_code)] // some of it is for the page
mod table;

#[path = "../../../tests/evolution_matrix/containers.rs"]
mod containers;
#[path = "../../../tests/evolution_matrix/enums.rs"]
mod enums;
#[path = "../../../tests/evolution_matrix/members.rs"]
mod members;
#[path = "../../../tests/evolution_matrix/numbers.rs"]
mod numbers;
#[path = "../../../tests/evolution_matrix/pointers.rs"]
mod pointers;
#[path = "../../../tests/evolution_matrix/text.rs"]
mod text;
#[path = "../../../tests/evolution_matrix/versions.rs"]
mod versions;

#[test]
fn every_serde_format_does_what_the_table_says() {
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
