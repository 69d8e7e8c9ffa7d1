//! Interrupts, permissions, owners and links, as Unix programs treat them.
#![cfg(unix)]

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use archive::Format;
use archive::save::SaveFile;

use crate::run_command::{command, fails, folder, ok};

const ARCHIVE: &str = env!("CARGO_BIN_EXE_archive");

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until a condition is true.
fn until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..2000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it never happens");
}

fn send(signal: &str, to: &Child) {
    let status = Command::new("kill").args([signal, &to.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn an_interrupt_leaves_no_file() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        for to in ["json", "msgpack", "bins"] {
            let folder = folder();
            std::fs::write(folder.path().join("out"), "old").unwrap();
            let out = folder.path().join("out");
            let mut child = Command::new(ARCHIVE)
                .args(["convert", "-", out.to_str().unwrap(), "--to", to])
                .stdin(Stdio::piped())
                .spawn()
                .unwrap();
            // The input never ends.
            let mut stdin = child.stdin.take().unwrap();
            let text = format!("[{}", "1,".repeat(100_000));
            std::io::Write::write_all(&mut stdin, text.as_bytes()).unwrap();
            until(|| names(folder.path()).iter().any(|name| name.starts_with(".archive-")));
            send(signal, &child);
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(number), "{to}");
            assert_eq!(names(folder.path()), ["out"], "{signal} {to}");
            assert_eq!(std::fs::read_to_string(&out).unwrap(), "old");
        }
    }
}

/// `nohup` starts programs with the signal ignored.
#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_stay_ignored() {
    let folder = folder();
    let out = folder.path().join("out");
    let script = format!("trap '' HUP; exec {ARCHIVE} convert - {} --to json", out.display());
    let mut child = Command::new("sh").args(["-c", &script]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, format!("[{}", "1,".repeat(100_000)).as_bytes()).unwrap();
    until(|| names(folder.path()).iter().any(|name| name.starts_with(".archive-")));
    send("-HUP", &child);
    std::io::Write::write_all(&mut stdin, b"2]").unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["out"]);
}

/// The terminal sends an interrupt to the editor and to the command. Line editors use it.
#[test]
fn an_interrupt_of_the_editor_does_not_end_the_command() {
    let folder = folder();
    let path = folder.path().join("a.json");
    std::fs::write(&path, "{\"a\":1}").unwrap();
    let (runs, go) = (folder.path().join("runs"), folder.path().join("go"));
    let script = folder.path().join("editor");
    let text = format!(
        "touch '{}'; for at in $(seq 500); do [ -e '{}' ] && break; sleep 0.02; done; sed -i s/1/2/ \"$1\"\n",
        runs.display(),
        go.display()
    );
    std::fs::write(&script, text).unwrap();
    let mut child = Command::new(ARCHIVE)
        .args(["edit", path.to_str().unwrap()])
        .env("VISUAL", format!("sh '{}'", script.display()))
        .spawn()
        .unwrap();
    until(|| runs.exists());
    send("-INT", &child);
    std::thread::sleep(Duration::from_millis(50));
    std::fs::write(go, "").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"a\":2}");
}

