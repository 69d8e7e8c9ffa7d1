//! The data that each type becomes, and that all of it loads.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::rc::Rc;

use crate::common::{data, datum, save, walk};
use archive_blob::{DataType, Reader, Writer};
use archive_core::{Blank, ErrorKind, Number, Save, Serialize, Value};

fn is<T: Save + ?Sized>(value: &T, kind: DataType, size: usize, count: usize, bytes: &[u8]) {
    let seen = datum(value);
    let found = (DataType::new(seen.kind), seen.size, seen.count, &seen.data[..]);
    assert_eq!(found, (kind, size, count, bytes));
    assert_eq!(seen.name, "");
}

#[test]
fn original_types() {
    is(&true, DataType::Bool, 1, 1, &[1]);
    is("Hi", DataType::Char, 1, 3, b"Hi\0");
    is("", DataType::Char, 1, 1, b"\0");
    is(&-2_i32, DataType::Int, 4, 1, &[254, 255, 255, 255]);
    is(&1.5_f32, DataType::Float, 4, 1, &1.5_f32.to_le_bytes());
    is(&1.5_f64, DataType::Double, 8, 1, &1.5_f64.to_le_bytes());
    is(&vec![1, 2], DataType::Int, 4, 2, &[1, 0, 0, 0, 2, 0, 0, 0]);
    is(&[1_i32; 0], DataType::Int, 4, 0, &[]);
    is(&[true, false], DataType::Bool, 1, 2, &[1, 0]);
    is(&vec![0.5_f32, 1.5], DataType::Float, 4, 2, &[0, 0, 0, 63, 0, 0, 192, 63]);
    is(
        &[1.0_f64, 2.0],
        DataType::Double,
        8,
        2,
        &[0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 64],
    );
}

#[test]
fn additional_types() {
    is(&7_u8, DataType::U8, 1, 1, &[7]);
    is(&-7_i8, DataType::I8, 1, 1, &[249]);
    is(&7_u16, DataType::U16, 2, 1, &[7, 0]);
    is(&-7_i16, DataType::I16, 2, 1, &[249, 255]);
    is(&7_u32, DataType::U32, 4, 1, &[7, 0, 0, 0]);
    is(&7_u64, DataType::U64, 8, 1, &7_u64.to_le_bytes());
    is(&7_i64, DataType::I64, 8, 1, &7_i64.to_le_bytes());
    is(&7_u128, DataType::U128, 16, 1, &7_u128.to_le_bytes());
    is(&i128::MIN, DataType::I128, 16, 1, &i128::MIN.to_le_bytes());
    is(&'🦀', DataType::Character, 4, 1, &[0x80, 0xf9, 0x01, 0]);
    is(&(), DataType::Null, 1, 0, &[]);
    is(&None::<i32>, DataType::Null, 1, 0, &[]);
    is(&Some(1_i32), DataType::Int, 4, 1, &[1, 0, 0, 0]);
    is("a\0b", DataType::Text, 1, 3, b"a\0b");
    is(&vec![1_u8, 2, 3], DataType::U8, 1, 3, &[1, 2, 3]);
    is(&vec![1_u16, 2], DataType::U16, 2, 2, &[1, 0, 2, 0]);
    is(&['a', 'b'], DataType::Character, 4, 2, &[97, 0, 0, 0, 98, 0, 0, 0]);
    is(&Value::Bytes(vec![1, 2]), DataType::Bytes, 1, 2, &[1, 2]);
    let item = [
        [2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    ]
    .concat();
    let list = [&[2, 0, 0, 0], &item[..29]].concat();
    is(&(5_i32, true), DataType::List, 1, list.len(), &list);
}

/// One element is written the same as a scalar and as an array. A mark, which the original ignores,
/// distinguishes them.
#[test]
fn arrays_of_one() {
    let members = BTreeMap::from([("a".to_owned(), vec![7_i32]), ("b".to_owned(), vec![8])]);
    let mut map = Writer::new();
    map.save("x", &AsObject(members.clone())).unwrap();
    let file = map.finish().unwrap();
    let blobs = walk(&file);
    let seen: Vec<(&str, i32, usize)> =
        blobs[0].1.iter().map(|d| (&*d.name, d.kind, d.count)).collect();
    assert_eq!(seen, [("a", 2, 1), ("$array:a", 20, 0), ("b", 2, 1), ("$array:b", 20, 0)]);
    let tree: Value = archive_blob::from_slice(&file).unwrap();
    let array = |v: i32| Value::Array(vec![Value::from(v)]);
    assert_eq!(tree.get("x").unwrap().get("a"), Some(&array(7)));
    assert_eq!(tree.get("x").unwrap().as_object().unwrap().len(), 2);
    // In the other direction.
    let mut again = Writer::new();
    again.save("x", tree.get("x").unwrap()).unwrap();
    assert_eq!(again.finish().unwrap(), file);
    let mut reader = Reader::new(&file).unwrap();
    assert_eq!(reader.load::<BTreeMap<String, Vec<u8>>>("x").unwrap()["b"], [8]);
    reader.finish().unwrap();

    // Elsewhere only this library reads it, so it is a list.
    for tree in [
        Value::of(&vec![1_i32]).unwrap(),
        Value::of(&vec![1.5_f32]).unwrap(),
        Value::of(&vec![vec![1_i32], vec![], vec![2, 3]]).unwrap(),
        Value::of(&vec![Some(Some(1_u8))]).unwrap(),
        Value::of(&BTreeMap::from([(1_u8, [2_u16])])).unwrap(),
    ] {
        assert_eq!(archive_blob::from_slice::<Value>(&save(&tree)).unwrap(), tree);
    }
    let typed = (vec![1_i32], vec![true], [2.5_f32], vec![vec![3_u8], vec![]], 4);
    let tree: Value = archive_blob::from_slice(&save(&typed)).unwrap();
    assert_eq!(tree, Value::of(&typed).unwrap());
    assert_eq!(tree.to::<(Vec<i32>, Vec<bool>, [f32; 1], Vec<Vec<u8>>, i32)>().unwrap(), typed);
    // Inside of a sequence a scalar is not a sequence.
    let error = archive_blob::from_slice::<Vec<Vec<i32>>>(&save(&(1_i32, 2_i32))).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "[0]"));
    let error = archive_blob::from_slice::<Vec<Vec<i32>>>(&save(&[1_i32, 2])).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "[0]"));
}

