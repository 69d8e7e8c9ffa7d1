//! `assert_layout!`.

use std::path::PathBuf;
use std::process::Command;

use archive::Serialize;
use archive::testing::assert_layout;
use skirmish::command::{Assault, Attack, Follow, Hold, MoveTo, Patrol, Rally};
use skirmish::component::{Healer, Lookout, Nerves, Weapon};
use skirmish::{Squad, Unit, World};

use super::{failure, says};

/// The saved types of a Skirmish game. Commands and components are trait objects.
#[test]
fn skirmish() {
    assert_layout!([World, Squad, Unit], "tests/layouts/skirmish");
    assert_layout!(
        [Assault, Attack, Follow, Hold, MoveTo, Patrol, Rally, Healer, Lookout, Nerves, Weapon],
        "tests/layouts/skirmish"
    );
}

/// A directory that is gone when this is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("archive-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    /// A file with the accepted layout of `T`.
    fn accepted<T: archive::Element>(&self) -> PathBuf {
        let path = self.0.join("layout.txt");
        let description = archive::describe::<T>();
        let text = format!("signature {:016x}\n\n{description}", description.signature());
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[derive(Default, Serialize)]
struct Old {
    hp: i32,
    name: String,
    state: State,
    home: Home,
}

#[derive(Default, Serialize)]
enum State {
    #[default]
    Idle,
    Walk {
        to: u8,
    },
}

#[derive(Default, Serialize)]
struct Home {
    x: i16,
}

#[test]
fn unchanged_layouts_pass() {
    mod moved {
        #[derive(Default, archive::Serialize)]
        pub struct Place {
            #[archive(rename = "x")]
            pub left: i16,
        }
    }
    #[derive(Default, Serialize)]
    struct Renamed {
        state: State,
        home: moved::Place,
        #[archive(alias = "title")]
        name: String,
        hp: i32,
    }
    let directory = Directory::new("passes");
    let path = directory.accepted::<Old>();
    assert_layout!(Old, path);
    assert_layout!(Renamed, &path);

    // As git may check it out.
    let text = std::fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
    std::fs::write(&path, text).unwrap();
    assert_layout!(Old, path.to_str().unwrap());
}

#[test]
fn changed_layouts_fail() {
    macro_rules! fails {
        ($directory:expr, $(#[$on:meta])* { $($body:tt)* }, $($part:expr),*) => {{
            #[derive(Default, Serialize)]
            $(#[$on])*
            struct New { $($body)* }
            let path = $directory.accepted::<Old>();
            let message = failure(|| assert_layout!(New, path));
            says(&message, &["`New`", "docs/EVOLUTION.md", "UPDATE_LAYOUTS=1 cargo test", $($part),*]);
        }};
    }
    mod newer {
        #[derive(Default, archive::Serialize)]
        pub enum State {
            #[default]
            Idle,
            Walk {
                to: u16,
            },
            Run,
        }
    }
    let directory = Directory::new("fails");
    fails!(directory, { hp: i32, state: State, home: Home },
        "Old.name is gone: in old files it is ignored", "-    name: String");
    fails!(directory, { hp: i32, name: String, state: State, home: Home, mp: i32 },
        "New.mp is new: old files lack it", "+    mp: i32");
    fails!(directory, #[archive(name = "Old")] { hp: i64, name: String, state: State, home: Home },
        "Old.hp: i32 is now i64 (all old values load)");
    fails!(directory, #[archive(name = "Old")] { hp: i16, name: String, state: State, home: Home },
        "Old.hp: i32 is now i16 (old values load if they convert; otherwise the file is refused)");
    fails!(directory, #[archive(name = "Old")] { hp: String, name: String, state: State, home: Home },
        "Old.hp: i32 is now String (files that have it are refused)");
    fails!(directory, #[archive(name = "Old")] { hp: i32, title: String, state: State, home: Home },
        "Old.name is gone: in old files it is ignored; if it is `title` now, that needs \
         `#[archive(alias = \"name\")]`", "it visits \"name\" where `ar.version()`", "Old.title is new");
    fails!(directory, #[archive(name = "Old")] { hp: i32, title: u8, state: State, home: Home },
        "Old.name is gone: in old files it is ignored\n");
    fails!(directory, #[archive(name = "Old", version = 4)]
        { hp: i32, name: String, state: State, home: Home },
        "Old: version 0 is now version 4 (programs refuse files of a newer version");
    fails!(directory, #[archive(name = "Old")]
        { hp: i32, name: String, state: newer::State, home: Home },
        "State::Run is new: old programs refuse", "State::Walk.to: u8 is now u16");
}

/// A variant that was added or removed, or has another payload, is reported as a whole.
#[test]
fn variants() {
    /// The lines of the difference between two enums.
    macro_rules! lines {
        ({ $($old:tt)* } => { $($new:tt)* }) => {{
            #[derive(Default, Serialize)]
            #[archive(name = "State")]
            enum Old { #[default] Idle, $($old)* }
            #[derive(Default, Serialize)]
            #[archive(name = "State")]
            enum New { #[default] Idle, $($new)* }
            let directory = Directory::new("variants");
            let path = directory.accepted::<Old>();
            let message = failure(|| assert_layout!(New, path));
            let lines = message.lines().filter_map(|line| line.strip_prefix("  State::"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        }};
    }
    assert_eq!(
        lines!({ Fly { to: u8, from: u8 } } => {}),
        [
            "Fly is gone: old files that contain it are refused; if it was renamed, it needs an `alias`"
        ]
    );
    let new = "Fly is new: old programs refuse files that contain it";
    assert_eq!(lines!({} => { Fly { to: u8 } }), [new]);
    let defaults = "all old values load; new parts have their defaults";
    assert_eq!(
        lines!({ Fly } => { Fly { to: u8 } }),
        [format!("Fly: nothing is now members ({defaults})")]
    );
    let lost = "all old values load; the data that they carry is lost";
    assert_eq!(
        lines!({ Fly { to: u8 } } => { Fly }),
        [format!("Fly: members is now nothing ({lost})")]
    );
    let refused = "files that have it are refused";
    assert_eq!(
        lines!({ Fly(u8) } => { Fly { to: u8 } }),
        [format!("Fly: (u8) is now members ({refused})")]
    );
    assert_eq!(
        lines!({ Fly(u8) } => { Fly(u8, u8) }),
        [format!("Fly: (u8) is now (u8, u8) ({refused})")]
    );
    assert_eq!(
        lines!({ Fly(u8) } => { Fly(u32) }),
        ["Fly: (u8) is now (u32) (all old values load)"]
    );
    assert_eq!(
        lines!({ Fly { to: u8 } } => { Fly { to: u8, at: u8 } }),
        ["Fly.at is new: old files lack it, and it keeps the value that it has by default"]
    );
}

/// A hand-written function that no longer visits a member.
#[test]
fn a_member_that_a_function_lost() {
    #[derive(Default)]
    struct Unit(u8);
    impl Serialize for Unit {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("hp", &mut self.0)
        }
    }
    archive::blank!(Unit);
    mod before {
        #[derive(Default, archive::Serialize)]
        pub struct Unit {
            pub hp: u8,
            pub mp: u8,
        }
    }
    let directory = Directory::new("lost");
    let path = directory.accepted::<Vec<before::Unit>>();
    says(&failure(|| assert_layout!(Vec<Unit>, path)), &["`Vec<Unit>`", "Unit.mp is gone"]);
}

#[test]
fn files_that_are_not_layouts() {
    let directory = Directory::new("files");
    let missing = directory.0.join("missing.txt");
    let message = failure(|| assert_layout!(Old, missing));
    says(&message, &["no layout of `Old` yet", "missing.txt", "UPDATE_LAYOUTS=1 cargo test"]);
    assert!(!missing.exists());

    for text in ["", "\n", "signature\n", "signature x\n\n", "<<<<<<< ours\nsignature 00\n"] {
        let path = directory.0.join("broken.txt");
        std::fs::write(&path, text).unwrap();
        says(&failure(|| assert_layout!(Old, path)), &["broken.txt does not contain a layout"]);
    }
    says(&failure(|| assert_layout!(Old, directory.0)), &["cannot be read"]);

    // All faults at once.
    let message = failure(|| assert_layout!([Old, Vec<Home>, State], directory.0));
    says(&message, &["`Old`", "`Vec<Home>`", "Vec_Home.txt", "State.txt"]);
}

/// The directory in which [`writes`] writes.
const IN: &str = "ARCHIVE_TEST_LAYOUTS";

/// Run by the next test in a process of its own: variables of a process are for all its threads.
#[test]
fn writes() {
    if let Some(directory) = std::env::var_os(IN) {
        assert_layout!([Old, Vec<Home>], PathBuf::from(directory).join("new"));
    }
}

#[test]
fn files_are_written_on_request() {
    let directory = Directory::new("written");
    let file = |name: &str| std::fs::read_to_string(directory.0.join("new").join(name));
    let run = |update: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "testing::assert_layout::writes"]);
        let output = command.env(IN, &directory.0).env("UPDATE_LAYOUTS", update).output().unwrap();
        output.status.success()
    };
    assert!(!run("0") && file("Old.txt").is_err());
    assert!(run("1") && run("0") && run(""));
    let text = file("Old.txt").unwrap();
    says(&text, &["signature ", "\n\nstruct Old\n    home: Home\n"]);
    assert!(file("Vec_Home.txt").unwrap().contains("\n\nVec<Home>\n\nstruct Home\n    x: i16\n"));

    // The accepted layout replaces the old one.
    std::fs::write(directory.0.join("new/Old.txt"), "signature 00\n\nstruct Old\n").unwrap();
    assert!(!run("0") && run("1") && run("0"));
    assert_eq!(file("Old.txt").unwrap(), text);
}
