//! `ObjectBlob` and `ObjectBlobList`: what they accept, return and refuse.

use archive_blob::{DataType, Datum, FromDatum, ObjectBlob, ObjectBlobList, ToDatum, add, get};
use archive_core::ErrorKind;
use archive_derive::Serialize;

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    name: String,
    position: [f32; 2],
    orders: Vec<Order>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
enum Order {
    #[default]
    Wait,
    Move {
        x: i16,
    },
}

fn unit() -> Unit {
    let orders = vec![Order::Wait, Order::Move { x: -3 }];
    Unit { name: "Ann".into(), position: [1.5, -2.0], orders }
}

fn comes_back<T: FromDatum + ToDatum + PartialEq + std::fmt::Debug>(value: T, kind: DataType) {
    let mut blob = ObjectBlob::new();
    blob.add("x", &value).unwrap();
    assert_eq!(blob.data_type("x").unwrap(), kind);
    let blob = ObjectBlob::from_slice(&blob.to_vec().unwrap()).unwrap();
    assert_eq!(blob.get::<T>("x").unwrap(), value);
}

#[test]
fn typed_data() {
    comes_back(true, DataType::Bool);
    comes_back(-5_i32, DataType::Int);
    comes_back(0.1_f32, DataType::Float);
    comes_back(0.1_f64, DataType::Double);
    comes_back("text ü".to_owned(), DataType::Char);
    comes_back("te\0xt".to_owned(), DataType::Text);
    comes_back(vec![true, false], DataType::Bool);
    comes_back([1_i32, 2, 3], DataType::Int);
    comes_back(Vec::<f32>::new(), DataType::Float);
    comes_back(vec![1.0_f64], DataType::Double);
    comes_back(u64::MAX, DataType::U64);
    comes_back(vec![i128::MIN], DataType::I128);
    comes_back(['ä', '🦀'], DataType::Character);
    let mut inner = ObjectBlob::new();
    inner.add("a", 1).unwrap();
    comes_back(inner, DataType::Object);
    comes_back(Datum::new(DataType::new(500), 3, b"abcdef").unwrap(), DataType::new(500));
}

#[test]
fn adding_setting_removing() {
    let mut blob = ObjectBlob::new();
    let (truth, number) = (true, 5);
    add!(blob, truth).unwrap();
    add!(blob, number).unwrap();
    blob.add("text", "a").unwrap();
    let error = add!(blob, number).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    assert_eq!(error.to_string(), "number: there is already a datum of that name");

    blob.set("number", 1.5_f32).unwrap();
    blob.set("last", [1, 2]).unwrap();
    assert_eq!(blob.names().collect::<Vec<_>>(), ["truth", "number", "text", "last"]);
    assert_eq!(blob.get::<f32>("number").unwrap(), 1.5);
    assert_eq!(blob.index("text"), Some(2));
    assert_eq!(blob.remove("number").unwrap().data_type(), DataType::Float);
    assert_eq!(blob.remove("number"), None);
    assert_eq!((blob.index("text"), blob.name(1), blob.len()), (Some(1), Some("text"), 3));
    assert_eq!((blob.name(3), blob.contains("number"), blob.is_empty()), (None, false, false));
    let seen: Vec<(&str, usize, usize)> =
        (&blob).into_iter().map(|(name, d)| (name, d.element_size(), d.len())).collect();
    assert_eq!(seen, [("truth", 1, 1), ("text", 1, 2), ("last", 4, 2)]);
    // The macros take references too.
    fn by_reference(blob: &mut ObjectBlob) -> archive_core::Result {
        let more = vec![1.5_f64];
        add!(blob, more)?;
        let (mut truth, mut text) = (false, String::new());
        get!(blob, truth, text)?;
        assert!(truth && text == "a");
        Ok(())
    }
    by_reference(&mut blob).unwrap();
}