/// A new file has the permissions that the umask leaves, and a replaced one those of the old one.
#[test]
fn permissions_are_those_of_the_umask_or_of_the_old_file() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.json"), "{\"a\":1}").unwrap();
    for (umask, expected) in [("077", 0o600), ("022", 0o644), ("002", 0o664), ("007", 0o660)] {
        for name in ["b.bin", "b.msgpack", "b.blob"] {
            let _ = std::fs::remove_file(path(name));
            let script = format!(
                "umask {umask}; cd '{}' && '{ARCHIVE}' convert a.json {name} && \
                 '{ARCHIVE}' set a.json a 2 -o {name}.set && '{ARCHIVE}' repair a.json -o {name}.json; true",
                folder.path().display()
            );
            assert!(
                Command::new("sh")
                    .args(["-c", &script])
                    .stdout(Stdio::null())
                    .status()
                    .unwrap()
                    .success()
            );
            for name in [name, &format!("{name}.set"), &format!("{name}.json")] {
                assert_eq!(mode(&path(name)), expected, "{umask} {name}");
                std::fs::remove_file(path(name)).unwrap();
            }
        }
    }
    for permissions in [0o600, 0o640, 0o755, 0o4755] {
        std::fs::set_permissions(path("a.json"), PermissionsExt::from_mode(permissions)).unwrap();
        ok(&["set", path("a.json").to_str().unwrap(), "a", &permissions.to_string()]);
        assert_eq!(mode(&path("a.json")), permissions);
    }
    let save = path("quick.sav");
    SaveFile::new(&save).save(&vec![7], Format::Binary).unwrap();
    std::fs::set_permissions(&save, PermissionsExt::from_mode(0o600)).unwrap();
    ok(&["set", save.to_str().unwrap(), "[0]", "8"]);
    assert_eq!((mode(&save), mode(&path("quick.sav.1"))), (0o600, 0o600));
}

/// Root may change the files of others, which keep their owners.
#[test]
fn a_file_keeps_its_owner() {
    let folder = folder();
    let path = folder.path().join("a.json");
    std::fs::write(&path, "{\"a\":1}").unwrap();
    let save = folder.path().join("quick.sav");
    SaveFile::new(&save).save(&vec![7], Format::Binary).unwrap();
    for path in [&path, &save] {
        if chown(path, Some(12_345), Some(23_456)).is_err() {
            println!("skipped: only root gives files away");
            return;
        }
    }
    ok(&["set", path.to_str().unwrap(), "a", "2"]);
    ok(&["set", save.to_str().unwrap(), "[0]", "8"]);
    for path in [&path, &save] {
        let file = std::fs::metadata(path).unwrap();
        assert_eq!((file.uid(), file.gid()), (12_345, 23_456), "{}", path.display());
    }
}

/// The target of a link is written, and the link is kept.
#[test]
fn targets_of_links_are_written() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_str().unwrap().to_owned();
    std::fs::write(path("a.json"), "{\"a\":1}").unwrap();
    std::fs::create_dir(path("inner")).unwrap();
    symlink("inner/new.bin", path("dangling.bin")).unwrap();
    symlink(path("dangling.bin"), path("again.bin")).unwrap();
    ok(&["convert", &text("a.json"), &text("again.bin")]);
    assert!(path("dangling.bin").is_symlink() && path("again.bin").is_symlink());
    assert_eq!(ok(&["get", &text("inner/new.bin"), "a"]), "1\n");
    symlink("none/new.bin", path("lost.bin")).unwrap();
    assert!(fails(&["convert", &text("a.json"), &text("lost.bin")], 2).contains("No such file"));
    assert!(path("lost.bin").is_symlink());

    symlink("a.json", path("link.json")).unwrap();
    ok(&["set", &text("link.json"), "a", "2"]);
    assert!(path("link.json").is_symlink());
    assert_eq!(ok(&["get", &text("a.json"), "a"]), "2\n");
    SaveFile::new(path("inner/quick.sav")).save(&vec![7], Format::Binary).unwrap();
    symlink("inner/quick.sav", path("link.sav")).unwrap();
    ok(&["set", &text("link.sav"), "[0]", "8"]);
    assert!(path("link.sav").is_symlink() && path("inner/quick.sav.1").exists());
    assert_eq!(ok(&["get", &text("inner/quick.sav"), "[0]"]), "8\n");
    let edited = command(&["edit", &text("link.json")]).env("EDITOR", "sed -i s/2/3/").output();
    assert!(edited.unwrap().status.success() && path("link.json").is_symlink());
    assert_eq!(ok(&["get", &text("a.json"), "a"]), "3\n");
}