/// A map as an object.
struct AsObject<V>(BTreeMap<String, V>);

impl<V: Save + Serialize + Clone> Serialize for AsObject<V> {
    fn serialize<A: archive_core::Archive>(&mut self, ar: &mut A) -> archive_core::Result {
        for (name, value) in &mut self.0 {
            ar.serialize(name, value)?;
        }
        Ok(())
    }
}

impl<V: Save + Serialize + Clone> Save for AsObject<V> {
    fn save<A: archive_core::Archive>(&self, ar: &mut A) -> archive_core::Result {
        AsObject(self.0.clone()).serialize(ar)
    }
}

/// Trees without types are written in types that the original program knows, where they fit.
#[test]
fn trees_are_as_narrow_as_they_can_be() {
    let object = |value: Value| Value::Object(vec![("x".into(), value)]);
    let numbers =
        |list: &[i64]| object(list.iter().map(|n| Value::from(*n)).collect::<Vec<_>>().into());
    let seen = |tree: &Value| {
        let data = data(tree);
        (data[0].kind, data[0].count)
    };
    assert_eq!(seen(&object(Value::from(5_i64))), (2, 1));
    assert_eq!(seen(&object(Value::from(1_i64 << 31))), (16, 1));
    assert_eq!(seen(&object(Value::from(u64::MAX))), (17, 1));
    assert_eq!(seen(&numbers(&[1, 2, 3])), (2, 3));
    assert_eq!(seen(&numbers(&[1])), (2, 1));
    assert_eq!(seen(&numbers(&[1 << 40, 2 << 40])), (16, 2));
    assert_eq!(seen(&numbers(&[1, 2 << 40])).0, 6);
    assert_eq!(seen(&numbers(&[])).0, 6);
    let nested = object(vec![Value::from(vec![Value::from(1)]), Value::from(2)].into());
    for tree in [numbers(&[1, 2, 3]), numbers(&[1]), numbers(&[1, 2 << 40]), numbers(&[]), nested] {
        assert_eq!(archive_blob::from_slice::<Value>(&save(&tree)).unwrap(), tree);
    }
}

