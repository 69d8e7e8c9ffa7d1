//! A value that is loaded in place inside of a container starts from blank: it keeps nothing of the
//! old one.

use crate::common::{Erased, Format, forgiving, report_of};
use archive::{Archive, Element, Options, Result, Save, Serialize};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Debug;

/// The saved type.
#[derive(Serialize, Clone)]
struct Older {
    at: i32,
}

#[derive(Serialize, Clone, Debug, PartialEq)]
struct Unit {
    at: i32,
    #[archive(default = 7)]
    hp: i32,
    #[archive(skip)]
    cache: i32,
    #[archive(skip(keep))]
    kept: i32,
}

/// As [`Unit`], with only numbers, so that it can be in blocks and nothing is skipped.
#[derive(Serialize, Clone, Debug, PartialEq)]
struct Point {
    at: i32,
    #[archive(default = 7)]
    hp: i32,
}

/// As [`Point`], hand-written.
#[derive(Clone, Debug, PartialEq)]
struct ByHand {
    at: i32,
    hp: i32,
}

impl Default for ByHand {
    fn default() -> Self {
        ByHand { at: 0, hp: 7 }
    }
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("at", &mut self.at)?;
        ar.serialize("hp", &mut self.hp)
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

/// As [`Point`], with a macro.
#[derive(Clone, Debug, PartialEq)]
struct Listed {
    at: i32,
    hp: i32,
}

impl Default for Listed {
    fn default() -> Self {
        Listed { at: 0, hp: 7 }
    }
}
archive::members!(Listed { at, hp });
archive::blank!(Listed);

#[derive(Serialize, Clone, Debug, PartialEq)]
struct Holder<T> {
    before: u8,
    value: T,
}

const OLD: Unit = Unit { at: 1, hp: 2, cache: 3, kept: 4 };
const NEW: Unit = Unit { at: 5, hp: 7, cache: 0, kept: 4 };
const FILE: Older = Older { at: 5 };
const OLD_POINT: Point = Point { at: 1, hp: 2 };
const NEW_POINT: Point = Point { at: 5, hp: 7 };
const OLD_HAND: ByHand = ByHand { at: 1, hp: 2 };
const NEW_HAND: ByHand = ByHand { at: 5, hp: 7 };

/// Every way of loading over a value.
fn ways<T: Serialize>(format: Format, bytes: &[u8], old: impl Fn() -> T) -> Vec<T> {
    let options = Options::new();
    let keep_going = Options::new().keep_going(true);
    let mut values = Vec::new();
    let mut load = |load: &dyn Fn(&mut T) -> Result| {
        let mut value = old();
        load(&mut value).unwrap_or_else(|error| panic!("{format}: {error}"));
        values.push(value);
    };
    load(&|value| format.load_into_with(value, bytes, &options));
    load(&|value| format.load_into_with(&mut Erased(value), bytes, &options));
    load(&|value| {
        report_of(&options, |options| format.load_into_with(value, bytes, options)).map(drop)
    });
    load(&|value| {
        report_of(&keep_going, |options| format.load_into_with(value, bytes, options)).map(drop)
    });
    values
}

/// Loading `file` over `old` gives `new`, as the root and as a member of structs.
pub(super) fn check<F, T>(file: F, old: T, new: T)
where
    F: Element + Save + Clone,
    T: Element + Save + Clone + PartialEq + Debug,
{
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        for value in ways(format, &bytes, || old.clone()) {
            assert_eq!(value, new, "{format}");
        }
        let holder = Holder { before: 1, value: Holder { before: 2, value: file.clone() } };
        let bytes = format.to_vec(&holder).unwrap();
        let into = Holder { before: 0, value: Holder { before: 0, value: old.clone() } };
        for value in ways(format, &bytes, || into.clone()) {
            let value = (value.before, value.value.before, value.value.value);
            assert_eq!(value, (1, 2, new.clone()), "{format}");
        }
    }
}

#[test]
fn items_of_arrays() {
    check([FILE, FILE], [OLD, OLD], [NEW, NEW]);
    check([FILE, FILE], [OLD_POINT, OLD_POINT], [NEW_POINT, NEW_POINT]);
    check([[FILE], [FILE]], [[OLD], [OLD]], [[NEW], [NEW]]);
    let listed = [OLD_POINT, NEW_POINT].map(|Point { at, hp }| Listed { at, hp });
    let [old, new] = listed;
    check([FILE], [old], [new]);
}

