//! Pipes in place of files, links of both kinds, outputs that are full or closed, and file names
//! with control characters.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use archive::Format;
use archive::save::SaveFile;

use crate::run_command::{fails, folder, ok, run};

const ARCHIVE: &str = env!("CARGO_BIN_EXE_archive");
const TEXT: &str = "{\"a\":1,\"b\":[1,2]}";

/// Runs a script, and returns its exit status and its standard error.
fn sh(folder: &std::path::Path, script: &str) -> (Option<i32>, String) {
    let script = script.replace("archive ", &format!("{ARCHIVE} "));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A pipe has no old content that could be replaced. Writing to it would block until somebody
/// reads.
#[test]
fn a_pipe_is_not_changed_in_place() {
    let folder = folder();
    std::fs::write(folder.path().join("a.json"), TEXT).unwrap();
    for script in [
        "mkfifo p; cat a.json > p & archive set p a 2",
        "mkfifo q; cat a.json > q & EDITOR='sed -i s/1/2/' archive edit q",
        "cat a.json | archive set /dev/stdin a 2",
    ] {
        let (status, message) = sh(folder.path(), script);
        assert_eq!(status, Some(2), "{script}: {message}");
        assert!(message.contains("name the file to write with --output"), "{message}");
    }
    // The details of an error do not read the pipe again.
    for script in [
        "mkfifo s; cat a.json > s & archive get s c",
        "mkfifo t; echo '[1, tru]' > t & archive get t",
        "mkfifo u; echo '[1, tru]' > u & archive verify u; exit 2",
    ] {
        let (status, message) = sh(folder.path(), script);
        assert!(status == Some(2) && message.contains("error: "), "{script}: {message}");
    }
    for script in [
        "mkfifo r; cat a.json > r & archive set r a 2 -o out.json",
        "cat a.json | archive set /dev/stdin a 2 -o out.json",
    ] {
        assert_eq!(sh(folder.path(), script), (Some(0), String::new()), "{script}");
        let out = folder.path().join("out.json");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), TEXT.replace(":1", ":2"));
        std::fs::remove_file(out).unwrap();
    }
}

/// Messages that cannot be written do not change the exit status.
#[test]
fn full_or_closed_outputs_do_not_end_a_command_early() {
    let folder = folder();
    std::fs::write(folder.path().join("a.json"), TEXT).unwrap();
    std::fs::write(folder.path().join("twice.json"), "{\"a\":1,\"a\":2}").unwrap();
    let has_full = std::path::Path::new("/dev/full").exists();
    for (script, expected) in [
        ("archive get a.json x 2> /dev/full", 2),
        ("archive get a.json 'x[' --json 2> /dev/full", 2),
        ("archive get 2> /dev/full", 2),
        ("archive get --json 2> /dev/full", 2),
        ("archive list . 2> /dev/full", 0),
        ("archive verify twice.json 2> /dev/full", 0),
        ("archive convert a.json a.bin 2> /dev/full", 0),
        ("archive repair a.json -o - 2> /dev/full > /dev/null", 0),
        ("archive set a.json a 1 -o - --json 2> /dev/full > /dev/null", 0),
        ("archive --help > /dev/full", 2),
        ("archive get a.json > /dev/full", 2),
        ("archive list . --json > /dev/full", 2),
        ("archive set a.json a 1 --json > /dev/full", 2),
        ("archive get a.json >&- 2>&- <&-", 0),
        ("archive get a.json x >&- 2>&-", 2),
    ] {
        if script.contains("/dev/full") && !has_full {
            continue;
        }
        let (status, message) = sh(folder.path(), script);
        assert_eq!(status, Some(expected), "{script}: {message}");
        let is_said = script.contains("> /dev/full") && !script.contains("2> /dev/full");
        assert_eq!(message.contains("No space left"), is_said, "{script}: {message}");
    }
}

/// No link makes a command overwrite its input.
#[test]
fn links_do_not_overwrite_the_input() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_str().unwrap().to_owned();
    let damaged = "{\"a\": [1, 2, tru";
    std::fs::write(path("bad.json"), damaged).unwrap();
    std::fs::hard_link(path("bad.json"), path("hard.json")).unwrap();
    symlink("bad.json", path("soft.json")).unwrap();
    symlink("soft.json", path("softer.json")).unwrap();
    for from in ["bad.json", "hard.json", "soft.json"] {
        for to in ["bad.json", "hard.json", "softer.json"] {
            let message = fails(&["repair", &text(from), "-o", &text(to)], 2);
            assert!(
                message.contains("would replace the file that is read"),
                "{from} {to}: {message}"
            );
            assert_eq!(std::fs::read_to_string(path("bad.json")).unwrap(), damaged);
        }
    }
    SaveFile::new(path("quick.sav")).title("x").save(&vec![7], Format::Binary).unwrap();
    let before = std::fs::read(path("quick.sav")).unwrap();
    for to in ["blob", "json"] {
        fails(&["convert", &text("quick.sav"), &text("quick.sav"), "--to", to], 2);
    }
    assert_eq!(std::fs::read(path("quick.sav")).unwrap(), before);
    // Links that refer to each other.
    symlink("one", path("two")).unwrap();
    symlink("two", path("one")).unwrap();
    for args in
        [&["get"][..], &["inspect"], &["stats"], &["schema"], &["verify"], &["edit"], &["list"]]
    {
        let message = fails(&[args, &[&text("one")]].concat(), 2);
        assert!(message.contains("symbolic links"), "{args:?}: {message}");
    }
    fails(&["set", &text("one"), "a", "1"], 2);
    fails(&["repair", &text("bad.json"), "-o", &text("one")], 2);
    assert!(path("one").is_symlink() && path("two").is_symlink());
}

/// The name of a file is escaped on a terminal, and unchanged for programs.
#[test]
fn names_of_files_are_shown_with_escapes() {
    let folder = folder();
    let name = "a\n\u{1b}[31m\u{9b}2J\u{202e}.json";
    let path = folder.path().join(name);
    let file = path.to_str().unwrap();
    std::fs::write(&path, TEXT).unwrap();
    SaveFile::new(folder.path().join("b\u{1b}[1m.sav")).save(&vec![7], Format::Json).unwrap();
    let (out, bin) = (format!("{file}.out"), format!("{file}.bin"));
    for args in [
        vec!["inspect", file],
        vec!["get", file, "x"],
        vec!["get", file, "x", "--json"],
        vec!["set", file, "x", "1"],
        vec!["set", file, "a", "["],
        vec!["stats", file],
        vec!["schema", file],
        vec!["verify", file],
        vec!["diff", file, "none"],
        vec!["convert", file, &bin],
        vec!["set", &bin, "a", "2"],
        vec!["repair", file, "-o", &out],
        vec!["repair", file, "-o", file],
        vec!["list", file],
        vec!["list", folder.path().to_str().unwrap()],
    ] {
        let output = run(&args);
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(bytes.clone()).unwrap();
            let is_active = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!text.contains(is_active), "{args:?}: {text:?}");
        }
    }
    let said = ok(&["set", file, "a", "3", "--json"]);
    let said: archive::Value = archive::json::from_str(&said).unwrap();
    assert_eq!(said["file"].as_str(), Some(file));
}
