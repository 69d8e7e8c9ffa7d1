//! Files with named roots, in every format, picked at run time.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::{Archive, ErrorKind, Options, Result, Serialize};

use crate::common::{Format, formats};

#[derive(Debug, Default, Serialize)]
pub struct Unit {
    name: String,
    hp: i32,
    leader: Weak<RefCell<Unit>>,
}

pub fn unit(name: &str, hp: i32, leader: &Rc<RefCell<Unit>>) -> Rc<RefCell<Unit>> {
    Rc::new(RefCell::new(Unit { name: name.into(), hp, leader: Rc::downgrade(leader) }))
}

/// The saved roots: objects that are shared between roots, and one that comes after its weak
/// pointer.
fn save(format: Format, options: &Options<'_>) -> Result<Vec<u8>> {
    let ann = unit("Ann", 7, &Rc::default());
    let bo = unit("Bo", 3, &ann);
    let mut writer = format.writer_with(options);
    writer.save("bo", &bo)?;
    writer.serialize("level", &mut 300_u16)?;
    writer.save("units", &vec![ann.clone(), bo])?;
    writer.save("names", &BTreeMap::from([("Ann".to_owned(), 1_u8)]))?;
    writer.finish()
}

#[test]
fn roots_share_their_objects_in_any_order() {
    for format in formats() {
        let bytes = save(format, &Options::new()).unwrap();
        let report = Cell::default();
        let mut reader = format.reader_with(&bytes, &Options::new().report(&report)).unwrap();
        let what = format!("{format}: {}", crate::common::text(&bytes));
        let names: BTreeMap<String, u8> = reader.load("names").expect(&what);
        assert_eq!(names["Ann"], 1, "{what}");
        let units: Vec<Rc<RefCell<Unit>>> = reader.load("units").expect(&what);
        let bo: Rc<RefCell<Unit>> = reader.load("bo").expect(&what);
        assert_eq!(reader.load::<u16>("level").expect(&what), 300, "{what}");
        assert!(Rc::ptr_eq(&bo, &units[1]), "{what}");
        let leader = bo.borrow().leader.upgrade().expect(&what);
        assert!(Rc::ptr_eq(&leader, &units[0]), "{what}");
        assert_eq!((&*leader.borrow().name, leader.borrow().hp), ("Ann", 7), "{what}");
        reader.finish().expect(&what);
        assert!(report.take().is_empty(), "{what}");
    }
}

#[test]
fn a_root_that_is_not_there() {
    for format in formats() {
        let bytes = save(format, &Options::new()).unwrap();
        let mut reader = format.reader(&bytes).unwrap();
        let error = reader.load::<u16>("depth").unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "depth"), "{format}");
        let mut kept = 5_u16;
        reader.serialize("depth", &mut kept).unwrap();
        assert_eq!(kept, 5, "{format}");
        assert_eq!(reader.load::<u16>("level").unwrap(), 300, "{format}");
        // Each root occurs once.
        let error = reader.load::<u16>("level").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingMember, "{format}");
    }
}

/// A root that was not requested is in the report, or an error.
#[test]
fn roots_that_are_not_requested() {
    let strict = &Options::new().strict(true);
    for format in formats() {
        let bytes = save(format, &Options::new()).unwrap();
        let load = |options: &Options<'_>| {
            let mut reader = format.reader_with(&bytes, options)?;
            reader.load::<u16>("level")?;
            reader.load::<BTreeMap<String, u8>>("names")?;
            reader.finish()
        };
        let report = Cell::default();
        load(&Options::new().report(&report)).unwrap();
        let report = report.take();
        let mut unknown: Vec<&str> = report.unknown().collect();
        unknown.sort_unstable();
        assert_eq!(unknown, ["bo", "units"], "{format}");
        assert_eq!(load(strict).unwrap_err().kind(), ErrorKind::UnknownMember, "{format}");
    }
}

#[test]
fn a_failed_root_invalidates_the_file() {
    for format in formats() {
        let mut writer = format.writer();
        writer.serialize("level", &mut 3).unwrap();
        let error = writer.serialize("level", &mut 4).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::DuplicateMember, "level"), "{format}");
        let error = writer.serialize("$id", &mut 4).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::ReservedName, "$id"), "{format}");
        assert!(writer.finish().is_err(), "{format}");
    }
}

/// A function of the program that panics where its switch is on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Panics {
    hp: u8,
    off: bool,
}

impl Serialize for Panics {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("hp", &mut self.hp)?;
        let is_switched_on = !self.off && self.hp == 13;
        if is_switched_on {
            std::panic::resume_unwind(Box::new("in the middle of an object"));
        }
        ar.serialize("off", &mut self.off)
    }
}
archive::save_by_clone!(Panics);
archive::blank!(Panics);

/// After a panic that the program caught, a part of a root is in the file, or was read.
#[test]
fn after_a_panic_nothing_more_is_saved_or_loaded() {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let (works, fails) = (Panics { hp: 13, off: true }, Panics { hp: 13, off: false });
    for format in formats() {
        let mut writer = format.writer();
        writer.save("first", &1_u8).unwrap();
        catch_unwind(AssertUnwindSafe(|| writer.save("panics", &fails))).unwrap_err();
        let error = writer.save("next", &works).unwrap_err();
        assert!(error.message().contains("failed to save"), "{format}: {error}");
        let error = writer.finish().unwrap_err();
        assert!(error.message().contains("failed to save"), "{format}: {error}");

        let mut writer = format.writer();
        writer.save("panics", &vec![works.clone()]).unwrap();
        writer.save("next", &2_u8).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = format.reader(&file).unwrap();
        let mut old = vec![Panics::default()];
        // The blank value has its switch on while its members are loaded.
        let load = AssertUnwindSafe(|| reader.serialize("panics", &mut old));
        catch_unwind(load).unwrap_err();
        let error = reader.load::<u8>("next").unwrap_err();
        assert!(error.message().contains("failed to load"), "{format}: {error}");
        assert!(reader.finish().is_err(), "{format}");
    }
}

#[test]
fn a_file_without_roots() {
    for format in formats() {
        let bytes = format.writer().finish().unwrap();
        let report = Cell::default();
        let mut reader = format.reader_with(&bytes, &Options::new().report(&report)).unwrap();
        assert!(reader.load::<u8>("level").is_err(), "{format}");
        reader.finish().unwrap();
        assert!(report.take().unknown().next().is_none(), "{format}");
    }
}

/// A damaged file is an error or other roots, and nothing worse.
#[test]
fn damaged_files() {
    for format in formats() {
        let bytes = save(format, &Options::new()).unwrap();
        let load = |bytes: &[u8]| {
            let mut reader = format.reader(bytes)?;
            reader.load::<Vec<Rc<RefCell<Unit>>>>("units")?;
            reader.load::<Rc<RefCell<Unit>>>("bo")?;
            reader.load::<u16>("level")?;
            reader.load::<BTreeMap<String, u8>>("names")?;
            reader.finish()
        };
        load(&bytes).unwrap();
        for len in 0..bytes.len() {
            assert!(load(&bytes[..len]).is_err(), "{format}, {len} bytes");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                let _ = load(&bytes);
            }
        }
    }
}
