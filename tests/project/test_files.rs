//! Test files are found by their names: no two have one name, and a module with files of its own is `name/mod.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::tidy::files;

/// Names that each program and each module may have.
const REPEATED: [&str; 2] = ["main.rs", "mod.rs"];

/// Folders with programs that are not tests, and why.
const EXCEPT: [(&str, &str); 1] =
    [("archive-derive/tests/ui", "programs that do not compile, named after the attribute")];

fn test_files() -> impl Iterator<Item = PathBuf> {
    files("", "rs").into_iter().filter(|path| {
        path.iter().any(|folder| folder == "tests")
            && !EXCEPT.iter().any(|(folder, _)| path.starts_with(folder))
    })
}

#[test]
fn names_are_unique() {
    let mut named: BTreeMap<_, Vec<PathBuf>> = BTreeMap::new();
    for path in test_files() {
        named.entry(path.file_name().unwrap().to_owned()).or_default().push(path);
    }
    assert!(named.len() > 300, "only {} names were found", named.len());
    named
        .retain(|name, paths| paths.len() > 1 && !REPEATED.iter().any(|repeated| name == repeated));
    assert!(named.is_empty(), "{named:#?}");
}

#[test]
fn modules_with_files_are_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside: Vec<_> =
        test_files().filter(|path| root.join(path.with_extension("")).is_dir()).collect();
    assert!(beside.is_empty(), "move each to `mod.rs` of its folder: {beside:#?}");
}
