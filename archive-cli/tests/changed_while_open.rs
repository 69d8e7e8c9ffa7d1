//! Files that change between reading and replacing.
#![cfg(unix)]

use std::process::{Command, Stdio};

use archive::save::SaveFile;
use archive::store::Store;
use archive::{Format, Serialize};

use crate::run_command::{command, folder, ok};

const ARCHIVE: &str = env!("CARGO_BIN_EXE_archive");

#[derive(Debug, Default, PartialEq, Serialize)]
struct Unit {
    hp: u16,
    name: String,
}

#[derive(Default, Serialize)]
struct World {
    units: archive::store::Pool<Unit>,
}
archive::store::persistent!(World = "world", Unit = "unit");

const COUNT: usize = 12;

/// Each process sets another item. No change is lost.
#[test]
fn no_set_loses_the_change_of_another_one() {
    let folder = folder();
    let units: Vec<Unit> = (0..COUNT).map(|_| Unit::default()).collect();
    let path = |name: &str| folder.path().join(name);
    let mut files = Vec::new();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        let file = path(format.name());
        std::fs::write(&file, format.to_vec(&units).unwrap()).unwrap();
        files.push((file, ""));
    }
    SaveFile::new(path("a.sav")).save(&units, Format::Binary).unwrap();
    files.push((path("a.sav"), ""));
    let store = Store::open(path("a.store")).unwrap();
    let mut world = World::default();
    for unit in units {
        world.units.insert(unit);
    }
    store.save(&world).unwrap();
    drop(store);
    files.push((path("a.store"), "unit"));
    for (file, class) in files {
        let children: Vec<_> = (0..COUNT)
            .map(|index| {
                let at = match class {
                    "" => format!("[{index}].hp"),
                    class => format!("{class}[{}].hp", index + 1),
                };
                Command::new(ARCHIVE)
                    .args(["set", file.to_str().unwrap(), &at, &(100 + index).to_string()])
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let done: Vec<bool> =
            children.into_iter().map(|mut child| child.wait().unwrap().success()).collect();
        for (index, done) in done.iter().enumerate() {
            let at = match class {
                "" => format!("[{index}].hp"),
                class => format!("{class}[{}].hp", index + 1),
            };
            let expected = if *done { 100 + index } else { 0 };
            let found = ok(&["get", file.to_str().unwrap(), &at]);
            assert_eq!(found.trim(), expected.to_string(), "{} {at}", file.display());
        }
        // A store is open in one process at a time.
        assert!(!class.is_empty() || done.iter().all(|done| *done), "{}", file.display());
    }
}

/// While the editor is open, another program saves the file.
#[test]
fn an_edit_does_not_overwrite_later_changes() {
    let folder = folder();
    let units = || vec![Unit { hp: 7, name: "Ann".into() }, Unit { hp: 9, name: "Bob".into() }];
    let saved = vec![Unit { hp: 7, name: "Ann".into() }, Unit { hp: 1, name: "Cyd".into() }];
    let kept = folder.path().join("kept");
    std::fs::create_dir(&kept).unwrap();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        for is_save in [false, true] {
            let path = folder.path().join(format!("{format}-{is_save}"));
            let write = |path: &std::path::Path, units: &Vec<Unit>| match is_save {
                true => drop(SaveFile::new(path).save(units, format).unwrap()),
                false => std::fs::write(path, format.to_vec(units).unwrap()).unwrap(),
            };
            write(&path, &units());
            let other = folder.path().join("other");
            write(&other, &saved);
            // The game saves when the editor opens for the first time. Then the editor decides.
            let script = folder.path().join("editor");
            let seen = folder.path().join("seen");
            let text = |then: &str| {
                format!(
                    "if grep -q '^//! ' \"$1\"; then cp \"$1\" '{}'; {then}; else \
                     cp '{}' '{}.new'; mv '{}.new' '{}'; sed -i s/Ann/Zed/ \"$1\"; fi\n",
                    seen.display(),
                    other.display(),
                    path.display(),
                    path.display(),
                    path.display()
                )
            };
            let edit = |then: &str| {
                std::fs::write(&script, text(then)).unwrap();
                let output = command(&["edit", path.to_str().unwrap()])
                    .env("EDITOR", format!("sh '{}'", script.display()))
                    .env("TMPDIR", &kept)
                    .output()
                    .unwrap();
                let message = String::from_utf8(output.stderr).unwrap();
                (output.status.code().unwrap(), message)
            };
            let name = |index: usize| {
                ok(&["get", path.to_str().unwrap(), &format!("[{index}].name"), "-r"])
            };
            let (status, message) = edit("true");
            assert_eq!(status, 2, "{format}: {message}");
            assert!(message.contains("changed the file while it was edited"), "{message}");
            let (_, place) = message.trim().rsplit_once("the edited text is in ").unwrap();
            assert!(std::fs::read_to_string(place).unwrap().contains("Zed"), "{place}");
            assert_eq!((name(0), name(1)), ("Ann\n".into(), "Cyd\n".into()), "{format}");
            let shown = std::fs::read_to_string(&seen).unwrap();
            assert!(shown.contains("This is the new file.") && shown.contains("Cyd"), "{shown}");

            write(&path, &units());
            let (status, message) = edit("sed -i s/Ann/Zoe/ \"$1\"");
            assert_eq!(status, 0, "{format}: {message}");
            assert_eq!((name(0), name(1)), ("Zoe\n".into(), "Cyd\n".into()), "{format}");
        }
    }
}
