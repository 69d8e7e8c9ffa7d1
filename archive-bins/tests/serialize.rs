//! How the types of a program are stored in an object, and from what they load.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive_bins::{self as bins, Bins, Form, Object};
use archive_core::{Archive, Backend, Blank, ErrorKind, Options, Result, Save, Serialize, Value};

#[derive(Clone, Debug, Default, PartialEq)]
struct A {
    x: u8,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct B {
    a: A,
    x: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct C {
    b: B,
    x: String,
    corners: Vec<[f32; 3]>,
    names: Vec<String>,
    scores: BTreeMap<u16, bool>,
    rooms: BTreeMap<String, u8>,
    some: Option<u32>,
    none: Option<u32>,
    shared: Rc<RefCell<A>>,
    again: Rc<RefCell<A>>,
    mixed: (u8, String),
    pair: (u8, char),
}

impl Serialize for A {
    fn serialize<R: Archive>(&mut self, ar: &mut R) -> Result {
        ar.serialize("x", &mut self.x)
    }
}
archive_core::save_by_clone!(A);
archive_core::blank!(A);

impl Serialize for B {
    const VERSION: u32 = 3;

    fn serialize<R: Archive>(&mut self, ar: &mut R) -> Result {
        ar.serialize("A", &mut self.a)?;
        ar.serialize("x", &mut self.x)
    }
}
archive_core::save_by_clone!(B);
archive_core::blank!(B);

impl Serialize for C {
    fn serialize<R: Archive>(&mut self, ar: &mut R) -> Result {
        ar.serialize("B", &mut self.b)?;
        ar.serialize("x", &mut self.x)?;
        ar.serialize("corners", &mut self.corners)?;
        ar.serialize("names", &mut self.names)?;
        ar.serialize("scores", &mut self.scores)?;
        ar.serialize("rooms", &mut self.rooms)?;
        ar.serialize("some", &mut self.some)?;
        ar.serialize("none", &mut self.none)?;
        ar.serialize("shared", &mut self.shared)?;
        ar.serialize("again", &mut self.again)?;
        ar.serialize("mixed", &mut self.mixed)?;
        ar.serialize("pair", &mut self.pair)
    }
}
archive_core::save_by_clone!(C);
archive_core::blank!(C);

fn value() -> C {
    let shared = Rc::new(RefCell::new(A { x: 9 }));
    C {
        b: B { a: A { x: 1 }, x: 0.5 },
        x: "é".into(),
        corners: vec![[0.0, 0.0, 1.0], [0.0, 2.0, 0.0]],
        names: vec!["n".into()],
        scores: [(300, true)].into(),
        rooms: [("hall".into(), 7)].into(),
        some: Some(5),
        none: None,
        shared: shared.clone(),
        again: shared,
        mixed: (1, "two".into()),
        pair: (3, 'z'),
    }
}

/// Every kind of value, in the table of `docs/formats/bins.md`.
#[test]
fn every_type_in_an_object() {
    let object = Object::of(&value()).unwrap();
    let expected = "\
C {
  B: B {
    B::$version: u32 = 03 00 00 00
    A: A {
      A::x: u8 = 01
    }
    B::x: f32 = 00 00 00 3f
  }
  C::x: String = c3 a9
  C::corners: Vec<[f32; 3]> = 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 00 00 … 24 bytes
  names: Vec<String> { // list
    String = 6e
  }
  C::scores: Vec<(u16, bool)> = 2c 01 01
  rooms: Map<String, u8> { // list
    (String, u8) { // list
      String = 68 61 6c 6c
      u8 = 07
    }
  }
  C::some: u32 = 05 00 00 00
  C::none: () = nothing
  shared: pointer {
    pointer::$id: u64 = 01 00 00 00 00 00 00 00
    $value: A {
      A::x: u8 = 09
    }
  }
  again: pointer {
    pointer::$id: u64 = 01 00 00 00 00 00 00 00
  }
  mixed: (u8, String) { // list
    u8 = 01
    String = 74 77 6f
  }
  C::pair: (u8, char) = 03 7a 00 00 00
}";
    assert_eq!(format!("{object:?}"), expected);
}

#[test]
fn there_and_back() {
    let object = Object::of(&value()).unwrap();
    let loaded: C = object.to().unwrap();
    assert_eq!(loaded, value());
    assert!(Rc::ptr_eq(&loaded.shared, &loaded.again));
    let bytes = bins::to_vec(&value()).unwrap();
    assert_eq!(bytes, object.to_bytes().unwrap());
    assert!(Bins::detect(&bytes));
    assert_eq!(bins::from_slice::<C>(&bytes).unwrap(), value());
    assert_eq!(Object::from_bytes(&bytes).unwrap(), object);
    let mut existing = C { none: Some(1), ..C::default() };
    object.load_into(&mut existing).unwrap();
    assert_eq!(existing, value());
    // Through a tree of values, with the same bytes as the result.
    let tree: Value = object.to().unwrap();
    let again: C = Object::of(&tree).unwrap().to().unwrap();
    assert_eq!(bins::to_vec(&again).unwrap(), bytes);
}

/// Variables of bases that were exported by hand load with `Serialize`.
#[test]
fn bases_written_by_hand() {
    let mut object = Object::new("B");
    object.export("B", "$version", &3_u32).unwrap();
    object.export("A", "x", &4_u8).unwrap();
    object.export("B", "x", &1.5_f32).unwrap();
    let expected = B { a: A { x: 4 }, x: 1.5 };
    assert_eq!(object.to::<B>().unwrap(), expected);
    let bytes = object.to_bytes().unwrap();
    assert_eq!(bins::from_slice::<B>(&bytes).unwrap(), expected);
    // A base cannot be stored in both ways.
    object.add("A", Object::of(&A { x: 5 }).unwrap()).unwrap();
    assert_eq!(object.to::<B>().unwrap_err().kind(), ErrorKind::DuplicateMember);
    // Bases with several variables, among the members of the class.
    let mut mixed = Object::new("T");
    mixed.export("A", "x", &1_u8).unwrap();
    mixed.export("T", "own", &2_u8).unwrap();
    mixed.export("Z", "x", &3_u8).unwrap();
    mixed.export("A", "y", &4_u8).unwrap();
    let value: Value = mixed.to().unwrap();
    let names: Vec<&str> = value.as_object().unwrap().iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["A", "own", "Z"]);
    assert_eq!(value.get("A").unwrap().get("y").unwrap().as_u64(), Some(4));
}

