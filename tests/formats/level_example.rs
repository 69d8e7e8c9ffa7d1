//! The `level` example on real input: every project of the fixtures, those of the older editor too.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The example, which `cargo test` builds beside the tests.
fn example() -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let name = format!("examples/level{}", std::env::consts::EXE_SUFFIX);
    let example = test.parent().and_then(Path::parent).unwrap().join(name);
    if !example.exists() {
        println!("skipped: {} is not built (`cargo build --example level`)", example.display());
        return None;
    }
    Some(example)
}

fn run(arguments: &[&Path]) -> Option<(Output, String)> {
    let output = Command::new(example()?).args(arguments).output().unwrap();
    let said = [&output.stdout[..], &output.stderr].concat();
    Some((output, String::from_utf8_lossy(&said).into_owned()))
}

#[test]
fn the_built_in_level() {
    if let Some((output, said)) = run(&[]) {
        assert!(output.status.success(), "{said}");
        for format in archive::Format::all() {
            assert!(said.contains(format.name()), "{format}: {said}");
        }
    }
}

#[test]
fn every_project_of_the_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/fixtures/ldtk");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut count = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "ldtk") {
            continue;
        }
        let Some((output, said)) = run(&[&path]) else { return };
        assert!(output.status.success(), "{}: {said}", path.display());
        count += 1;
    }
    assert!(count >= 5, "{count} projects");
}

#[test]
fn files_that_are_not_projects() {
    for path in ["no/such/file.ldtk", "Cargo.toml", "src"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let Some((output, said)) = run(&[&path]) else { return };
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}