/// The descriptions of roots: a value, an object, an object whose only member has an empty name,
/// and each of these with a name.
#[test]
fn roots() {
    let unnamed = |value: i32| Value::Object(vec![(String::new(), Value::from(value))]);
    let two = Value::Object(vec![(String::new(), Value::from(1)), ("a".into(), Value::Null)]);
    let trees = [
        Value::Null,
        Value::from(5),
        Value::from("text"),
        Value::Array(vec![]),
        Value::Array(vec![Value::from(5)]),
        Value::Object(vec![]),
        unnamed(5),
        two,
        Value::Object(vec![(String::new(), unnamed(5))]),
        Value::Object(vec![("$roots".into(), Value::Object(vec![]))]),
    ];
    for tree in &trees {
        let file = save(tree);
        assert_eq!(&archive_blob::from_slice::<Value>(&file).unwrap(), tree);
        for name in ["", "a"] {
            let mut writer = Writer::new();
            writer.save(name, tree).unwrap();
            let file = writer.finish().unwrap();
            walk(&file);
            let mut reader = Reader::new(&file).unwrap();
            assert_eq!(&reader.load::<Value>(name).unwrap(), tree, "{name:?}");
            reader.finish().unwrap();
            let all = Value::Object(vec![(name.into(), tree.clone())]);
            assert_eq!(archive_blob::from_slice::<Value>(&file).unwrap(), all);
        }
    }
    let empty = Writer::new().finish().unwrap();
    assert_eq!(empty, [0; 4]);
    assert_eq!(archive_blob::from_slice::<Value>(&empty).unwrap(), Value::Object(vec![]));
    Reader::new(&empty).unwrap().finish().unwrap();
    // The members of a bare root are roots to a reader, as in other formats.
    let file = save(&Value::Object(vec![("a".into(), Value::from(5))]));
    assert_eq!(Reader::new(&file).unwrap().load::<u8>("a").unwrap(), 5);
    // Named roots are the members of an object.
    let mut writer = Writer::new();
    writer.save("a", &5).unwrap();
    writer.save("b", "x").unwrap();
    let file = writer.finish().unwrap();
    let blobs = walk(&file);
    assert_eq!((&*blobs[0].0, &*blobs[1].0), ("a", "b"));
    let map: BTreeMap<String, Value> = archive_blob::from_slice(&file).unwrap();
    assert_eq!(map["b"], Value::from("x"));
}

#[test]
fn names_with_nul() {
    let names = ["a\0b", "\0", "", "ä\0\0", "$array:"];
    let tree = Value::Object(names.iter().zip(0..).map(|(n, i)| ((*n).into(), i.into())).collect());
    assert_eq!(archive_blob::from_slice::<Value>(&save(&tree)).unwrap(), tree);
    let typed = AsObject(BTreeMap::from([("x\0y".to_owned(), 5_u8)]));
    let map: BTreeMap<String, u8> = archive_blob::from_slice(&save(&typed)).unwrap();
    assert_eq!(map["x\0y"], 5);
    let mut reader = AsObject(BTreeMap::from([("x\0y".to_owned(), 0_u8)]));
    archive_blob::load_into(&mut reader, &save(&typed)).unwrap();
    assert_eq!(reader.0["x\0y"], 5);
}

fn round_trip<T: Serialize + Save + Blank + PartialEq + Debug>(value: T) {
    let file = save(&value);
    assert_eq!(archive_blob::from_slice::<T>(&file).unwrap(), value);
    let tree: Value = archive_blob::from_slice(&file).unwrap();
    assert_eq!(tree.to::<T>().unwrap(), value, "{tree:?}");
    assert_eq!(archive_blob::from_slice::<T>(&save(&tree)).unwrap(), value, "{tree:?}");
    assert_eq!(archive_blob::from_slice::<Value>(&save(&tree)).unwrap(), tree);
}

#[test]
fn everything_comes_back() {
    round_trip((u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX));
    round_trip((i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN));
    round_trip(vec![f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, 5e-324]);
    round_trip(vec![Some(Some(1)), Some(None), None]);
    round_trip(Some(Some(vec![1_u8])));
    round_trip(HashMap::from([(1_u8, "one".to_owned()), (2, "two\0".into())]));
    round_trip((vec![(), ()], 'x', '\0', String::from("ü"), vec!['a'], Vec::<char>::new()));
    round_trip(Rc::new((1, 2)));
    round_trip(vec![vec![vec![1.5_f32]], vec![vec![], vec![1.0, 2.0]]]);

    let nan = f32::from_bits(0x7fc0_1234);
    assert_eq!(archive_blob::from_slice::<f32>(&save(&nan)).unwrap().to_bits(), nan.to_bits());
    let list = [f64::from_bits(0xfff8_0000_0000_0001), -0.0];
    let loaded: [f64; 2] = archive_blob::from_slice(&save(&list)).unwrap();
    assert_eq!(loaded.map(f64::to_bits), list.map(f64::to_bits));
}

fn becomes<T: Save, U: Serialize + Blank + PartialEq + Debug>(from: T, to: U) {
    assert_eq!(archive_blob::from_slice::<U>(&save(&from)).unwrap(), to);
}