/// The rules of loading are the same: other order, absent and unknown members, numbers of other
/// widths.
#[test]
fn objects_of_other_programs() {
    let mut object = Object::new("Renamed");
    object.export("Renamed", "more", &vec![1_u64, 2]).unwrap();
    object.export("Renamed", "x", &2_i64).unwrap();
    object.add("A", Object::new("Other")).unwrap();
    let mut b = B { a: A { x: 7 }, x: 0.0 };
    object.load_into(&mut b).unwrap();
    assert_eq!(b, B { a: A { x: 7 }, x: 2.0 });
    let error = object.load_into_with(&mut b, &Options::new().strict(true)).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "more"));
    let bytes = object.to_bytes().unwrap();
    let (_, report) = bins::from_slice_report::<B>(&bytes, &Options::new()).unwrap();
    assert!(report.absent().eq(["A.x"]) && report.unknown().eq(["more"]), "{report}");
    assert_eq!(report.notes().len(), 2, "{report}");
    let mut list = Object::list("anything");
    list.push_value(&1_u8).unwrap();
    list.push_value(&300_u16).unwrap();
    assert_eq!(list.to::<Vec<u32>>().unwrap(), [1, 300]);
    assert_eq!(list.to::<(u8, u16)>().unwrap(), (1, 300));
    let error = list.to::<Vec<u8>>().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[1]"));
    let packed = Object::of(&vec![(1_u8, 2.5_f32)]).unwrap();
    assert_eq!(packed.to::<Vec<(u32, f64)>>().unwrap(), [(1, 2.5)]);
    assert_eq!(packed.to::<BTreeMap<u8, f32>>().unwrap(), [(1, 2.5)].into());
    let error = packed.to::<Vec<(u32, String)>>().unwrap_err();
    assert_eq!(error.to_string(), "[0][1]: expected text, found 2.5");
    let error = packed.to::<Vec<[f32; 3]>>().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongLength, "[0]"));
}

