//! After a load, every value has passed its `after_load`, is an old one, or is blank.

use crate::common::{Format, forgiving, formats, report_of};
use archive::{Archive, Error, Options, Result, Serialize, Value};
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Serialize, Clone, Debug, PartialEq)]
struct Free {
    lo: i32,
    hi: i32,
}

#[derive(Serialize, Clone, Default, Debug, PartialEq)]
#[archive(after_load = Pair::check)]
struct Pair {
    lo: i32,
    hi: i32,
}

impl Pair {
    fn check(&self) -> Result {
        if self.lo <= self.hi { Ok(()) } else { Err(Error::custom("the bounds are not in order")) }
    }
}

/// As [`Pair`], without `Clone`.
#[derive(Serialize, Default, Debug, PartialEq)]
#[archive(after_load = Single::check)]
struct Single {
    lo: i32,
    hi: i32,
    #[archive(skip(keep))]
    kept: u8,
}

impl Single {
    fn check(&self) -> Result {
        Pair { lo: self.lo, hi: self.hi }.check()
    }
}

#[derive(Serialize, Clone)]
struct Of<T> {
    a: T,
    z: u8,
}

const BAD: Free = Free { lo: 5, hi: 1 };

/// Loads the file of `file` over `old`, which must continue, with one error.
fn keeps_going<T: Serialize>(format: Format, file: &impl archive::Save, old: &mut T) {
    let options = Options::new().keep_going(true);
    let bytes = format.to_vec(file).unwrap();
    let report =
        report_of(&options, |options| format.load_into_with(old, &bytes, options)).unwrap();
    assert_eq!(report.errors().len(), 1, "{format}: {report}");
}

#[test]
fn a_member_keeps_the_value_that_it_had() {
    for format in forgiving() {
        let mut value = Of { a: Pair { lo: 2, hi: 3 }, z: 0 };
        keeps_going(format, &Of { a: BAD, z: 1 }, &mut value);
        assert_eq!((value.a, value.z), (Pair { lo: 2, hi: 3 }, 1), "{format}");
    }
}

/// A value without a copy becomes blank.
#[test]
fn a_member_without_clone_becomes_blank() {
    for format in forgiving() {
        let mut value = Of { a: Single { lo: 2, hi: 3, kept: 4 }, z: 0 };
        keeps_going(format, &Of { a: BAD, z: 1 }, &mut value);
        assert_eq!((value.a, value.z), (Single { lo: 0, hi: 0, kept: 4 }, 1), "{format}");
    }
}

#[test]
fn an_item_is_blank() {
    for format in forgiving() {
        let good = Free { lo: 1, hi: 2 };
        let mut value = Of { a: [7, 8, 9].map(|n| Pair { lo: n, hi: n }), z: 0 };
        keeps_going(format, &Of { a: [good.clone(), BAD, good.clone()], z: 1 }, &mut value);
        let pair = Pair { lo: 1, hi: 2 };
        assert_eq!(value.a, [pair.clone(), Pair::default(), pair.clone()], "{format}");

        let mut value = Of { a: (Pair { lo: 7, hi: 7 }, 8_u8), z: 0 };
        keeps_going(format, &Of { a: (BAD, 3_u8), z: 1 }, &mut value);
        assert_eq!((value.a, value.z), ((Pair::default(), 3), 1), "{format}");
    }
}

/// All pointers to the object refer to the blank value.
#[test]
fn the_content_of_a_cell_is_blank() {
    for format in forgiving() {
        let object = Rc::new(RefCell::new(BAD));
        let old = || Rc::new(RefCell::new(Pair { lo: 2, hi: 3 }));
        let mut value = Of { a: (old(), old()), z: 0 };
        keeps_going(format, &Of { a: (object.clone(), object), z: 1 }, &mut value);
        for cell in [value.a.0, value.a.1] {
            assert_eq!(*cell.borrow(), Pair::default(), "{format}");
        }
    }
}

/// Without `keep_going` the load fails, and leaves no invalid value.
#[test]
fn a_failed_load_does_not_mix_old_and_new() {
    for format in formats() {
        let mut value = Of { a: Pair { lo: 2, hi: 3 }, z: 9 };
        let bytes = format.to_vec(&Of { a: BAD, z: 1 }).unwrap();
        if format.load_into(&mut value, &bytes).is_ok() {
            panic!("{format}: loaded");
        }
        value.a.check().unwrap();

        let mut value = Pair { lo: 2, hi: 3 };
        let bytes = format.to_vec(&BAD).unwrap();
        assert!(format.load_into(&mut value, &bytes).is_err(), "{format}");
        value.check().unwrap();

        // Cut short after the first member, wherever that is.
        let bytes = format.to_vec(&Free { lo: 1_000_000, hi: 2_000_000 }).unwrap();
        for len in 0..bytes.len() {
            let mut value = Pair { lo: 2, hi: 3 };
            let _ = format.load_into(&mut value, &bytes[..len]);
            value.check().unwrap();
        }
    }
}

/// A file in another format does not change the value.
#[test]
fn garbage_leaves_the_value_as_it_was() {
    for format in forgiving() {
        let mut value = Single { lo: 2, hi: 3, kept: 4 };
        assert!(format.load_into(&mut value, b"\xff\xff\xff").is_err(), "{format}");
        assert_eq!(value, Single { lo: 2, hi: 3, kept: 4 }, "{format}");
    }
}