fn fails<T: Save, U: Serialize + Blank + Debug>(from: T, kind: ErrorKind, message: &str) {
    let error = archive_blob::from_slice::<U>(&save(&from)).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(message), "{error}");
    assert!(error.position().is_some());
}

#[test]
fn numbers_are_converted_where_they_survive() {
    becomes(255_i32, 255_u8);
    becomes(-3_i8, -3.0_f64);
    becomes(3.0_f64, 3_u8);
    becomes(vec![1_i32, 2], vec![1_u8, 2]);
    becomes(vec![1_u8, 2], vec![1.0_f32, 2.0]);
    becomes([1.0_f64, 2.0], vec![1_i64, 2]);
    becomes((1_u8, 2.0_f32), vec![1_u64, 2]);
    becomes(vec![1_u64, 2], (1_u8, 2.0_f32));
    becomes(vec![1_i32, 2], Value::Array(vec![1.into(), 2.into()]));
    becomes(1_i32, vec![1_i32]); // an array of one looks alike in the original's files
    becomes("-170141183460469231731687303715884105728".to_owned(), i128::MIN);
    becomes("inf".to_owned(), f64::INFINITY);
    becomes(0.1_f64, 0.1_f32);
    becomes('x', "x".to_owned());
    becomes("x".to_owned(), 'x');
    fails::<_, u8>(300_i32, ErrorKind::OutOfRange, "300 does not fit u8");
    fails::<_, Vec<u8>>(vec![1, 300], ErrorKind::OutOfRange, "[1]: 300 does not fit u8");
    fails::<_, i32>(1.5_f32, ErrorKind::WrongType, "expected i32, found 1.5");
    becomes(16_777_217_i32, 16_777_216_f32);
    fails::<_, i32>(vec![1, 2, 3], ErrorKind::WrongType, "found a sequence");
    fails::<_, i32>("x".to_owned(), ErrorKind::WrongType, "found \"x\"");
    fails::<_, bool>(1, ErrorKind::WrongType, "expected bool, found 1");
    fails::<_, i32>(true, ErrorKind::WrongType, "expected i32, found true");
    fails::<_, [i32; 2]>([1, 2, 3], ErrorKind::WrongLength, "");
    fails::<_, char>("xy".to_owned(), ErrorKind::WrongType, "\"xy\"");
}

#[test]
fn conversions_are_reported() {
    let file = save(&AsObject(BTreeMap::from([("a".to_owned(), 5.0_f64)])));
    let converted = |report: archive_core::Report| report.converted().count();
    type Map<T> = BTreeMap<String, T>;
    assert_eq!(
        converted(
            archive_blob::from_slice_report::<Map<f64>>(&file, &archive_core::Options::new())
                .unwrap()
                .1
        ),
        0
    );
    assert_eq!(
        converted(
            archive_blob::from_slice_report::<Map<f32>>(&file, &archive_core::Options::new())
                .unwrap()
                .1
        ),
        0
    );
    assert_eq!(
        converted(
            archive_blob::from_slice_report::<Map<i32>>(&file, &archive_core::Options::new())
                .unwrap()
                .1
        ),
        1
    );
}

/// Text of the original ends at its first NUL, with anything in the buffer after it.
#[test]
fn text_in_a_buffer() {
    let file = save(&AsObject(BTreeMap::from([("t".to_owned(), "abcdef".to_owned())])));
    let at = file.windows(7).position(|window| window == b"abcdef\0").unwrap();
    for (bytes, text) in [
        (b"ab\0\0\0\0\0", "ab"),
        (b"ab\0d\xfff\0", "ab"),
        (b"abcdefg", "abcdefg"),
        (b"\0bcdefg", ""),
    ] {
        let mut file = file.clone();
        file[at..at + 7].copy_from_slice(bytes);
        assert_eq!(archive_blob::from_slice::<BTreeMap<String, String>>(&file).unwrap()["t"], text);
    }
    let mut file = file;
    file[at + 2] = 0xff;
    let error = archive_blob::from_slice::<Value>(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert_eq!(error.position(), Some(archive_core::Position::Offset(at as u64 + 2)));
}

#[test]
fn numbers_of_trees_keep_their_kind() {
    let tree = Value::Array(vec![
        Value::Number(Number::F32(0.1)),
        Value::Number(Number::F64(0.1)),
        Value::Number(Number::UInt(u128::MAX)),
        Value::Number(Number::Int(i128::MIN)),
        Value::Bytes(vec![]),
    ]);
    assert_eq!(archive_blob::from_slice::<Value>(&save(&tree)).unwrap(), tree);
}
