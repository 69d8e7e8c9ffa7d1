//! The pages of measurements match the code of `bench/`, and were measured after the golden files
//! last changed. Nothing is measured here. If this fails, run `bench/pages`.

// The programs that measure use all of it.
#[allow(dead_code)]
#[path = "../../bench/src/rows.rs"]
mod rows;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 4] = [rows::BENCHMARKS, rows::TUNED, rows::JSON, rows::SERDE];

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The headings of a page, each with the text up to the next one.
fn sections(page: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, String)> = Vec::new();
    for line in page.lines() {
        match line.strip_prefix("### ").or_else(|| line.strip_prefix("## ")) {
            Some(heading) => sections.push((heading, String::new())),
            None => sections.iter_mut().rev().take(1).for_each(|(_, text)| {
                *text += line;
                text.push('\n');
            }),
        }
    }
    sections
}

/// The commits at which a text says it was measured.
fn commits(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("Measured at commit `").skip(1);
    after.filter_map(|rest| Some(rest.split_once('`')?.0.trim_end_matches("+changes")))
}

#[test]
fn pages_have_all_rows() {
    let mut wrong = Vec::new();
    for name in PAGES {
        let page = page(name);
        let sections = sections(&page);
        let headings: BTreeSet<_> = rows::tables(name).iter().map(|table| table.heading).collect();
        for heading in headings {
            let section = sections.iter().find(|(other, _)| *other == heading);
            let difference = match section {
                Some((_, text)) => rows::difference(name, heading, text),
                None => Some(format!("there is no section {heading}")),
            };
            wrong.extend(difference.map(|what| format!("docs/{name}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_name_their_commit() {
    for name in PAGES {
        let page = page(name);
        assert!(commits(&page).next().is_some(), "docs/{name} does not say its commit");
        // The sections of this page may be measured one by one.
        for (heading, text) in sections(&page) {
            if [rows::BENCHMARKS, rows::TUNED].contains(&name) && heading != "Targets" {
                assert!(commits(&text).next().is_some(), "docs/{name}: {heading} has no commit");
            }
        }
    }
}

/// Calls git. Returns its output, or nothing if it fails or is absent.
fn git(arguments: &[&str]) -> Option<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("git").args(["-C", root]).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Whether the whole history of this repository is available.
fn has_history() -> bool {
    let top = git(&["rev-parse", "--show-toplevel"]).map(PathBuf::from);
    let same = |top: PathBuf| {
        Some(fs::canonicalize(top).ok()? == fs::canonicalize(env!("CARGO_MANIFEST_DIR")).ok()?)
    };
    let is_own = top.and_then(same) == Some(true);
    is_own && git(&["rev-parse", "--is-shallow-repository"]).as_deref() == Some("false")
}

#[test]
fn pages_were_measured_after_the_golden_files() {
    const GOLDEN: &str = "tests/golden";
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN).is_dir(), "there is no {GOLDEN}");
    if !has_history() {
        println!("skipped: the history of the repository is not here");
        return;
    }
    for name in PAGES {
        let page = page(name);
        for commit in commits(&page) {
            let is_known = git(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).is_some();
            assert!(is_known, "docs/{name} was measured at {commit}, which is not in the history");
            // A file that only moved is the same file, and those of a new format change no row.
            let changes = ["diff", "--name-only", "--find-renames=100%", "--diff-filter=ADMT"];
            let changes = git(&[&changes[..], &[commit, "HEAD", "--", GOLDEN]].concat()).unwrap();
            let was_there = |file: &&str| {
                let folder = Path::new(file).parent().unwrap().display();
                git(&["cat-file", "-e", &format!("{commit}:{folder}")]).is_some()
            };
            let changed: Vec<_> = changes.lines().filter(was_there).collect();
            assert!(
                changed.is_empty(),
                "docs/{name} was measured at {commit}, before these golden files changed: \
                 {changed:#?}"
            );
        }
    }
}
