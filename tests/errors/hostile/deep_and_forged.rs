//! Malicious input ends in a typed error.

use std::rc::Rc;

use archive::shape::{Class, Member, NameOf, Shape, shape_of};
use archive::{ErrorKind, Options, Serialize, json};

use crate::common::{forgiving, formats, has_position};

#[derive(Default, Debug, Serialize)]
pub struct Doc {
    pub list: Vec<u64>,
    units: Vec<()>,
    text: String,
    deep: Vec<Option<Box<Doc>>>,
}

#[test]
fn errors_say_where() {
    let text = "{\n  \"list\": [1, 2],\n  \"units\": [null, 7]\n}";
    let error = json::from_str::<Doc>(text).unwrap_err();
    assert_eq!(error.to_string(), "units[1]: expected null, found 7 at line 3 column 19");
    let text = "{\"deep\":[null,{\"list\":[1,\"seven\"]}]}";
    let error = json::from_str::<Doc>(text).unwrap_err();
    let expected = "deep[1].list[1]: expected u64, found \"seven\" at line 1 column 26";
    assert_eq!(error.to_string(), expected);
    for format in forgiving() {
        let bytes = format.to_vec(&(1_u8, "text".to_owned(), vec![-1_i32])).unwrap();
        let error = format.from_slice::<(u8, String, Vec<u32>)>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[2][0]"), "{format}");
        assert!(has_position(format, &error), "{format}: {error}");
        let error = format.from_slice::<(u8, u8, Vec<i32>)>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "[1]"), "{format}");
    }
}

#[test]
fn limits_are_settable() {
    for format in formats() {
        let bytes = format.to_vec(&vec![(); 5000]).unwrap();
        assert_eq!(format.from_slice::<Vec<()>>(&bytes).unwrap().len(), 5000, "{format}");
        let mut limits = archive::Limits::default();
        limits.elements = 4999;
        let options = Options::new().limits(limits);
        let error = format.from_slice_with::<Vec<()>>(&bytes, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}: {error}");
        let shared: Vec<Rc<u8>> = (0..10).map(Rc::new).collect();
        let mut limits = archive::Limits::default();
        limits.pointers = 9;
        let options = Options::new().limits(limits);
        let error = format.to_vec_with(&shared, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::SizeLimit, "[9]"), "{format}");
        let bytes = format.to_vec(&shared).unwrap();
        let error = format.from_slice_with::<Vec<Rc<u8>>>(&bytes, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}: {error}");
    }
}

#[test]
fn reserved_names_are_refused() {
    struct Reserved;
    impl Serialize for Reserved {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("$id", &mut 1)
        }
    }
    /// The same with a table of its members, as the derive has it.
    struct InTable;
    static ID: &[Member] = &[Member::new("$id", shape_of::<u16>())];
    static CLASS: Class =
        Class::new("InTable", NameOf::Data("InTable"), 0).with_members(Some(ID), None);
    impl Serialize for InTable {
        const SHAPE: &'static Shape = &Shape::Class(&CLASS);

        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.named(&ID[0], &mut &mut 1_u16)
        }
    }
    for format in formats() {
        let [by_hand, in_table] = [format.to_vec(&mut Reserved), format.to_vec(&mut InTable)];
        for error in [by_hand.unwrap_err(), in_table.unwrap_err()] {
            assert_eq!((error.kind(), error.path()), (ErrorKind::ReservedName, "$id"), "{format}");
        }
    }
}