/// Members of any type in an object that is written by hand.
#[test]
fn one_member_at_a_time() {
    let mut object = Object::new("Save");
    object.save("b", &B { a: A { x: 1 }, x: 2.0 }).unwrap();
    object.save("name", &"quick".to_owned()).unwrap();
    object.save("list", &vec![A { x: 3 }]).unwrap();
    assert_eq!(object.save("b", &1).unwrap_err().kind(), ErrorKind::DuplicateMember);
    assert_eq!(object.save("name", &1).unwrap_err().kind(), ErrorKind::DuplicateMember);
    let object = Object::from_bytes(&object.to_bytes().unwrap()).unwrap();
    let (mut b, mut name, mut list) = (B::default(), String::new(), Vec::<A>::new());
    object.load("b", &mut b).unwrap();
    object.load("name", &mut name).unwrap();
    object.load("list", &mut list).unwrap();
    assert_eq!((b.x, &*name, &list[..]), (2.0, "quick", &[A { x: 3 }][..]));
    let error = object.load("none", &mut name).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "Save::none"));
    let error = object.load("name", &mut b).unwrap_err();
    assert_eq!(error.to_string(), "name: expected an object, found \"quick\"");
    let error = object.load("list", &mut vec![1_u8]).unwrap_err();
    assert_eq!(error.to_string(), "list[0]: expected u8, found an object");
}

/// A value that is not an object is wrapped in one.
#[test]
fn values_that_are_not_objects() {
    fn check<T>(value: T, ty: &str)
    where
        T: Save + Blank + PartialEq + std::fmt::Debug,
    {
        let object = Object::of(&value).unwrap();
        assert_eq!(object.form(), Form::Value);
        assert_eq!(object.variables().next().unwrap().type_name(), ty);
        let read = Object::from_bytes(&object.to_bytes().unwrap()).unwrap();
        assert_eq!(read.to::<T>().unwrap(), value);
    }
    check(5_u128, "u128");
    check("text".to_owned(), "String");
    check(None::<u8>, "()");
    check(vec![1_u64], "Vec<u64>");
    check([[true; 2]; 2], "[[bool; 2]; 2]");
    check(Vec::<(u8, [u16; 2])>::new(), "Vec<(u8, [u16; 2])>");
}

/// Tuples of tuples of the maximum size: some are one variable, others are lists.
#[test]
fn wide_and_deep_plain_data() {
    type T4<T> = (T, T, T, T);
    fn check<T>(value: T)
    where
        T: Save + Blank + PartialEq + std::fmt::Debug + Clone,
    {
        for values in [vec![], vec![value.clone()], vec![value; 3]] {
            let bytes = bins::to_vec(&values).unwrap();
            assert_eq!(bins::from_slice::<Vec<T>>(&bytes).unwrap(), values);
        }
    }
    let one: T4<u128> = (1, 2, 3, 4);
    let two: T4<T4<u128>> = (one, one, one, one);
    let three: T4<T4<T4<u128>>> = (two, two, two, two);
    check(one);
    check(two);
    check(three);
    check([[[[[[[[[1_u8; 2]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]);
    check([[[[[[[1_u8; 2]; 1]; 1]; 1]; 1]; 1]; 1]);
    check([[0_u8; 0]; 2]);
    check(([0_u8; 0], 1_u8));
}
