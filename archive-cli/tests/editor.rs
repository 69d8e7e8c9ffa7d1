//! `edit`, with editors that are programs.
#![cfg(unix)]

use archive::save::SaveFile;
use archive::{Format, Serialize};

use crate::run_command::{command, folder, ok};

#[derive(Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    speed: f32,
}

fn units() -> Vec<Unit> {
    vec![
        Unit { name: "Ann".into(), hp: 7, speed: 0.1 },
        Unit { name: "Bob".into(), hp: 9, speed: 1.5 },
    ]
}

/// Runs `edit` with an editor. Returns the exit status, and the message.
fn edit(args: &[&str], editor: &str) -> (i32, String) {
    let output = command(&[&["edit"], args].concat()).env("EDITOR", editor).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), message)
}

#[test]
fn an_edit_changes_only_edited_values() {
    let folder = folder();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        let path = folder.path().join("units");
        std::fs::write(&path, format.to_vec(&units()).unwrap()).unwrap();
        let before = std::fs::read(&path).unwrap();
        let file = path.to_str().unwrap();
        assert_eq!(edit(&[file], "true"), (0, String::new()));
        assert_eq!(std::fs::read(&path).unwrap(), before, "{format}");
        let (status, message) = edit(&[file], "sed -i s/Bob/Cyd/");
        assert_eq!(status, 0, "{format}: {message}");
        let (status, message) = edit(&[file, "[0].hp"], "sed -i s/7/8/");
        assert_eq!(status, 0, "{format}: {message}");
        let changed: Vec<Unit> = format.from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let mut expected = units();
        (expected[0].hp, expected[1].name) = (8, "Cyd".into());
        assert_eq!(changed, expected, "{format}");
        // The width of unchanged values is kept.
        let unedited = std::fs::read(&path).unwrap();
        assert_eq!(unedited.len(), before.len(), "{format}");
    }
}

/// An editor that makes a mistake first. Then it copies the text that it gets to a file, and
/// corrects the mistake.
#[test]
fn a_mistake_goes_back_into_the_editor() {
    let folder = folder();
    for (format, mistake, part) in [
        (Format::Binary, "s/: 7,/: 70000,/", "//! error: [0].hp: 70000 does not fit u16"),
        (Format::Blob, "s/: 7,/: \"much\",/", "//! error: [0].hp: expected u16, found \"much\""),
        (
            Format::Json,
            "s/{/{ oops/",
            "//! error: [0]: expected a member name or `}`, found `o` at line 4",
        ),
        (Format::MessagePack, "s/: 7,/: 7 7,/", "//! error: [0]: expected `,` or `}`"),
    ] {
        let path = folder.path().join("units");
        std::fs::write(&path, format.to_vec(&units()).unwrap()).unwrap();
        let seen = folder.path().join("seen");
        let script = folder.path().join("editor");
        let (first, again) = (mistake, seen.display());
        let text = format!(
            "if grep -q '^//! ' \"$1\"; then cp \"$1\" '{again}'; \
             sed -i -e 's/70000/8/' -e 's/\"much\"/8/' -e 's/ oops//' -e 's/7 7/8/' \"$1\"; \
             sed -i 's/\"hp\": *7/\"hp\":8/' \"$1\"; else sed -i '{first}' \"$1\"; fi\n"
        );
        std::fs::write(&script, text).unwrap();
        let editor = format!("sh '{}'", script.display());
        let (status, message) = edit(&[path.to_str().unwrap()], &editor);
        assert_eq!(status, 0, "{format}: {message}");
        let shown = std::fs::read_to_string(&seen).unwrap();
        assert!(shown.starts_with(part), "{format}: {shown}");
        let changed: Vec<Unit> = format.from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(changed[0].hp, 8, "{format}");
    }
}

