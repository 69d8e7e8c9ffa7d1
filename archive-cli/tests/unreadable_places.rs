//! Files that cannot be read or written: an error with the reason, a documented exit status, and
//! nothing written.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;

use archive::store::Store;
use archive::{Format, Serialize};

use crate::run_command::{command, fails, folder, ok, run};

const TEXT: &str = r#"{"a":[1,2,{"b":"x"}],"c":7}"#;

/// Every command that reads a file, on it. None of them writes anything.
fn reading(file: &str, out: &str) -> Vec<Vec<String>> {
    let list = |args: &[&str]| args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>();
    let mut all: Vec<Vec<String>> = ["inspect", "get", "schema", "stats", "verify"]
        .iter()
        .map(|name| list(&[name, file]))
        .collect();
    for to in ["json", "binary", "msgpack", "blob", "bins"] {
        all.push(list(&["convert", file, out, "--to", to]));
    }
    all.push(list(&["diff", file, file]));
    all.push(list(&["set", file, "a", "1", "-o", out]));
    all.push(list(&["edit", file, "-o", out]));
    all.push(list(&["repair", file, "-o", out]));
    all.push(list(&["list", file]));
    all
}

#[test]
fn inputs_that_are_not_files_are_errors_without_output() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("zeros"), vec![0; 100_000]).unwrap();
    std::fs::write(path("empty"), "").unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    symlink(path("two"), path("one")).unwrap();
    symlink(path("one"), path("two")).unwrap();
    std::fs::write(path("text"), "hello").unwrap();
    let inputs = [
        ("zeros", "all zero"),
        ("empty", "is empty"),
        ("folder", "directory"),
        ("one", "symbolic links"),
        ("absent", "No such file"),
        ("text", "not in a known format"),
    ];
    let out = path("out");
    for (input, part) in inputs {
        for args in reading(&path(input), &out) {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            // A folder can be listed.
            if (args[0], input) == ("list", "folder") {
                continue;
            }
            let output = run(&args);
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            let expected = if args[0] == "verify" && !matches!(input, "folder" | "one" | "absent") {
                1
            } else {
                2
            };
            assert_eq!(output.status.code(), Some(expected), "{args:?}: {errors}");
            assert!(errors.contains(part) || args[0] == "list", "{args:?}: {errors}");
            assert!(
                errors.starts_with("error: ") && output.stdout.is_empty(),
                "{args:?}: {errors}"
            );
            assert!(!std::fs::exists(&out).unwrap(), "{args:?}");
        }
    }
}

/// A conversion that fails in the middle keeps the old file, and leaves no other one.
#[test]
fn a_conversion_that_fails_writes_nothing() {
    let folder = folder();
    let text = format!("[{} x]", "{\"a\": 1.5, \"b\": \"text\"},".repeat(200_000));
    std::fs::write(folder.path().join("long.json"), text).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for to in ["json", "binary", "msgpack", "blob", "bins"] {
        std::fs::write(path("out"), "old").unwrap();
        let message = fails(&["convert", &path("long.json"), &path("out"), "--to", to], 2);
        assert!(message.contains("[200000]"), "{message}");
        assert_eq!(std::fs::read_to_string(path("out")).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "{to}");
    }
}

#[test]
fn outputs_that_cannot_be_written_are_errors() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("a.json"), TEXT).unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    symlink(path("loop"), path("loop")).unwrap();
    let file = path("a.json");
    let full = std::path::Path::new("/dev/full").exists();
    let outputs = [
        (path("folder"), "directory"),
        (path("none/out"), "No such file"),
        (path("loop"), "symbolic links"),
        ("/dev/full".to_owned(), "No space left"),
    ];
    for (out, part) in outputs.iter().filter(|(out, _)| full || !out.starts_with("/dev")) {
        for args in [
            vec!["convert", &file, out, "--to", "json"],
            vec!["convert", &file, out, "--to", "blob"],
            vec!["convert", &file, out, "--to", "bins"],
            vec!["set", &file, "c", "8", "-o", out],
            vec!["repair", &file, "-o", out],
        ] {
            let message = fails(&args, 2);
            assert!(message.contains(part), "{args:?}: {message}");
        }
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), TEXT);
    // A device is not replaced.
    ok(&["convert", &file, "/dev/null", "--to", "binary"]);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    archive::save::SaveFile::new(path("a.sav")).save(&vec![7], Format::Binary).unwrap();
    ok(&["set", &path("a.sav"), "[0]", "8", "-o", "/dev/null"]);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    assert!(
        fails(&["set", &path("a.sav"), "[0]", "8", "-o", &path("folder")], 2).contains("directory")
    );
    // The input may be the output.
    ok(&["convert", &file, &file, "--to", "binary"]);
    ok(&["convert", &file, &file, "--to", "json"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), TEXT.to_owned() + "\n");
}

