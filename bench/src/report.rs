//! The tables of the page.

use std::fmt::Write;

use crate::entry::Operation;
use crate::results::{Results, Row};
use crate::rows;
use crate::targets::Target;

/// One table row, of cells.
pub fn line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    cells.into_iter().fold("|".to_owned(), |mut line, cell| {
        write!(line, " {} |", cell.as_ref()).expect("memory can be written");
        line
    })
}

/// The first two lines of a table whose columns, but for the first ones, hold numbers.
pub fn head(texts: usize, columns: &[&str]) -> String {
    let rule = (0..columns.len()).map(|column| if column < texts { "---" } else { "---:" });
    format!("{}\n{}\n", line(columns), line(rule))
}

/// The table of a workload: times and sizes as ratios.
pub fn table(results: &Results) -> String {
    let mut text = head(1, &rows::WORKLOAD);
    for row in &results.rows {
        text += &(line(cells(results, row)) + "\n");
    }
    text
}

fn cells(results: &Results, row: &Row) -> [String; 8] {
    let [save, load, in_place] = Operation::ALL.map(|operation| {
        let ratio = || Some(row.time(operation)? / results.fastest(operation)?.1);
        ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}"))
    });
    let bytes = |pick: fn(&crate::entry::Size) -> usize| {
        row.size.as_ref().map_or_else(String::new, |size| thousands(pick(size)))
    };
    let ratio = || Some(row.size?.plain as f64 / results.smallest()? as f64);
    let times = row
        .times
        .map(|time| time.map_or_else(|| "–".to_owned(), |time| format!("{:.3}", time * 1e3)));
    [
        row.name.clone(),
        save,
        load,
        in_place,
        ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")),
        bytes(|size| size.plain),
        bytes(|size| size.compressed),
        format!("<small>{}</small>", times.join(", ")),
    ]
}

/// A table of targets of something.
pub fn targets(of: &str, targets: &[Target]) -> String {
    let mut text = head(5, &rows::TARGETS);
    for target in targets {
        let cells = [of, &target.what, &target.asked, &target.found, &target.verdict()];
        text += &(line(cells) + "\n");
    }
    text
}

/// The rows of tables of targets that are missed, in some text, and the number of those that are met.
pub fn collect_targets(text: &str) -> (usize, Vec<&str>) {
    let (missed, met): (Vec<&str>, Vec<&str>) =
        rows_of(text).partition(|line| !line.ends_with(MET));
    (met.len(), missed)
}

const MET: &str = "| met |";

/// The rows of tables of targets.
fn rows_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.ends_with(MET) || line.contains("| **not met**"))
}

/// All targets with what was found in two profiles, and those that one of them misses. Only the first one
/// has all targets.
pub fn both(default: &str, tuned: &str) -> (Vec<String>, Vec<String>) {
    let (mut all, mut missed) = (Vec::new(), Vec::new());
    for row in rows_of(default) {
        let [of, what, asked, found] = cells_of(row);
        // The fastest rival may be another one.
        let is_same = |row: &&str| {
            let [other, target, limit, _] = cells_of(row);
            (other, target) == (of, what) && limit.split('(').next() == asked.split('(').next()
        };
        let other = rows_of(tuned).find(is_same);
        let is_met = [Some(row), other].iter().flatten().all(|row| row.ends_with(MET));
        let other = other.map_or("", |row| cells_of(row)[3]);
        let verdict = if is_met { "met" } else { "**not met**" };
        let line = line([of, what, asked, found, other, verdict]);
        if !is_met {
            missed.push(line.clone());
        }
        all.push(line);
    }
    (all, missed)
}

/// The first four cells of a row of a table.
fn cells_of(row: &str) -> [&str; 4] {
    let mut cells = row.trim_start_matches('|').split('|').map(str::trim);
    std::array::from_fn(|_| cells.next().unwrap_or_default())
}

/// A number with its digits in groups.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let grouped = digits.char_indices().flat_map(|(index, digit)| {
        let comma = index > 0 && (digits.len() - index).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    });
    grouped.collect()
}
