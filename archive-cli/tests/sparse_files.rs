//! Sparse files that are longer than the memory.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::process::Command;

use archive::save::SaveFile;
use archive::store::Store;
use archive::{Format, Serialize};

use crate::run_command::folder;

#[derive(Default, Serialize)]
struct World {
    tick: u64,
}
archive::store::persistent!(World = "world");

#[test]
fn a_sparse_file_of_terabytes_is_an_error() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let mut files = Vec::new();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        let file = path(format.name());
        std::fs::write(&file, format.to_vec(&World { tick: 7 }).unwrap()).unwrap();
        files.push(file);
    }
    std::fs::write(path("open.json"), "{\"a\": [1, \"").unwrap();
    std::fs::write(path("none"), "").unwrap();
    SaveFile::new(path("a.sav")).save(&World { tick: 7 }, Format::Json).unwrap();
    let store = Store::open(path("a.store")).unwrap();
    store.save(&World { tick: 7 }).unwrap();
    drop(store);
    files.extend(["open.json", "none", "a.sav", "a.store"].map(path));
    let out = path("out");
    let out = out.to_str().unwrap();
    for file in files {
        if File::options().write(true).open(&file).unwrap().set_len(8 << 40).is_err() {
            println!("skipped: no file may be so long here");
            return;
        }
        let file = file.to_str().unwrap();
        for args in [
            vec!["get", file],
            vec!["inspect", file],
            vec!["verify", file],
            vec!["schema", file],
            vec!["stats", file],
            vec!["diff", file, file],
            vec!["convert", file, out, "--to", "json"],
            vec!["set", file, "tick", "8"],
            vec!["edit", file],
            vec!["repair", file, "-o", out],
        ] {
            // More memory than the system can allocate, even if it overcommits.
            let output = Command::new("sh")
                .args(["-c", "ulimit -v 4000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_archive")])
                .args(&args)
                .env("EDITOR", "true")
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            let status = output.status.code();
            // Some commands need not read the rest.
            let is_read = matches!((args[0], status), ("get", Some(0)) | ("repair", Some(1)));
            assert!(is_read || matches!(status, Some(1 | 2)), "{args:?}: {status:?} {errors}");
            assert!(
                is_read || errors.contains("error: ") || file.ends_with("store"),
                "{args:?}: {errors}"
            );
            assert!(!errors.contains("panicked"), "{args:?}: {errors}");
            let _ = std::fs::remove_file(out);
        }
    }
}