/// A type with a parameter also becomes blank.
#[derive(Serialize, Default, Debug, PartialEq)]
#[archive(after_load = Self::check)]
struct Bounds<T: PartialOrd> {
    lo: T,
    hi: T,
}

impl<T: PartialOrd> Bounds<T> {
    fn check(&self) -> Result {
        if self.lo <= self.hi { Ok(()) } else { Err(Error::custom("the bounds are not in order")) }
    }
}

#[test]
fn a_generic_type() {
    for format in forgiving() {
        let mut value = Of { a: Bounds { lo: 2, hi: 3 }, z: 0 };
        keeps_going(format, &Of { a: BAD, z: 1 }, &mut value);
        assert_eq!((value.a, value.z), (Bounds { lo: 0, hi: 0 }, 1), "{format}");
    }
}

/// A function written by hand that refuses what it loaded.
#[derive(Clone, Default, Debug, PartialEq)]
struct ByHand {
    lo: i32,
    hi: i32,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("lo", &mut self.lo)?;
        ar.serialize("hi", &mut self.hi)?;
        Pair { lo: self.lo, hi: self.hi }.check()
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

#[derive(Serialize)]
struct Owner {
    a: ByHand,
    z: u8,
}

#[derive(Serialize)]
struct Items(ByHand, u8);

#[derive(Serialize)]
struct Lists {
    array: [ByHand; 1],
    z: u8,
}

#[derive(Serialize, Debug, PartialEq)]
enum Variant {
    One(ByHand),
}

#[derive(Serialize)]
enum FreeVariant {
    One(Free),
}

#[derive(Serialize, Debug, PartialEq)]
#[archive(tag = "t")]
enum Tagged {
    One(ByHand),
}

#[derive(Serialize)]
#[archive(tag = "t")]
enum FreeTagged {
    One(Free),
}

#[derive(Serialize)]
struct ListsInFile {
    array: [Free; 1],
    z: u8,
}

#[test]
fn functions_written_by_hand() {
    for format in forgiving() {
        let mut value = Owner { a: ByHand { lo: 2, hi: 3 }, z: 0 };
        keeps_going(format, &Of { a: BAD, z: 1 }, &mut value);
        assert_eq!((value.a, value.z), (ByHand { lo: 2, hi: 3 }, 1), "{format}");

        let mut value = Items(ByHand { lo: 2, hi: 3 }, 0);
        keeps_going(format, &(BAD, 1_u8), &mut value);
        assert_eq!((value.0, value.1), (ByHand { lo: 2, hi: 3 }, 1), "{format}");

        let mut value = Owner { a: ByHand { lo: 2, hi: 3 }, z: 0 };
        let bytes = format.to_vec(&Of { a: BAD, z: 1 }).unwrap();
        assert!(format.load_into(&mut value, &bytes).is_err(), "{format}");
        assert!(value.a.lo <= value.a.hi, "{format}");

        let mut value = Lists { array: [ByHand { lo: 2, hi: 3 }], z: 0 };
        keeps_going(format, &ListsInFile { array: [BAD], z: 1 }, &mut value);
        assert_eq!(value.array, [ByHand::default()], "{format}");

        let file = Of { a: FreeVariant::One(BAD), z: 1 };
        let mut value = Of { a: Variant::One(ByHand { lo: 2, hi: 3 }), z: 0 };
        keeps_going(format, &file, &mut value);
        assert_eq!((value.a, value.z), (Variant::One(ByHand::default()), 1), "{format}");
        let mut value = Of { a: Tagged::One(ByHand { lo: 2, hi: 3 }), z: 0 };
        keeps_going(format, &file, &mut value);
        assert_eq!((value.a, value.z), (Tagged::One(ByHand::default()), 1), "{format}");
        let mut value = Of { a: Tagged::One(ByHand { lo: 2, hi: 3 }), z: 0 };
        keeps_going(format, &Of { a: FreeTagged::One(BAD), z: 1 }, &mut value);
        assert_eq!((value.a, value.z), (Tagged::One(ByHand::default()), 1), "{format}");

        let mut value = Of { a: Rc::new(RefCell::new(ByHand { lo: 2, hi: 3 })), z: 0 };
        keeps_going(format, &Of { a: Rc::new(RefCell::new(BAD)), z: 1 }, &mut value);
        assert_eq!(*value.a.borrow(), ByHand { lo: 2, hi: 3 }, "{format}");

        let mut value = Of { a: (Rc::new(RefCell::new(ByHand { lo: 2, hi: 3 })),), z: 0 };
        let object = Rc::new(RefCell::new(BAD));
        keeps_going(format, &Of { a: (object,), z: 1 }, &mut value);
        assert_eq!(*value.a.0.borrow(), ByHand::default(), "{format}");
    }
}

/// Loading from a tree is like loading from a file.
#[test]
fn values_from_trees() {
    let tree = Value::of(&Of { a: BAD, z: 1 }).unwrap();
    let error = tree.to::<Of<Pair>>().map(drop).unwrap_err();
    assert_eq!(error.path(), "a");
}
