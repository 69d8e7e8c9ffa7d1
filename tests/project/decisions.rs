//! The pages of decisions: the index lists every page and section, and each link to a section resolves, wherever it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::tidy::{MAX_LINES, files, read, without_samples};

const FOLDER: &str = "docs/decisions/";

/// Returns the links to the headings of a page, as GitHub makes them.
pub(crate) fn anchors(page: &str) -> BTreeSet<String> {
    let headings = without_samples(page).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

/// Letters and digits of a heading in lower case, with a hyphen for each space.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// Returns the names of the pages, without the index.
fn pages() -> Vec<String> {
    let names = files(FOLDER, "md").into_iter();
    let names = names.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    names.filter(|name| name != "README.md").collect()
}

/// Returns the links of a page to a section and to the page itself, in order, as the index has them.
fn entries(name: &str) -> Vec<String> {
    let page = read(Path::new(FOLDER).join(name));
    let title = page.lines().next().and_then(|line| line.strip_prefix("# "));
    let title = title.unwrap_or_else(|| panic!("{FOLDER}{name} does not begin with a title"));
    let sections = without_samples(&page).filter_map(|line| line.strip_prefix("## "));
    let sections = sections.map(|text| format!("  - [{text}]({name}#{})", anchor(text)));
    [format!("- [{title}]({name}): ")].into_iter().chain(sections).collect()
}

#[test]
fn the_index_lists_every_section() {
    let index = read(Path::new(FOLDER).join("README.md"));
    let (_, list) = index.split_once("\n## Pages\n").expect("the list of pages");
    let mut listed = list.lines().filter(|line| !line.is_empty()).peekable();
    let mut left: BTreeSet<_> = pages().into_iter().collect();
    while let Some(line) = listed.peek() {
        let name = left.iter().find(|name| line.contains(&format!("]({name})"))).cloned();
        let name = name.unwrap_or_else(|| panic!("{line:?} is not about a page, or the second"));
        left.remove(&name);
        for entry in entries(&name) {
            let found = listed.next().unwrap_or_default();
            let is_same = found == entry || (entry.ends_with(": ") && found.starts_with(&entry));
            assert!(is_same, "the index has {found:?} in place of {entry:?}");
        }
    }
    assert!(left.is_empty(), "the index does not list {left:?}");
}

#[test]
fn sections_are_decisions_with_names_of_their_own() {
    for name in pages() {
        let page = read(Path::new(FOLDER).join(&name));
        let sections = entries(&name).len() - 1;
        assert!(
            page.lines().count() <= MAX_LINES,
            "{FOLDER}{name} is longer than {MAX_LINES} lines"
        );
        assert!(sections > 0, "{FOLDER}{name} has no section");
        assert_eq!(anchors(&page).len(), sections + 1, "{FOLDER}{name} has a heading twice");
    }
}

/// Files that may refer to a decision.
fn texts() -> impl Iterator<Item = PathBuf> {
    let scripts = [".ci/run", ".ci/side", ".ci/targets", "tests/features", "tests/search"];
    let texts =
        ["rs", "md", "toml", "stderr"].into_iter().flat_map(|extension| files("", extension));
    texts.chain(scripts.map(PathBuf::from))
}

#[test]
fn references_to_decisions_resolve() {
    let (mut from_code, mut wrong) = (0, Vec::new());
    for path in texts().filter(|path| !path.ends_with("tests/project/decisions.rs")) {
        for (number, line) in read(&path).lines().enumerate() {
            let mut refuse =
                |why: &str| wrong.push(format!("{}:{}: {why}", path.display(), number + 1));
            for rest in line.split("decisions/").skip(1) {
                let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.#/".contains(c);
                let link = rest.split(|c| !is_part(c)).next().unwrap().trim_end_matches('.');
                let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
                let is_page =
                    page.is_empty() || files(FOLDER, "md").iter().any(|is| is.ends_with(page));
                let resolves = is_page
                    && (anchor.is_empty()
                        || anchors(&read(Path::new(FOLDER).join(page))).contains(anchor));
                if !resolves {
                    refuse(&format!("there is no decision {link:?}"));
                }
                from_code += usize::from(path.extension().is_some_and(|is| is == "rs"));
            }
            let is_number = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count() == 4;
            if line.split("ecision ").skip(1).any(is_number) {
                refuse("decisions have names and no numbers");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(from_code > 100, "only {from_code} references were found in code");
}
