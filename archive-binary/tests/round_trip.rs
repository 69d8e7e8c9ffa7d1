//! Values load unchanged and take the expected number of bytes.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use crate::common::{Binary, data};
use archive_core::{Backend, Value};
use archive_derive::Serialize;

#[track_caller]
fn check<T>(value: T, bytes: &[u8])
where
    T: archive_core::Save + archive_core::__private::Element + PartialEq + Debug,
{
    let file = Binary::to_vec(&value).unwrap();
    assert_eq!(data(&file), bytes, "the data of {value:?}");
    assert_eq!(Binary::from_slice::<T>(&file).unwrap(), value);
    // Loaded without the type, and then from that tree with the type.
    let tree: Value = Binary::from_slice(&file).unwrap();
    let untyped = Binary::to_vec(&tree).unwrap();
    assert_eq!(Binary::from_slice::<T>(&untyped).unwrap(), value, "from {tree:?}");
}

#[test]
fn scalars() {
    check(true, &[1]);
    check(200_u8, &[200]);
    check(-1_i8, &[255]);
    check(300_u16, &[0xac, 2]);
    check(-1_i16, &[1]);
    check(u32::MAX, &[0xff, 0xff, 0xff, 0xff, 15]);
    check(i32::MIN, &[0xff, 0xff, 0xff, 0xff, 15]);
    check(u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]);
    check(64_i64, &[0x80, 1]);
    check(
        1_u128 << 100,
        &[128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 4],
    );
    check(i128::MIN, &[[0xff; 18].as_slice(), &[3]].concat());
    check(u128::MAX, &[[0xff; 18].as_slice(), &[3]].concat());
    check(1.5_f32, &[0, 0, 0xc0, 0x3f]);
    check(-0.0_f64, &[0, 0, 0, 0, 0, 0, 0, 0x80]);
    check(f64::INFINITY, &[0, 0, 0, 0, 0, 0, 0xf0, 0x7f]);
    check('é', &[0xe9, 1]);
    check("aé\0".to_owned(), &[4, b'a', 0xc3, 0xa9, 0]);
    check((), &[]);
}

#[test]
fn compounds() {
    check(vec![1_u16, 2, 300], &[3, 1, 0, 2, 0, 0x2c, 1]);
    check([-2_i32, 3], &[0xfe, 0xff, 0xff, 0xff, 3, 0, 0, 0]);
    check((300_u16, true), &[0x2c, 1, 1]);
    check((300_u16, true, 'a'), &[0xac, 2, 1, b'a']);
    check([1_u8, 2], &[1, 2]);
    check((7_u8, "x".to_owned(), false), &[7, 1, b'x', 0]);
    check(Some(5_u8), &[1, 5]);
    check(None::<u8>, &[0]);
    check(Some(None::<u8>), &[1, 0]);
    check(Some(Some(5_u8)), &[1, 1, 5]);
    check(vec![(), ()], &[2]);
    check(vec![Some(()), None], &[2, 1, 0]);
    check(
        BTreeMap::from([(1_u8, "a".to_owned()), (2, "b".to_owned())]),
        &[2, 1, 1, b'a', 2, 1, b'b'],
    );
    check(BTreeMap::from([((), ())]), &[1]);
    check(HashMap::from([(3_u8, 3_u8), (1, 1), (2, 2)]), &[3, 1, 1, 2, 2, 3, 3]);
    check(Vec::<(u8, Vec<u8>)>::new(), &[0]);
}

#[derive(Debug, PartialEq, Serialize)]
#[archive(crate = archive_core)]
enum State {
    Idle,
    Walking(f32),
    Attacking { target: u32, since: f64 },
    Pair(u8, u8),
    Boxed(Box<State>),
}

#[derive(Debug, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    name: String,
    state: State,
    position: [f32; 2],
    children: Vec<Unit>,
    home: Option<(u8, u8)>,
}

fn unit(name: &str, state: State, children: Vec<Unit>) -> Unit {
    Unit { name: name.to_owned(), state, position: [0.0; 2], children, home: Some((1, 2)) }
}

#[test]
fn derived() {
    check(State::Idle, &[0]);
    check(State::Attacking { target: 300, since: 0.0 }, &[2, 0xac, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
    check(vec![State::Pair(8, 9), State::Boxed(Box::new(State::Idle))], &[2, 3, 8, 9, 4, 0]);
    let zeros = [0; 8].as_slice();
    check(
        unit("a", State::Idle, vec![unit("b", State::Pair(1, 2), Vec::new())]),
        &[&[1, b'a', 0], zeros, &[1, 1, b'b', 3, 1, 2], zeros, &[0, 1, 1, 2, 1, 1, 2]].concat(),
    );
}

#[derive(Debug, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Mixed {
    before: u8,
    any: Value,
    after: u8,
    list: Vec<Value>,
    tuple: (Value, u8, Value),
    map: BTreeMap<String, Value>,
    maybe: Option<Value>,
}

#[test]
fn self_describing() {
    let object = Value::Object(vec![
        ("a".into(), Value::from(1)),
        ("b".into(), Value::Array(vec![Value::Null, Value::from(true), Value::from(-1)])),
    ]);
    let tagged = [11, 2, b'a', 4, 1, 2, b'b', 10, 1, 3, 5, 0, 0, 0].as_slice();
    check(object.clone(), tagged);
    let mixed = Mixed {
        before: 1,
        any: object.clone(),
        after: 2,
        list: vec![Value::from(3), Value::from("x")],
        tuple: (Value::from(1.5_f32), 9, Value::Null),
        map: BTreeMap::from([("k".to_owned(), Value::from(0.5_f64))]),
        maybe: Some(Value::Null),
    };
    let rest = [
        2, 2, 4, 3, 8, 1, b'x', 6, 0, 0, 0xc0, 0x3f, 9, 1, 1, 1, b'k', 7, 0, 0, 0, 0, 0, 0, 0xe0,
        0x3f, 1, 1,
    ];
    check(mixed, &[&[1], tagged, &rest].concat());
}

#[test]
fn same_bytes_every_time() {
    let value = HashMap::<String, u32>::from_iter((0..50).map(|i| (i.to_string(), i)));
    let file = Binary::to_vec(&value).unwrap();
    for _ in 0..4 {
        let copy: HashMap<String, u32> = Binary::from_slice(&file).unwrap();
        assert_eq!(Binary::to_vec(&copy).unwrap(), file);
    }
}

#[test]
fn equal_types_are_stored_once() {
    type Twice = (Vec<(u8, String)>, Vec<(u8, String)>, Option<Vec<(u8, String)>>);
    let once = Binary::to_vec(&Vec::<(u8, String)>::new()).unwrap();
    let file = Binary::to_vec(&Twice::default()).unwrap();
    assert_eq!(file.len(), once.len() + 2 + 5 + 2, "two more types");
}