#[test]
fn items_of_tuples() {
    check((FILE, 3_u8), (OLD, 2_u8), (NEW, 3_u8));
    check((FILE, FILE), (OLD_POINT, OLD), (NEW_POINT, NEW));
    check((3_u8, (FILE,)), (2_u8, (OLD,)), (3_u8, (NEW,)));
    check(([FILE], vec![FILE]), ([OLD], vec![OLD]), ([NEW], vec![NEW]));
}

#[test]
fn boxed_and_optional_items() {
    check(Box::new(FILE), Box::new(OLD), Box::new(NEW));
    check(Some(FILE), Some(OLD), Some(NEW));
    check(Some(Box::new([FILE])), Some(Box::new([OLD])), Some(Box::new([NEW])));
    check(Some(FILE), Some(OLD_HAND), Some(NEW_HAND));
}

#[test]
fn items_of_lists() {
    check(vec![FILE, FILE], vec![OLD], vec![NEW, Unit { kept: 0, ..NEW }]);
    let deque = VecDeque::from([FILE]);
    check(deque, VecDeque::from([OLD]), VecDeque::from([NEW]));
}

#[test]
fn items_in_cells() {
    check([FILE], [RefCell::new(OLD)], [RefCell::new(NEW)]);
    check(Some(FILE), Some(RefCell::new(OLD)), Some(RefCell::new(NEW)));
}

/// A hand-written type starts from blank in fields of derived types and in containers of any
/// length.
#[test]
fn functions_written_by_hand() {
    #[derive(Serialize, Clone, Debug, PartialEq)]
    struct Arrays<T>(Vec<[T; 2]>, Option<(T,)>);
    check(
        Arrays(vec![[FILE, FILE]], Some((FILE,))),
        Arrays(vec![[OLD_HAND, OLD_HAND]], Some((OLD_HAND,))),
        Arrays(vec![[NEW_HAND, NEW_HAND]], Some((NEW_HAND,))),
    );

    #[derive(Serialize)]
    struct File {
        array: [Older; 2],
        tuple: (Older, u8),
        nested: [[Older; 1]; 1],
    }
    #[derive(Serialize, Clone, Debug, PartialEq)]
    struct Fields {
        array: [ByHand; 2],
        tuple: (ByHand, u8),
        nested: [[ByHand; 1]; 1],
    }
    let file = File { array: [FILE, FILE], tuple: (FILE, 3), nested: [[FILE]] };
    let old = Fields { array: [OLD_HAND, OLD_HAND], tuple: (OLD_HAND, 2), nested: [[OLD_HAND]] };
    let new = Fields { array: [NEW_HAND, NEW_HAND], tuple: (NEW_HAND, 3), nested: [[NEW_HAND]] };
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        for value in ways(format, &bytes, || old.clone()) {
            assert_eq!(value, new, "{format}");
        }
    }
}

/// Under `keep_going` an item that does not fit is blank, and not the old one.
#[test]
fn items_that_do_not_fit_are_blank() {
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        let bytes = format.to_vec(&[1_u16, 300, 3]).unwrap();
        let mut numbers = [7_u8; 3];
        let report =
            report_of(&options, |options| format.load_into_with(&mut numbers, &bytes, options))
                .unwrap();
        assert_eq!((numbers, report.errors().len()), ([1, 0, 3], 1), "{format}");

        let bytes = format.to_vec(&("text".to_owned(), 4_u8, 300_u16)).unwrap();
        let mut tuple = (OLD, OLD_POINT.at as u8, Some(6_u8));
        let report =
            report_of(&options, |options| format.load_into_with(&mut tuple, &bytes, options))
                .unwrap();
        let blank = Unit { at: 0, hp: 7, cache: 0, kept: 4 };
        assert_eq!((tuple, report.errors().len()), ((blank, 4, None), 2), "{format}");
    }
}

/// A slice cannot change its length, and its items are those of a container, too.
#[test]
fn items_of_slices() {
    for format in forgiving() {
        let bytes = format.to_vec(&[FILE, FILE]).unwrap();
        let mut items = [OLD, OLD];
        format.load_into(&mut items[..], &bytes).unwrap();
        assert_eq!(items, [NEW, NEW], "{format}");
    }
}

/// The members of a struct that is a member keep their values: it is not an element.
#[test]
fn members_of_members_are_kept() {
    let stays = Unit { at: 5, ..OLD };
    check(Holder { before: 9, value: FILE }, Holder { before: 9, value: OLD }, {
        Holder { before: 9, value: stays }
    });
}
