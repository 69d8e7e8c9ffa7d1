//! Versions: the meaning of a member changed, and a line of code converts it.

use archive::ErrorKind::*;
use archive::{Archive, Result, Serialize};

use super::table::{Section, fails, loads, row};
use crate::common::forgiving;

/// How far it is open; before version 2, whether it is.
#[derive(Clone, Debug, Default)]
struct Door {
    open: f32,
}

impl Serialize for Door {
    const VERSION: u32 = 2;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.version() < 2 {
            let mut open = self.open > 0.0;
            ar.serialize("open", &mut open)?;
            self.open = f32::from(u8::from(open));
            return Ok(());
        }
        ar.serialize("open", &mut self.open)
    }
}
archive::save_by_clone!(Door);
archive::blank!(Door);

/// Health is never below zero by now.
#[derive(Debug, Serialize)]
#[archive(after_load = mend)]
struct Mended {
    hp: i32,
}

fn mend(unit: &mut Mended) {
    unit.hp = unit.hp.max(0);
}

/// Nobody has more than a hundred.
#[derive(Debug, Serialize)]
#[archive(after_load = check)]
struct Checked {
    hp: i32,
}

fn check(unit: &mut Checked) -> Result {
    if unit.hp > 100 { Err(archive::Error::custom("too healthy")) } else { Ok(()) }
}

pub fn section() -> Section {
    let door = "Door { open: f32 }, version 2, by hand";
    Section {
        title: "Versions and code",
        intro: "Where a meaning changed, the type gets a version, and its function asks for that of the \
                file. Files from before there was one have version 0.",
        rows: vec![
            row!("a version added":
                { struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { #[archive(version = 1)] struct Unit { hp: u8 } } Unit, loads("Unit { hp: 9 }")),
            row!("a version raised":
                { #[archive(version = 1)] struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { #[archive(version = 2)] struct Unit { hp: u8 } } Unit, loads("Unit { hp: 9 }")),
            row!("a file from a newer program":
                { #[archive(version = 3)] struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { #[archive(version = 2)] struct Unit { hp: u8 } } Unit,
                fails(NewerVersion, "").remark("the message names both versions")),
            row!("a version removed":
                { #[archive(version = 1)] struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { struct Unit { hp: u8 } } Unit, fails(NewerVersion, "")),
            row!("`ar.version()`, a file from before versions":
                { struct Door { open: bool } } Door = Door { open: true },
                Door, loads("Door { open: 1.0 }").shown(door)),
            row!("`ar.version()`, an older file":
                { #[archive(version = 1)] struct Door { open: bool } } Door = Door { open: true },
                Door, loads("Door { open: 1.0 }").shown(door)),
            row!("`ar.version()`, a file of today": Door = Door { open: 0.5 }, Door,
                loads("Door { open: 0.5 }").shown(door)),
            row!("`ar.version()`, a newer file":
                { #[archive(version = 3)] struct Door { open: String } } Door = Door { open: "wide".into() },
                Door, fails(NewerVersion, "").shown(door)),
            row!("`after_load` repairs":
                { struct Unit { hp: i32 } } Unit = Unit { hp: -5 },
                Mended, loads("Mended { hp: 0 }").shown("#[after_load = mend] Mended { hp: i32 }")),
            row!("`after_load` refuses":
                { struct Unit { hp: i32 } } Unit = Unit { hp: 500 },
                Checked, fails(Custom, "").half("Checked { hp: 500 }").shown("#[after_load = check] Checked { hp: i32 }")),
        ],
    }
}

/// A value that is loaded into keeps members that the file lacks; an element of a container starts
/// from blank.
#[test]
fn load_into_keeps_old_members() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Old {
        hp: u8,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct New {
        hp: u8,
        #[archive(default = 1)]
        level: u8,
    }
    for format in forgiving() {
        let mut unit = New { hp: 1, level: 5 };
        format.load_into(&mut unit, &format.to_vec(&Old { hp: 9 }).unwrap()).unwrap();
        assert_eq!(unit, New { hp: 9, level: 5 }, "{format}");

        let mut units = vec![New { hp: 1, level: 5 }];
        format.load_into(&mut units, &format.to_vec(&vec![Old { hp: 9 }]).unwrap()).unwrap();
        assert_eq!(units, [New { hp: 9, level: 1 }], "{format}");
    }
}

/// Both versions are named.
#[test]
fn a_newer_version_says_so() {
    #[derive(Serialize)]
    #[archive(rename = "Door", version = 31)]
    struct Newer {
        open: f32,
    }
    for format in forgiving() {
        let file = format.to_vec(&Newer { open: 1.0 }).unwrap();
        let error = format.from_slice::<Door>(&file).unwrap_err();
        assert_eq!(error.kind(), NewerVersion, "{format}");
        assert!(error.message().contains("31") && error.message().contains('2'), "{error}");
        assert!(error.message().contains("Door"), "{error}");
    }
}
