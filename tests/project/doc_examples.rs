//! Examples in doc comments are read in the documentation of `archive`: they name what it exports, not the
//! crates that it is made of, which resolve in examples as well.

use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 13] = [
    "core", "json", "binary", "blob", "bins", "msgpack", "serde", "derive", "format", "save",
    "store", "reflect", "types",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            found.push(path);
        }
    }
}

/// The lines of a file that are in examples, with their numbers.
fn examples(text: &str, is_page: bool) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let line = if is_page { Some(line) } else { comment };
        let Some(line) = line else {
            inside = false;
            return None;
        };
        if line.trim_start().starts_with("```") {
            inside = !inside;
            return None;
        }
        inside.then_some((number + 1, line))
    })
}

#[test]
fn examples_name_exports_of_the_facade() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files =
        ["README.md", "SECURITY.md", "CONTRIBUTING.md"].map(|page| root.join(page)).to_vec();
    sources(&root.join("src"), &mut files);
    sources(&root.join("docs"), &mut files);
    for name in CRATES {
        let folder = root.join(format!("archive-{name}"));
        sources(&folder.join("src"), &mut files);
        files.push(folder.join("README.md"));
        if folder.join("docs").exists() {
            sources(&folder.join("docs"), &mut files);
        }
    }
    let (mut lines, mut wrong) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let is_page = file.extension().is_some_and(|extension| extension == "md");
        for (number, line) in examples(&text, is_page) {
            lines += 1;
            if CRATES.iter().any(|name| line.contains(&format!("archive_{name}")))
                || line.contains("#[archive(crate")
            {
                wrong.push(format!("{}:{number}: {line}", file.display()));
            }
        }
    }
    assert!(lines > 2000, "{lines}");
    assert!(wrong.is_empty(), "examples name parts of `archive`:\n{}", wrong.join("\n"));
}