#[test]
fn an_edit_that_is_given_up_changes_nothing() {
    let folder = folder();
    let path = folder.path().join("units");
    let bytes = Format::Binary.to_vec(&units()).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let file = path.to_str().unwrap();
    // It makes the same mistake whenever the text has none.
    let script = "sh -c 'grep -q ^//! \"$0\" || sed -i s/.Ann./7:/ \"$0\"'";
    let (status, message) = edit(&[file], script);
    assert_eq!(status, 2);
    assert!(message.starts_with("error: "), "{message}");
    let (status, message) = edit(&[file], "false");
    assert_eq!(status, 2);
    assert!(message.contains("the editor false failed"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

/// Editors that are programs, and change the comment with the error each time.
#[test]
fn an_editor_that_changes_only_the_comment_ends() {
    let folder = folder();
    let path = folder.path().join("units");
    let runs = folder.path().join("runs");
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let bytes = format.to_vec(&units()).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let file = path.to_str().unwrap();
        for change in [
            "s,^//! error.*,& again,",
            "s,^//!.*,& again,",
            "1s,^,// again\\n,",
            "s,^//! ,// ,",
            "/^..! error/d",
            "s,[.]$,,",
        ] {
            let _ = std::fs::remove_file(&runs);
            let script = folder.path().join("editor");
            // It gives up after some time.
            let text = format!(
                "echo >> '{runs}'; [ $(wc -l < '{runs}') -lt 9 ] || exit 1\n\
                 sed -i -e '{change}' -e 's/7/7 7/' \"$1\"; sed -i 's/7 7 7/7 7/' \"$1\"\n",
                runs = runs.display()
            );
            std::fs::write(&script, text).unwrap();
            let (status, message) = edit(&[file], &format!("sh '{}'", script.display()));
            assert_eq!(status, 2, "{format} {change}");
            let part = "the text was saved unchanged, so nothing was written";
            assert!(message.contains(part), "{format} {change}: {message}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "{format} {change}");
            assert_eq!(std::fs::read_to_string(&runs).unwrap().len(), 2, "{format} {change}");
        }
    }
}

#[test]
fn a_save_file_is_edited_as_its_value() {
    let folder = folder();
    let path = folder.path().join("quick.sav");
    SaveFile::new(&path).title("A title").save(&units(), Format::Binary).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert_eq!(edit(&[path.to_str().unwrap()], "sed -i s/Ann/Zed/").0, 0);
    let loaded = SaveFile::new(&path).load::<Vec<Unit>>().unwrap();
    assert_eq!((&*loaded.value[0].name, &*loaded.meta.title), ("Zed", "A title"));
    assert_eq!(std::fs::read(folder.path().join("quick.sav.1")).unwrap(), before);
    assert_eq!(ok(&["get", path.to_str().unwrap(), "[0].name", "-r"]), "Zed\n");
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
    units: archive::store::Pool<Unit>,
}
archive::store::persistent!(World = "world", Unit = "unit");

/// An object store is edited as a whole or in part. Only the rows that differ are written.
#[test]
fn rows_of_an_object_store_are_edited() {
    use archive::store::Store;
    let folder = folder();
    let path = folder.path().join("campaign.store");
    let mut world = World { tick: 7, ..World::default() };
    for unit in units() {
        world.units.insert(unit);
    }
    let store = Store::open(&path).unwrap();
    store.save(&world).unwrap();
    drop(store);
    let file = path.to_str().unwrap();
    let all = ok(&["convert", file, "-"]);
    assert_eq!(edit(&[file], "true"), (0, String::new()));
    let (status, message) = edit(&[file], "sed -i -e s/Bob/Cyd/ -e 's/\"tick\": 7/\"tick\": 8/'");
    assert_eq!(status, 0, "{message}");
    let (status, message) = edit(&[file, "unit[1]"], "sed -i s/0.1/0.25/");
    assert_eq!(status, 0, "{message}");
    let changed =
        all.replace("Bob", "Cyd").replace("\"tick\":7", "\"tick\":8").replace("0.1", "0.25");
    assert_eq!(ok(&["convert", file, "-"]), changed);

    let other = folder.path().join("other.store");
    let target = other.to_str().unwrap();
    for (editor, part) in [
        ("sed -i 's/: 7,/: 70000,/'", "unit 1: hp: 70000 does not fit u16"),
        ("sed -i 's/\"hp\": 9,//'", "unit"),
        ("sed -i 's/\"world\"/\"earth\"/'", "cannot be added to an object store"),
        ("sed -i 's/\"1\"/\"9\"/'", "cannot be added to an object store"),
    ] {
        // The mistake is made once and not corrected.
        let script = folder.path().join("editor");
        std::fs::write(&script, format!("grep -q '^//! ' \"$1\" || {editor} \"$1\"\n")).unwrap();
        let editor = format!("sh '{}'", script.display());
        let (status, message) = edit(&[file, "-o", target], &editor);
        assert!(status == 2 && message.contains(part), "{editor}: {message}");
        assert!(!other.exists());
    }
    assert_eq!(ok(&["convert", file, "-"]), changed);
    let (status, message) = edit(&[file, "-o", target], "sed -i s/Cyd/Dee/");
    assert_eq!(status, 0, "{message}");
    assert_eq!(ok(&["convert", file, "-"]), changed);
    assert_eq!(ok(&["convert", target, "-"]), changed.replace("Cyd", "Dee"));
}
