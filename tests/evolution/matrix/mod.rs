//! The results of type changes: one table, checked in every format and rendered into
//! `docs/EVOLUTION.md`.
//!
//! Each row is a type, its changed form, and the result: the value, the notes of the report, the
//! results of `strict` and `keep_going`. It is loaded on its own, as a member, as an element of a
//! list and of a map, inside of a variant, of a tuple and of pointers, in every format, also after
//! the file was converted without the program's types.
//!
//! `UPDATE_DOCS=1 cargo test --test evolution matrix` rewrites the page.

mod found;
mod outcome;
mod places;
mod source;
mod table;
mod way;

mod containers;
mod enums;
mod members;
mod numbers;
mod page;
mod pointers;
mod text;
mod versions;

use table::Section;

fn sections() -> Vec<Section> {
    vec![
        members::section(),
        members::attributes(),
        numbers::section(),
        enums::section(),
        containers::section(),
        text::section(),
        pointers::section(),
        pointers::traits(),
        versions::section(),
    ]
}

#[test]
fn every_format_matches_the_table() {
    let rows = sections().into_iter().flat_map(|section| section.rows);
    let wrong: Vec<String> = rows.filter_map(|row| row.check().err()).collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_page_is_the_table() {
    crate::common::pinned::pinned("docs/EVOLUTION.md", &page::render(&sections()), "UPDATE_DOCS");
}