#[test]
fn errors_say_what_was_expected() {
    let mut blob = ObjectBlob::new();
    blob.add("n", 5).unwrap();
    blob.add("a", [1, 2, 3]).unwrap();
    blob.add("t", "text").unwrap();
    let text = |result: archive_core::Result<()>| result.unwrap_err().to_string();
    let cases = [
        (text(blob.get::<f32>("n").map(drop)), "n: expected float, found int"),
        (text(blob.get::<i32>("a").map(drop)), "a: expected int, found an array of 3 int"),
        (
            text(blob.get::<Vec<f64>>("a").map(drop)),
            "a: expected an array of double, found an array of 3 int",
        ),
        (text(blob.get::<[i32; 2]>("a").map(drop)), "a: expected 2 elements, found 3"),
        (text(blob.get::<i32>("t").map(drop)), "t: expected int, found text"),
        (text(blob.get::<String>("n").map(drop)), "n: expected text, found int"),
        (text(blob.get::<ObjectBlob>("n").map(drop)), "n: expected an object, found int"),
        (text(blob.get::<i32>("x").map(drop)), "x: the blob has no such datum; it has: n, a, t"),
        (text(blob.get_at::<i32>(3).map(drop)), "the blob has 3 data, none at index 3"),
        (text(blob.get_at::<bool>(0).map(drop)), "n: expected bool, found int"),
        (
            text(Datum::new(DataType::Int, 4, &[0; 5]).map(drop)),
            "elements of 4 bytes, found 5 bytes",
        ),
        (
            text(Datum::new(DataType::Int, 8, &[0; 8]).map(drop)),
            "an element of int has 4 bytes, found 8 bytes",
        ),
        (
            text(Datum::new(DataType::new(99), 0, &[0]).map(drop)),
            "elements of 0 bytes, found 1 bytes",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    assert_eq!(blob.get::<i32>("x").unwrap_err().kind(), ErrorKind::MissingMember);
    assert_eq!(blob.get::<f32>("n").unwrap_err().kind(), ErrorKind::WrongType);
}

#[test]
fn any_value() {
    let mut blob = ObjectBlob::new();
    blob.add_value("unit", &unit()).unwrap();
    blob.add_value("list", &vec![1]).unwrap();
    blob.add_value("number", &300).unwrap();
    assert_eq!(blob.add_value("unit", &1).unwrap_err().kind(), ErrorKind::DuplicateMember);
    let blob = ObjectBlob::from_slice(&blob.to_vec().unwrap()).unwrap();
    assert_eq!(blob.get_value::<Unit>("unit").unwrap(), unit());
    assert_eq!(blob.get_value::<Vec<u8>>("list").unwrap(), [1]);
    assert_eq!(blob.get::<Vec<i32>>("list").unwrap(), [1]);
    assert_eq!(blob.get_value::<f64>("number").unwrap(), 300.0);
    let error = blob.get_value::<u8>("number").unwrap_err();
    assert_eq!(error.to_string(), "number: 300 does not fit u8 at byte 0");
    // An object is also a blob.
    let inner: ObjectBlob = blob.get("unit").unwrap();
    assert_eq!(inner.get::<String>("name").unwrap(), "Ann");
    assert_eq!(inner.get::<[f32; 2]>("position").unwrap(), [1.5, -2.0]);
    assert_eq!(inner, ObjectBlob::of(&unit()).unwrap());
    assert_eq!(inner.to::<Unit>().unwrap(), unit());
    let mut other = inner.clone();
    other.set_value("orders", &Vec::<Order>::new()).unwrap();
    assert!(other.to::<Unit>().unwrap().orders.is_empty());
}

#[test]
fn lists() {
    let mut blob = ObjectBlob::new();
    blob.add("a", 1).unwrap();
    let mut list = ObjectBlobList::new();
    list.add("one", blob.clone()).unwrap();
    list.add("two", ObjectBlob::new()).unwrap();
    let error = list.add("one", ObjectBlob::new()).unwrap_err();
    assert_eq!(error.to_string(), "one: there is already a blob of that name");
    list.get_mut("two").unwrap().add("b", 2).unwrap();
    assert_eq!(list.get("two").unwrap().get::<i32>("b").unwrap(), 2);
    let error = list.get("three").unwrap_err();
    assert_eq!(error.to_string(), "three: the list has no such blob; it has: one, two");
    assert!(list.get_mut("three").is_err());
    assert_eq!(list.get_at(2).unwrap_err().to_string(), "the list has 2 blobs, none at index 2");
    assert_eq!(list.set("one", ObjectBlob::new()), Some(blob));
    assert_eq!((list.index("two"), list.name(0), list.len()), (Some(1), Some("one"), 2));
    assert_eq!(list.iter().map(|(_, blob)| blob.len()).collect::<Vec<_>>(), [0, 1]);
    crate::common::walk(&list.to_vec().unwrap());
    list.remove("one").unwrap();
    assert!(list.contains("two") && !list.contains("one") && !list.is_empty());
}
