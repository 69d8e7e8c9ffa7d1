//! The stored counts of instructions can be parsed, and their comparison is right. Nothing is
//! counted here.

#[path = "../../bench/instructions/src/table.rs"]
mod table;

use table::Table;

const FIGURES: &str = include_str!("../../bench/instructions/figures.txt");
const GOAL: &str = include_str!("../../bench/instructions/goal.txt");

/// A table of two rows in two profiles.
fn table(first: u64, second: u64) -> Table {
    let mut table = Table::new("rustc 1".to_owned());
    table
        .add_profile("public", vec![("b, load".to_owned(), second), ("a, save".to_owned(), first)]);
    table.add_profile("plain", vec![("a, save".to_owned(), 1_000), ("b, load".to_owned(), 1_000)]);
    table
}

fn rows(file: &str) -> Vec<&str> {
    let rows = file.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split_once("  ").expect("counts come after the name").0).collect()
}

#[test]
fn the_kept_figures_have_the_same_rows_and_are_sorted() {
    for file in [FIGURES, GOAL] {
        let table = Table::parse(file).unwrap();
        assert!(file.ends_with(&table.text(None)), "it is not as the program prints it");
        assert!(rows(file).is_sorted());
    }
    assert_eq!(rows(FIGURES), rows(GOAL));
}

#[test]
fn an_output_is_read_with_and_without_changes() {
    let (before, now) = (table(1_000, 1_000), table(1_100, 900));
    let alone = now.text(None);
    let compared = now.text(Some(&before));
    assert!(compared.contains("+10.00 %") && compared.contains("-10.00 %"), "{compared}");
    for text in [&alone, &compared] {
        assert_eq!(Table::parse(text).unwrap().text(None), alone);
    }
    let new = now.text(Some(&Table::new(String::new())));
    assert_eq!(Table::parse(&new).unwrap().text(None), alone);
}

#[test]
fn more_instructions_than_allowed_are_named() {
    let before = table(1_000, 1_000);
    assert_eq!(table(1_020, 10).at_most(&before, 2.0), Ok(()));
    let faults = table(1_021, 10).at_most(&before, 2.0).unwrap_err();
    assert_eq!(faults, "  a, save, profile public: 1000 instructions became 1021, +2.10 %\n");
}

#[test]
fn rows_of_one_table_alone_are_named() {
    let mut less = Table::new("rustc 1".to_owned());
    less.add_profile("public", vec![("a, save".to_owned(), 1_000)]);
    let faults = less.at_most(&table(1_000, 1_000), 2.0).unwrap_err();
    assert_eq!(faults, "  b, load: is not counted any more\n");
    let faults = table(1_000, 1_000).at_most(&less, 2.0).unwrap_err();
    assert!(faults.contains("  b, load, profile public: is a new row\n"), "{faults}");
}
