//! The core uses no facility of an operating system: no files, no network, no clocks, no threads.

use std::path::{Path, PathBuf};

const FORBIDDEN: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::os",
    "Instant::now",
    "SystemTime::now",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_operating_system() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("archive-core/src"), &mut files);
    assert!(files.len() > 40);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            // The code of the `entry_points!` macro is compiled in the formats' crates.
            let in_macro = file.ends_with("entry_points.rs");
            // A table of error codes, which calls nothing.
            let is_table = file.ends_with("os_error.rs");
            let code = line.split("//").next().unwrap_or_default();
            // The content of a file name is not a facility, and a cursor is a position in memory.
            let code = ["std::os::unix::ffi", "std::os::windows::ffi", "std::io::Cursor"]
                .iter()
                .fold(code.to_owned(), |code, allowed| code.replace(allowed, ""));
            let name = FORBIDDEN.iter().find(|name| !in_macro && !is_table && code.contains(*name));
            assert_eq!(name, None, "{}:{}", file.display(), number + 1);
        }
    }
}