/// Standard output may be a file on a full disk.
#[test]
fn a_full_standard_output_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, other, cut) = (path("a.json"), path("b.json"), path("c.json"));
    std::fs::write(&file, TEXT).unwrap();
    std::fs::write(&other, "{}").unwrap();
    std::fs::write(&cut, &TEXT[..20]).unwrap();
    let out = path("out");
    for args in [
        vec!["verify", &file],
        vec!["get", &file],
        vec!["inspect", &file],
        vec!["convert", &file, "-"],
        vec!["schema", &file],
        vec!["stats", &file],
        vec!["diff", &file, &other],
        vec!["repair", &cut, "-o", &out],
        vec!["set", &file, "c", "8", "-o", "-"],
        vec!["completions", "bash"],
        vec!["man"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_archive"));
        let output = command.args(&args).env("NO_COLOR", "1").stdout(full).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
        assert!(
            errors.contains("cannot write standard output: No space left"),
            "{args:?}: {errors}"
        );
    }
}

#[test]
fn a_pipe_with_a_name_is_read() {
    let folder = folder();
    let path = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    for format in Format::all() {
        let bytes = format.to_vec(&vec![7, 8]).unwrap();
        let target = path.clone();
        let writer = std::thread::spawn(move || std::fs::write(target, bytes));
        assert_eq!(ok(&["get", path.to_str().unwrap(), "[1]"]), "8\n", "{format}");
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn values_that_are_hard_to_read() {
    let folder = folder();
    let path = folder.path().join("a.json");
    let file = path.to_str().unwrap();
    for (bytes, part) in [
        (&b"[1e999]"[..], "1e999 does not fit f64"),
        (b"{\"a\":\"\xff\"}", "not UTF-8 text"),
        (b"[1,2", "the end of the input"),
        (b"{\"a\":1}}", "expected the end"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let message = fails(&["convert", file, "-"], 2);
        assert!(message.contains(part), "{message}");
    }
    // Integers of any length are exact where they are copied.
    let long = "123456789012345678901234567890";
    std::fs::write(&path, format!("{{\"a\":{long},\"b\":1}}")).unwrap();
    ok(&["set", file, "b", "2"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{{\"a\":{long},\"b\":2}}"));
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
}
archive::store::persistent!(World = "world");

#[test]
fn a_store_that_a_game_has_open_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("a.store");
    let store = Store::open(&path).unwrap();
    store.save(&World { tick: 7 }).unwrap();
    let (file, out) = (path.to_str().unwrap(), folder.path().join("out"));
    for args in reading(file, out.to_str().unwrap()) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if args[0] == "list" {
            continue;
        }
        let output = run(&args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}: {errors}");
        assert!(errors.contains("open") && !errors.contains("panicked"), "{args:?}: {errors}");
        assert!(!out.exists(), "{args:?}");
    }
    store.save(&World { tick: 8 }).unwrap();
    drop(store);
    assert_eq!(ok(&["get", file, "world[1].tick"]), "8\n");
}

#[test]
fn an_editor_that_misbehaves_changes_nothing() {
    let folder = folder();
    let path = folder.path().join("a.json");
    std::fs::write(&path, TEXT).unwrap();
    for (editor, part) in [
        ("/none/editor", "the editor /none/editor failed"),
        ("rm", "cannot read the edited text"),
        ("printf '\\377' >", "cannot read the edited text"),
    ] {
        let mut edit = command(&["edit", path.to_str().unwrap()]);
        let output = edit.env("EDITOR", editor).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{editor}: {errors}");
        assert!(errors.contains(part), "{editor}: {errors}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), TEXT);
    }
}

/// Files without types are explained as far as possible.
#[test]
fn packets_are_explained() {
    use archive::binary::{bare, fingerprint};
    let folder = folder();
    let world = World { tick: 1 << 40 };
    let packet = fingerprint::to_vec(&world).unwrap();
    let number = format!("{:016x}", u64::from_le_bytes(*packet.first_chunk().unwrap()));
    for (name, bytes, part) in [
        ("a.fpr", packet.clone(), &*number),
        ("a", packet, "not in a known format"),
        ("a.bare", bare::to_vec(&world).unwrap(), "a single row of an object store"),
        ("b", bare::to_vec(&world).unwrap(), "a single row of an object store"),
        // Both are one value of MessagePack.
        ("c.bare", bare::to_vec(&()).unwrap(), "a packet of `binary::bare`"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let message = fails(&["inspect", path.to_str().unwrap()], 2);
        assert!(message.contains(part), "{name}: {message}");
    }
}
