//! Malicious files: an error, and never a crash.

use archive::{Format, Options, Serialize};

use crate::run_command::{folder, golden, run};

/// Each command on a file.
fn commands(file: &str) -> [Vec<&str>; 11] {
    [
        vec!["inspect", file],
        vec!["get", file],
        vec!["schema", file],
        vec!["stats", file],
        vec!["verify", file],
        vec!["diff", file, file],
        vec!["convert", file, "-"],
        vec!["convert", file, "-", "--to", "bins"],
        vec!["convert", file, "-", "--to", "blob"],
        vec!["set", file, "*", "1", "-o", "-"],
        vec!["repair", file, "-o", "-"],
    ]
}

fn check(file: &str) {
    for args in commands(file) {
        let output = run(&args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let status = output.status.code();
        assert!(matches!(status, Some(0..=2)), "{args:?}: {status:?} {errors}");
        assert!(!errors.contains("panicked"), "{args:?}: {errors}");
    }
}

/// Each golden file with one changed byte, in many places.
#[test]
fn damaged_files_are_errors() {
    let folder = folder();
    let path = folder.path().join("damaged");
    for (index, file) in golden().into_iter().enumerate() {
        let mut bytes = file.bytes();
        let at = index * 7919 % bytes.len();
        bytes[at] ^= 1 << (index % 8);
        std::fs::write(&path, bytes).unwrap();
        check(path.to_str().unwrap());
    }
}

#[derive(Default, Serialize)]
struct Tree {
    inner: Vec<Tree>,
}

/// Values that nest deeper than the stack allows.
#[test]
fn deep_files_are_errors() {
    let folder = folder();
    let path = folder.path().join("deep");
    let save = || {
        let options = Options::new().max_depth(10_000);
        let mut tree = Tree::default();
        for _ in 0..3000 {
            tree = Tree { inner: vec![tree] };
        }
        let formats: Vec<_> =
            Format::all().map(|format| format.to_vec_with(&tree, &options)).collect();
        // It is dropped here, because that recurses, too.
        drop(tree);
        formats
    };
    let saved =
        std::thread::Builder::new().stack_size(512 << 20).spawn(save).unwrap().join().unwrap();
    for bytes in saved {
        std::fs::write(&path, bytes.unwrap()).unwrap();
        check(path.to_str().unwrap());
        let output = run(&["verify", path.to_str().unwrap()]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && errors.contains("nested"), "{errors}");
    }
    for text in ["[".repeat(1_000_000), "{\"a\":".repeat(1_000_000), "\u{91}".repeat(1000)] {
        std::fs::write(&path, text).unwrap();
        check(path.to_str().unwrap());
    }
    std::fs::write(&path, vec![0x91; 1_000_000]).unwrap();
    check(path.to_str().unwrap());
}

/// An object that is not a pointer may have a member of such a name.
#[test]
fn names_of_pointers_are_data_elsewhere() {
    let folder = folder();
    let path = folder.path().join("schema.json");
    let text =
        r#"{"$id":"https://example.com/schema","$type":7,"a":{"$weak":"x","b":[{"$value":1}]}}"#;
    std::fs::write(&path, text).unwrap();
    let file = path.to_str().unwrap();
    check(file);
    assert_eq!(crate::run_command::ok(&["get", file, "a.b[0]", "-c"]), "{\"$value\":1}\n");
    assert_eq!(crate::run_command::ok(&["convert", file, "-"]), text.to_owned() + "\n");
    // A reference that refers to itself.
    std::fs::write(&path, r#"[{"$id":1},{"$weak":2},{"$id":3,"$value":{"$id":3}}]"#).unwrap();
    check(file);
    for at in ["[0].x", "[1].x", "[2].x", "$3.x", "$9", "[*].x"] {
        let output = run(&["get", file, at]);
        assert_eq!(output.status.code(), Some(2), "{at}");
    }
}

/// A pipe that nobody reads is not an error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_command() {
    let folder = folder();
    let path = folder.path().join("long.json");
    std::fs::write(&path, format!("[{}1]", "1,".repeat(1_000_000))).unwrap();
    let program = env!("CARGO_BIN_EXE_archive");
    let line = format!("'{program}' convert '{}' - | head -c 10", path.display());
    let output = std::process::Command::new("sh").arg("-c").arg(line).output().unwrap();
    assert_eq!(output.stderr, b"", "{}", String::from_utf8_lossy(&output.stderr));
}
