//! `Option` of values that may be null: `Some` of a null value is `{"$some":null}`, everything else
//! is null or the value.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::Wrapping;
use std::rc::{Rc, Weak};
use std::sync::Mutex;

use crate::common::{forgiving, keeps_unknown, names_wrong_types, open_for_each_level, round_trip};
use archive::{Blank, ErrorKind, Options, Save, Serialize, Value, json};
use proptest::collection::vec;
use proptest::prelude::*;

/// A weak pointer by itself. The number that it points to is its equality.
#[derive(Clone, Default, Serialize)]
struct Eye(Weak<RefCell<u8>>);

impl PartialEq for Eye {
    fn eq(&self, other: &Self) -> bool {
        self.0.upgrade() == other.0.upgrade()
    }
}
impl Debug for Eye {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0.upgrade())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Unit;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(transparent)]
struct Inside<T> {
    inside: T,
}

/// Stored as an option: null for 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Level(u8);

archive::stored_as! {
    Level as Option<u8> {
        save: |level| Ok((level.0 != 0).then_some(level.0)),
        load: |stored: Option<u8>| Ok(Level(stored.unwrap_or_default())),
    }
}

mod level {
    use archive::{Options, Result};

    pub fn save(level: &u8, _: &Options<'_>) -> Result<Option<u8>> {
        Ok((*level != 0).then_some(*level))
    }
    pub fn load(stored: Option<u8>) -> Result<u8> {
        Ok(stored.unwrap_or_default())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Floor(#[archive(with = level)] u8);

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Picture(#[archive(bytes)] Option<Vec<u8>>);

/// Options at every level, in boxes that are not visible in files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Chain(Option<Box<Chain>>);

fn chain(len: usize) -> Chain {
    (0..len).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))))
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Everywhere {
    own: Option<Option<u8>>,
    #[archive(skip_if_default)]
    lean: Option<Option<u8>>,
    list: Vec<Option<Option<String>>>,
    tuple: (Option<()>, Option<Value>, Option<Unit>),
    map: BTreeMap<String, Option<Option<u8>>>,
    #[archive(as_object)]
    object: BTreeMap<String, Option<Value>>,
    keys: BTreeMap<Option<Option<u8>>, u8>,
    choice: Choice,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
enum Choice {
    #[default]
    Nothing,
    One(Option<Option<u8>>),
    Named {
        inside: Option<Value>,
    },
}

fn tree(text: &str) -> Value {
    json::from_str(text).unwrap()
}

/// Saves `old` and loads it as the expected `new`.
fn becomes<T: Serialize + Save, U: Serialize + Blank + PartialEq + Debug>(old: &T, new: &U) {
    for format in forgiving() {
        let bytes = format.to_vec(old).unwrap();
        match format.from_slice::<U>(&bytes) {
            Ok(loaded) => assert_eq!(&loaded, new, "{format}"),
            Err(error) => panic!("{format}: {error} instead of {new:?}"),
        }
    }
}

/// The rules for each value: for an option around it, and for none.
fn is_kept<T>(value: &T, null: bool)
where
    T: Serialize + Save + Blank + PartialEq + Debug + Clone + 'static,
{
    let some = Some(value.clone());
    round_trip(&some);
    round_trip(&Some(some.clone()));
    round_trip(&vec![None, some.clone()]);
    round_trip(&vec![None, Some(None), Some(some.clone())]);
    // The file of a value loads as an option of it, unless it is null.
    becomes(value, &if null { None } else { some.clone() });
    if !null {
        becomes(&some, value);
        becomes(&Some(some.clone()), value);
        becomes(&Some(some.clone()), &some);
        becomes(&some, &Some(some.clone()));
    }
}

#[test]
fn every_value_is_one_of_an_option() {
    is_kept(&7_u8, false);
    is_kept(&String::from("a"), false);
    is_kept(&vec![1_u8, 2], false);
    is_kept(&Vec::<Option<u8>>::new(), false);
    is_kept(&Some(7_u8), false);
    is_kept(&None::<u8>, true);
    is_kept(&Choice::One(Some(None)), false);
    is_kept(&BTreeMap::from([(String::from("$some"), 1_u8)]), false);
    is_kept(&BTreeMap::from([(String::from("$some"), Some(Some(1_u8)))]), false);
    is_kept(&Everywhere::default(), false);
    is_kept(&Box::new(Some(7_u8)), false);
    is_kept(&Box::new(None::<u8>), true);
    is_kept(&Inside { inside: Some(7_u8) }, false);
    is_kept(&Inside { inside: None::<u8> }, true);
    is_kept(&Wrapping(7_u8), false);
    is_kept(&Level(3), false);
    is_kept(&Level(0), true);
    is_kept(&Floor(3), false);
    is_kept(&Floor(0), true);
    is_kept(&Picture(Some(vec![1, 2])), false);
    is_kept(&Picture(None), true);
    is_kept(&Eye(Weak::new()), true);
    is_kept(&Rc::new(7_u8), false);
    is_kept(&Some(Rc::new(RefCell::new(None::<u8>))), false);
    is_kept(&Inside { inside: RefCell::new(Some(7_u8)) }, false);
    is_kept(&Inside { inside: RefCell::new(None::<u8>) }, true);
    is_kept(&OnceCell::from(7_u8), false);
    is_kept(&OnceCell::<u8>::new(), true);
    is_kept(&Inside { inside: Cell::new(7_u8) }, false);
    is_kept(&tree("7"), false);
    is_kept(&tree(r#"{"a":{"$some":1}}"#), false);
    is_kept(&tree("[null]"), false);
    is_kept(&tree("null"), true);
    is_kept(&(), true);
    is_kept(&Unit, true);
    is_kept(&PhantomData::<u8>, true);
}

#[test]
fn cells_and_locks() {
    round_trip(&vec![None, Some(Cell::new(None)), Some(Cell::new(Some(7_u8)))]);
    for format in forgiving() {
        let locks = [None, Some(Mutex::new(None)), Some(Mutex::new(Some(7_u8)))];
        let bytes = format.to_vec(&locks).unwrap();
        let loaded: [Option<Mutex<Option<u8>>>; 3] = format.from_slice(&bytes).unwrap();
        let inside = loaded.map(|lock| lock.map(|lock| lock.into_inner().unwrap()));
        assert_eq!(inside, [None, Some(None), Some(Some(7))], "{format}");
    }
}

/// Trees that look like a wrapped option.
#[test]
fn trees_that_look_wrapped() {
    for text in [
        r#"{"$some":null}"#,
        r#"{"$some":5}"#,
        r#"{"$some":{"$some":null}}"#,
        r#"{"$some":1,"a":2}"#,
        r#"{"a":2,"$some":1}"#,
        r#"{"$some":[{"$some":null}]}"#,
    ] {
        let value = tree(text);
        round_trip(&value);
        round_trip(&Some(value.clone()));
        round_trip(&Some(Some(value.clone())));
        round_trip(&vec![None, Some(value.clone())]);
        let sorted = Options::new().canonical(true);
        let loaded: Option<Value> =
            json::from_str(&json::to_string_with(&Some(value.clone()), &sorted).unwrap()).unwrap();
        let loaded = loaded.unwrap();
        assert_eq!(loaded.get("$some"), value.get("$some"), "{text}");
        assert_eq!(loaded.get("a"), value.get("a"), "{text}");
    }
    // The file of a value that was not an option loads as a value, or as its content.
    becomes(&tree(r#"{"$some":1,"a":2}"#), &Some(tree(r#"{"$some":1,"a":2}"#)));
    becomes(&tree(r#"{"$some":5}"#), &Some(tree("5")));
}

#[test]
fn weak_pointers_that_point() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Eyes {
        seen: Option<Rc<RefCell<u8>>>,
        eyes: Vec<Option<Eye>>,
        twice: Option<Option<Eye>>,
    }
    let seen = Rc::new(RefCell::new(7));
    let eye = Eye(Rc::downgrade(&seen));
    let eyes = Eyes {
        seen: Some(seen),
        eyes: vec![Some(eye.clone()), None, Some(Eye::default()), Some(eye.clone())],
        twice: Some(Some(eye)),
    };
    round_trip(&eyes);
    round_trip(&Eyes { twice: Some(Some(Eye::default())), ..Eyes::default() });
    round_trip(&Eyes { twice: Some(None), ..eyes });
}

/// A null value is never taken for one.
#[test]
fn an_absent_option_is_not_a_value() {
    fn refuses<T: Serialize + Save, U: Serialize + Blank + Debug>(old: &T) {
        for format in forgiving() {
            let bytes = format.to_vec(old).unwrap();
            let error = format.from_slice::<U>(&bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongType, "{format}: {error}");
        }
    }
    refuses::<_, u8>(&Some(None::<u8>));
    refuses::<_, Option<u8>>(&Some(None::<u8>));
    refuses::<_, Option<Vec<u8>>>(&Some(None::<Vec<u8>>));
    refuses::<_, BTreeMap<String, Option<u8>>>(&Some(None::<BTreeMap<String, Option<u8>>>));
    refuses::<_, Everywhere>(&Some(None::<Everywhere>));
    refuses::<_, Choice>(&Some(None::<Choice>));
    refuses::<_, Rc<u8>>(&Some(None::<Rc<u8>>));
    // These needed no values.
    becomes(&Some(()), &());
    becomes(&Some(None::<u8>), &());
    becomes(&Some(Eye::default()), &Eye::default());
    becomes(&Some(Some(Eye::default())), &Eye::default());
}

/// A type that is not an option loads the content.
#[test]
fn reads_through() {
    fn reads<T: Serialize + Save + Blank + PartialEq + Debug>(value: &T) {
        let inside = Value::of(value).unwrap();
        let once = Value::Object(vec![("$some".into(), inside)]);
        let twice = Value::Object(vec![("$some".into(), once.clone())]);
        for tree in [once, twice] {
            becomes(&tree, value);
        }
    }
    reads(&7_u8);
    reads(&-1.5_f32);
    reads(&true);
    reads(&'x');
    reads(&String::from("a"));
    reads(&());
    reads(&Unit);
    reads(&vec![1_u8, 2]);
    reads(&[Some(1_u8), None]);
    reads(&(1_u8, String::from("a")));
    reads(&BTreeMap::from([(3_u8, 4_u8)]));
    reads(&BTreeMap::from([(String::from("a"), 4_u8)]));
    reads(&Choice::Nothing);
    reads(&Choice::One(Some(Some(3))));
    reads(&Everywhere::default());
    reads(&Box::new(7_u8));
    reads(&Eye::default());
    reads(&Inside { inside: vec![1_u8] });
    // The map of another program, with such a key.
    becomes(&tree(r#"{"$some":5}"#), &BTreeMap::from([(String::from("$some"), 5_u8)]));
}

/// An object that was wrapped has one member.
#[test]
fn forged() {
    for text in [
        r#"{"$some":5,"x":1}"#,
        r#"{"$some":5,"$id":1}"#,
        r#"{"$id":1,"$some":5}"#,
        r#"{"x":1,"$some":5}"#,
        r#"{"$some":{"x":5}}"#,
    ] {
        for format in forgiving() {
            let bytes = format.to_vec(&tree(text)).unwrap();
            let error = |error: archive::Error| (error.kind(), error);
            for (kind, error) in [
                error(format.from_slice::<u8>(&bytes).unwrap_err()),
                error(format.from_slice::<Option<u8>>(&bytes).unwrap_err()),
                error(format.from_slice::<Option<Option<u8>>>(&bytes).unwrap_err()),
                error(format.from_slice::<Option<()>>(&bytes).unwrap_err()),
            ] {
                let kinds = [ErrorKind::WrongType, ErrorKind::BadPointer];
                assert!(kinds.contains(&kind), "{format}: {text}: {error}");
            }
        }
    }
}

/// A wrapper counts as one level, for saving and for loading.
#[test]
fn levels() {
    type Deep = Vec<Option<Option<Option<u8>>>>;
    let values: [Deep; 6] = [
        vec![],
        vec![None],
        vec![Some(Some(Some(5)))],
        vec![Some(None)],
        vec![Some(Some(None)), None],
        vec![None, Some(None), Some(Some(None))],
    ];
    for (value, levels) in values.iter().zip([1_usize, 1, 1, 2, 3, 3]) {
        let levels = levels.div_ceil(open_for_each_level() as usize);
        for limit in 1..5 {
            let options = Options::new().max_depth(limit);
            for format in forgiving() {
                let bytes = format.to_vec(value).unwrap();
                let saved = format.to_vec_with(value, &options);
                let loaded = format.from_slice_with::<Deep>(&bytes, &options);
                assert_eq!(saved.is_ok(), limit >= levels, "{format}: {value:?} in {limit}");
                assert_eq!(loaded.is_ok(), limit >= levels, "{format}: {value:?} in {limit}");
                for error in [saved.err(), loaded.err()].into_iter().flatten() {
                    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}: {error}");
                }
            }
        }
    }
}

/// Options of any depth end at a limit, not at the end of the stack.
#[test]
fn chains_end() {
    for len in [1, 2, 31, 32, 33, 34, 60] {
        round_trip(&chain(len));
    }
    let mut long = chain(20_000);
    for format in forgiving() {
        let error = format.to_vec(&long).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}: {error}");
    }
    while let Chain(Some(next)) = long {
        long = *next;
    }
}

/// A file is one tree, however it was saved.
#[test]
fn as_trees() {
    let value = everywhere();
    let expected = Value::of(&value).unwrap();
    for format in forgiving() {
        let read: Value = format.from_slice(&format.to_vec(&value).unwrap()).unwrap();
        // A map is an object in some formats and pairs in others.
        for name in ["own", "lean", "list", "tuple", "keys", "choice"] {
            assert_eq!(read[name], expected[name], "{format}");
        }
        let back: Everywhere = format.from_slice(&format.to_vec(&read).unwrap()).unwrap();
        assert_eq!(back, value, "{format}");
    }
}

fn everywhere() -> Everywhere {
    Everywhere {
        own: Some(None),
        lean: Some(None),
        list: vec![None, Some(None), Some(Some("a".into()))],
        tuple: (Some(()), Some(tree(r#"{"$some":null}"#)), Some(Unit)),
        map: [("$some".into(), Some(None)), ("a".into(), Some(Some(1)))].into(),
        object: [("$some".into(), Some(Value::Null)), ("a".into(), None)].into(),
        keys: [(None, 1), (Some(None), 2), (Some(Some(5)), 3)].into(),
        choice: Choice::Named { inside: Some(Value::Null) },
    }
}

#[test]
fn nested_options_in_every_place() {
    round_trip(&everywhere());
    round_trip(&Everywhere { choice: Choice::One(Some(None)), ..everywhere() });
}

/// Unknown members keep wrapped values.
#[test]
fn unknown_members_keep_it() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Older {
        keys: BTreeMap<Option<Option<u8>>, u8>,
        #[archive(unknown)]
        rest: Value,
    }
    for format in forgiving().into_iter().filter(|format| keeps_unknown(*format)) {
        let older: Older = format.from_slice(&format.to_vec(&everywhere()).unwrap()).unwrap();
        let back: Everywhere = format.from_slice(&format.to_vec(&older).unwrap()).unwrap();
        assert_eq!(back, everywhere(), "{format}");
    }
}

/// Loading over an old value, where the file has other options.
#[test]
fn over_old_values() {
    let values: Vec<Vec<Option<Option<Everywhere>>>> = vec![
        vec![None, Some(None), Some(Some(everywhere()))],
        vec![Some(Some(everywhere())), None, Some(None)],
        vec![Some(None), Some(Some(Everywhere::default())), None],
    ];
    for format in forgiving() {
        for old in &values {
            for new in &values {
                let mut value = old.clone();
                format.load_into(&mut value, &format.to_vec(new).unwrap()).unwrap();
                assert_eq!(&value, new, "{format}");
            }
        }
    }
}

/// The path of an error does not contain the wrapper.
#[test]
fn paths() {
    let text = r#"{"own":{"$some":null},"list":[{"$some":{"$some":7}}]}"#;
    for format in forgiving().into_iter().filter(|format| names_wrong_types(*format)) {
        let error = format.from_slice::<Everywhere>(&format.to_vec(&tree(text)).unwrap());
        let error = error.unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "list[0]"), "{format}");
    }
}

fn any_tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<u8>().prop_map(Value::from),
        "[a-c$]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let name = prop_oneof![3 => Just("$some".to_owned()), 1 => "[a-c]".prop_map(|name| name)];
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::Array),
            vec((name, inner), 0..3).prop_map(|members| {
                let mut object: Vec<(String, Value)> = Vec::new();
                for (name, value) in members {
                    if object.iter().all(|(known, _)| *known != name) {
                        object.push((name, value));
                    }
                }
                Value::Object(object)
            }),
        ]
    })
}

type Nested<T> = Option<Option<Option<Option<T>>>>;

fn nested<T: Clone + Debug>(
    inner: impl Strategy<Value = T>,
) -> impl Strategy<Value = Vec<Nested<T>>> {
    vec(prop::option::of(prop::option::of(prop::option::of(prop::option::of(inner)))), 0..4)
}

proptest! {
    #![proptest_config(crate::common::search::config(24))]

    #[test]
    fn random_numbers(value in nested(any::<u16>())) {
        round_trip(&value);
    }

    #[test]
    fn random_units(value in nested(Just(()))) {
        round_trip(&value);
    }

    #[test]
    fn random_trees(value in nested(any_tree())) {
        round_trip(&value);
    }

    #[test]
    fn random_lists(value in nested(nested(any::<bool>()))) {
        round_trip(&value);
    }

    #[test]
    fn random_boxes(value in nested(prop::option::of(any::<u8>()).prop_map(
        |inside| Inside { inside: Box::new(Inside { inside }) }
    ))) {
        round_trip(&value);
    }

    /// A value that was not an option loads as one, if it is not null; and vice versa.
    #[test]
    fn random_becomes(value in any_tree(), number in prop::option::of(any::<u8>())) {
        becomes(&number, &number.map(Some));
        becomes(&number.map(Some), &number);
        let wrapped = matches!(&value, Value::Object(members) if members.len() == 1
            && members[0].0 == "$some");
        if !wrapped {
            becomes(&value, &Some(value.clone()).filter(|value| !value.is_null()));
        }
        let wraps = |members: &[(String, Value)]| members.first().is_some_and(|m| m.0 == "$some");
        let wrapped = matches!(&value, Value::Object(members) if wraps(members));
        if !wrapped && !value.is_null() {
            becomes(&Some(value.clone()), &value);
        }
    }
}
