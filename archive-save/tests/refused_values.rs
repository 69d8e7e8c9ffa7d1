//! Failures that are not damage: a value that its types refuse, and a file that cannot be read at
//! the moment.

use std::path::Path;
use std::sync::Arc;

use archive::binary::bare::Bare;
use archive::save::{SaveFile, Saves};
use archive::{Archive, Error, ErrorKind, Format, Options, Result, Serialize};

use crate::proof::failing_system::Failing;
use crate::proof::power_cuts;

/// A day of a month. Another one is an error of the program, of the kind that a parser has.
#[derive(Debug, Default)]
struct Day(u32);

impl Serialize for Day {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("day", &mut self.0)?;
        if ar.is_loading() && self.0 > 31 {
            return Err(Error::new(ErrorKind::Syntax, "no day"));
        }
        Ok(())
    }
}
archive::blank!(Day);

#[test]
fn a_file_with_good_checksums_is_kept_in_place() {
    for path in ["a.sav", "a.json"] {
        let system = power_cuts();
        let file = SaveFile::over(system.clone(), path);
        file.save(&mut Day(1), Format::Json).unwrap();
        file.save(&mut Day(32), Format::Json).unwrap();
        let before = system.paths();
        let errors = [
            file.load::<Day>().unwrap_err(),
            file.load_with::<Day>(&Options::new().strict(true)).unwrap_err(),
            file.load_into(&mut Day(3)).unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.kind(), error.message()), (ErrorKind::Syntax, "no day"), "{path}");
            assert_eq!(error.file(), Some(path));
            assert_eq!(system.paths(), before);
        }
    }
}

#[test]
fn the_newest_of_all_slots_is_kept_in_place() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    saves.slot("a").unwrap().save(&mut Day(1), Format::Json).unwrap();
    saves.slot("b").unwrap().save(&mut Day(32), Format::Json).unwrap();
    let before = system.paths();
    assert_eq!(saves.load_newest::<Day>().unwrap_err().message(), "no day");
    assert_eq!(system.paths(), before);
}

/// The format has no types, so its decoder returns `UnexpectedEnd` or `TrailingData`.
#[test]
fn changed_types_are_not_damage() {
    let bare = Format::of::<Bare>();
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").formats([bare]);
    file.save(&7_u8, bare).unwrap();
    file.save(&(7_u8, 8_u8), bare).unwrap();
    let before = system.paths();
    file.load::<u8>().unwrap_err();
    file.load::<[u64; 2]>().unwrap_err();
    assert_eq!(system.paths(), before);
}

/// `EIO`, as network drives return it. The next load may succeed.
#[test]
fn an_unreadable_file_is_not_renamed() {
    let inner = power_cuts();
    let failing = Failing::new(Arc::new(inner.clone()));
    let file = SaveFile::over(failing.clone(), "a.sav");
    file.save(&1, Format::Json).unwrap();
    file.save(&2, Format::Json).unwrap();
    let before = inner.paths();
    failing.fail_open(Some(Path::new("a.sav")));
    let loaded = file.load::<i32>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (1, Some(1)));
    assert_eq!((&*loaded.damaged[0].path, &loaded.damaged[0].aside), (Path::new("a.sav"), &None));
    assert_eq!(inner.paths(), before);
    failing.fail_open(None);
    assert_eq!(file.load::<i32>().unwrap().value, 2);
}
