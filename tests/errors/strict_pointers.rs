//! Additional members of pointers.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{ErrorKind, Options, Serialize, Value, json};

use crate::common::{forgiving, has_position};

#[derive(Debug, Default, Serialize)]
struct Pair {
    first: Option<Rc<RefCell<Unit>>>,
    second: Option<Rc<RefCell<Unit>>>,
    weak: Weak<RefCell<Unit>>,
}

#[derive(Debug, Default, Serialize)]
struct Unit {
    hp: u8,
}

#[test]
fn unknown_members_of_pointers_are_unknown_members() {
    let pointer = r#""first":{"$id":1,"$value":{"hp":7}"#;
    for format in forgiving() {
        for (text, path) in [
            (format!(r#"{{{pointer},"extra":[1]}}}}"#), "first.extra"),
            (format!(r#"{{{pointer}}},"second":{{"$id":1,"extra":{{}}}}}}"#), "second.extra"),
            (format!(r#"{{{pointer}}},"weak":{{"$weak":1,"extra":1}}}}"#), "weak.extra"),
        ] {
            let file = format.to_vec(&json::from_str::<Value>(&text).unwrap()).unwrap();
            let (pair, report) = format.from_slice_report::<Pair>(&file, &Options::new()).unwrap();
            assert_eq!(pair.first.unwrap().borrow().hp, 7, "{format}");
            assert_eq!(report.unknown().collect::<Vec<_>>(), [path], "{format}");
            let strict = Options::new().strict(true);
            let error = format.from_slice_with::<Pair>(&file, &strict).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, path), "{format}");
            assert!(has_position(format, &error), "{format}: {error}");
        }
    }
}

/// The members that the formats write are not unknown.
#[test]
fn own_members_of_pointers_are_known() {
    let unit = Rc::new(RefCell::new(Unit { hp: 7 }));
    let pair =
        Pair { first: Some(unit.clone()), second: Some(unit.clone()), weak: Rc::downgrade(&unit) };
    let strict = Options::new().strict(true);
    for format in forgiving() {
        let file = format.to_vec(&pair).unwrap();
        let (_, report) = format.from_slice_report::<Pair>(&file, &strict).unwrap();
        assert_eq!(report.unknown().count(), 0, "{format}: {report}");
        let tree: Value = format.from_slice(&file).unwrap();
        let again = format.to_vec(&tree).unwrap();
        let (_, report) = format.from_slice_report::<Pair>(&again, &strict).unwrap();
        assert_eq!(report.unknown().count(), 0, "{format}: {report}");
    }
}
