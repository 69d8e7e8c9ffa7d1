//! The list of all exports of `archive`. A change of it is a change for users, so it is in a file
//! that is reviewed: `UPDATE_EXPORTS=1 cargo test --test project exports` writes it.

mod items;
mod list;
mod load;
mod names;

use std::fs;
use std::path::Path;

use load::Sources;

const FILE: &str = "tests/project/exports/archive.txt";

const CRATES: [&str; 15] = [
    "core", "derive", "json", "binary", "blob", "bins", "msgpack", "describe", "document", "serde",
    "format", "save", "store", "reflect", "types",
];

#[test]
fn exports_are_as_accepted() {
    let mut sources = Sources::default();
    sources.add("archive", Path::new("src"));
    for name in CRATES {
        sources.add(&format!("archive_{name}"), Path::new(&format!("archive-{name}/src")));
    }
    sources.expand_modules("archive");
    let lines = list::lines(&sources, "archive");
    let found: String = lines.iter().flat_map(|line| [line, "\n"]).collect();

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("UPDATE_EXPORTS").is_some() {
        fs::write(&file, &found).unwrap();
        return;
    }
    let accepted = fs::read_to_string(&file).unwrap();
    let accepted: std::collections::BTreeSet<_> = accepted.lines().map(str::to_owned).collect();
    let gone: Vec<_> = accepted.difference(&lines).collect();
    let new: Vec<_> = lines.difference(&accepted).collect();
    assert!(
        gone.is_empty() && new.is_empty(),
        "`archive` exports something else than {FILE} says.\nno longer: {gone:#?}\nnew: {new:#?}\n\
         `UPDATE_EXPORTS=1 cargo test --test project exports` accepts it"
    );
}
