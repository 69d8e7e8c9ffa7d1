//! Names, contents and graphs that are unusual.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};

use archive::path::{Path, Step};
use archive::reflect::{self, AnyValue, Edit, Handle, HandleMap, Meta};
use archive::{ErrorKind, Options, Registry, Serialize, Value, json};

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn tree(text: &str) -> Value {
    json::from_str(text).unwrap()
}

fn steps(steps: &[Step]) -> Path {
    steps.to_vec().into()
}

/// Keys that a path has to quote, or that look like something else.
const KEYS: &[&str] = &[
    "",
    " ",
    "a.b[0]",
    "\"",
    "\\",
    "\"]",
    "\n\0\t",
    "é🦀",
    "#1",
    "[0]",
    "0",
    "-1",
    "a\u{202e}b",
    "'",
    "true",
    "$type",
    "$id",
    "$$x",
];

#[test]
fn any_text_is_a_key() {
    let options = Options::new();
    let mut map: BTreeMap<String, u8> = BTreeMap::new();
    let mut lists: HashMap<String, Vec<u8>> = HashMap::new();
    let mut any = Value::Object(vec![]);
    for (number, key) in (0..).zip(KEYS) {
        // As in files.
        let name = if key.starts_with('$') { format!("${key}") } else { (*key).to_owned() };
        let place = steps(&[name.as_str().into()]);
        assert_eq!(Path::parse(&place.to_string()).unwrap(), place, "{key:?}");

        reflect::apply(&mut map, &Edit::new().insert(place.clone(), number), &options).unwrap();
        assert_eq!(map.get(*key), Some(&number), "{key:?}");
        assert_eq!(reflect::get(&map, &place, &options).unwrap(), Value::from(number));
        let complete = reflect::complete(&map, &place.to_string(), &options).unwrap();
        assert!(complete.contains(&place.to_string()), "{key:?}: {complete:?}");

        reflect::apply(&mut map, &Edit::new().rename(place.clone(), "new"), &options).unwrap();
        assert!(map.contains_key("new") && !map.contains_key(*key), "{key:?}");
        reflect::apply(&mut map, &Edit::new().rename(path("new"), *key), &options).unwrap();
        assert_eq!(map.get(*key), Some(&number), "{key:?}");
        // The name that it already has.
        let undo =
            reflect::apply(&mut map, &Edit::new().rename(place.clone(), *key), &options).unwrap();
        reflect::apply(&mut map, &undo, &options).unwrap();

        let edit = Edit::new()
            .insert(place.clone(), tree("[1]"))
            .insert(steps(&[name.as_str().into(), 0.into()]), number);
        reflect::apply(&mut lists, &edit, &options).unwrap();
        assert_eq!(lists[*key], [number, 1], "{key:?}");

        // A tree has the names themselves.
        let place = steps(&[(*key).into()]);
        reflect::apply(&mut any, &Edit::new().insert(place.clone(), number), &options).unwrap();
        assert_eq!(reflect::get(&any, &place, &options).unwrap(), Value::from(number), "{key:?}");
    }
    // The paths of rows resolve to their values.
    for value in [&lists as &dyn archive::Polymorphic, &any, &map] {
        for row in reflect::list(value, &Path::new(), &options).unwrap() {
            let place = path(&row.path.to_string());
            assert_eq!(reflect::get(value, &place, &options).unwrap(), row.value, "{place}");
        }
    }
    // The name is also accepted without the second `$`.
    reflect::apply(&mut map, &Edit::new().rename(path("$id"), "id"), &options).unwrap();
    assert!(map.contains_key("id") && !map.contains_key("$id"));
}

#[test]
fn keys_of_other_types_are_renamed_or_refused() {
    let options = Options::new();
    let mut map: BTreeMap<u8, u8> = [(1, 1), (2, 2)].into();
    let one = steps(&["1".into()]);
    for (key, kind) in [
        ("300", ErrorKind::OutOfRange),
        ("-1", ErrorKind::OutOfRange),
        ("x", ErrorKind::WrongType),
        ("1.0", ErrorKind::WrongType),
        (" 3", ErrorKind::WrongType),
        ("2", ErrorKind::DuplicateMember),
    ] {
        let edit = Edit::new().rename(one.clone(), key);
        let error = reflect::apply(&mut map, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{key}: {error}");
        assert_eq!(map, [(1, 1), (2, 2)].into(), "{key}");
    }
    reflect::apply(&mut map, &Edit::new().rename(one.clone(), "1"), &options).unwrap();
    reflect::apply(&mut map, &Edit::new().rename(one, "3"), &options).unwrap();
    assert_eq!(map, [(2, 2), (3, 1)].into());
}

#[derive(Debug, Default, Serialize, PartialEq, Clone)]
struct Wide {
    number: u8,
    text: String,
    list: Vec<u8>,
    array: [u8; 2],
    tuple: (u8, String),
    option: Option<Box<Wide>>,
    #[archive(as_object)]
    map: BTreeMap<String, u8>,
    any: Value,
    unit: (),
}

/// A merge either has the shape of the existing value, or changes nothing.
#[test]
fn overrides_of_another_shape() {
    let options = Options::new();
    let before = Wide {
        list: vec![1, 2],
        option: Some(Box::default()),
        map: [("k".to_owned(), 1)].into(),
        ..Wide::default()
    };
    for (content, refused) in [
        ("null", Some("")),
        ("1", Some("")),
        ("[]", Some("")),
        ("{}", None),
        (r#"{"number":{}}"#, Some("number")),
        (r#"{"number":[]}"#, Some("number")),
        (r#"{"text":{"a":1}}"#, Some("text")),
        (r#"{"list":{"0":1}}"#, Some("list")),
        (r#"{"list":[[]]}"#, Some("list[0]")),
        (r#"{"array":[1]}"#, Some("array")),
        (r#"{"array":[1,2,3]}"#, Some("array")),
        (r#"{"array":[5,{}]}"#, Some("array[1]")),
        (r#"{"number":9,"tuple":[1]}"#, Some("tuple")),
        (r#"{"tuple":{"0":3}}"#, Some("tuple")),
        (r#"{"option":{}}"#, None),
        (r#"{"option":{"option":{"number":3}}}"#, None),
        (r#"{"option":[]}"#, Some("option")),
        (r#"{"map":{"k":{}}}"#, Some("map.k")),
        (r#"{"map":{"new":5}}"#, None),
        (r#"{"map":[["k",9]]}"#, None),
        (r#"{"map":{"new":null}}"#, Some("map.new")),
        (r#"{"nothing":1}"#, Some("")),
        (r#"{"unit":{}}"#, Some("unit")),
        (r#"{"any":{"a":{"b":1}}}"#, None),
        (r#"{"$id":1}"#, Some("")),
    ] {
        let mut value = before.clone();
        match (reflect::merge(&mut value, &tree(content), &options), refused) {
            (Ok(undo), None) => {
                reflect::apply(&mut value, &undo, &options).unwrap();
            }
            (Err(error), Some(place)) => assert_eq!(error.path(), place, "{content}: {error}"),
            (result, _) => panic!("{content}: {result:?}"),
        }
        assert_eq!(value, before, "{content}");
    }
}

#[test]
fn an_edit_without_changes() {
    let options = Options::new();
    let shared = Rc::new(RefCell::new(7));
    let mut value = vec![shared.clone()];
    let guard = shared.borrow_mut();
    let undo = reflect::apply(&mut value, &Edit::new(), &options).unwrap();
    assert!(undo.changes().is_empty());
    drop(guard);
    // Changes that change nothing.
    for edit in [
        Edit::new().move_to(path("[0]"), 0),
        Edit::new().attach(path("[0]"), path("[0]")),
        Edit::new().attach(Path::new(), Path::new()),
    ] {
        reflect::apply(&mut value, &edit, &options).unwrap();
        assert!(Rc::ptr_eq(&value[0], &shared), "{edit:?}");
    }
    let error = reflect::apply(&mut value, &Edit::new().rename(Path::new(), ""), &options);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::NotFound);
    reflect::apply(&mut (), &Edit::new().set(Path::new(), Value::Null), &options).unwrap();
}

#[test]
fn handles_of_another_map() {
    let (full, options) = ((0..5).collect::<HandleMap<u8>>(), Options::new());
    let mut empty = HandleMap::new();
    let last = full.handles().last().unwrap();
    assert!(!empty.contains(last) && empty.get_mut(last).is_none() && empty.remove(last).is_none());
    assert_eq!(empty.replace(last, 1), Err(1));
    assert!(empty.get_disjoint_mut([last]).is_none() && empty.get_disjoint_mut([]).is_some());
    assert!(empty.get_disjoint_mut([Handle::default()]).is_none());
    assert_eq!(reflect::stale_handles(&(last, empty), &options).unwrap().len(), 1);
    // Numbers as large as they get.
    let last: Handle<u8> = json::from_str(&u64::MAX.to_string()).unwrap();
    assert!(full.get(last).is_none());
    let error = json::from_str::<Handle<u8>>("4294967296").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Custom, "{error}");
}

/// A value whose type is not registered is read and changed along paths, but not as a whole.
#[test]
fn values_of_types_that_are_not_registered() {
    #[derive(Default, Serialize)]
    struct Message {
        hp: u8,
    }
    let mut registry = Registry::new();
    reflect::register_std(&mut registry).unwrap();
    let options = Options::new().registry(&registry);
    let mut values = vec![AnyValue::new(Message { hp: 1 })];
    reflect::apply(&mut values, &Edit::new().set(path("[0].hp"), 9), &options).unwrap();
    assert_eq!(reflect::get(&values, &path("[0].hp"), &options).unwrap(), Value::from(9));
    let other = tree(r#"{"$type":"u8","$value":4}"#);
    for error in [
        reflect::hash(&values, &options).map(drop),
        reflect::list(&values, &Path::new(), &options).map(drop),
        reflect::get(&values, &path("[0]"), &options).map(drop),
        reflect::deep_clone(&values, &options).map(drop),
        reflect::apply(&mut values, &Edit::new().set(path("[0]"), other), &options).map(drop),
        reflect::apply(&mut values, &Edit::new().remove(path("[0]")), &options).map(drop),
    ] {
        let error = error.unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Unregistered, "[0]"), "{error}");
    }
    assert_eq!(values[0].downcast_ref::<Message>().unwrap().hp, 9);
}

#[derive(Default, Serialize)]
struct Node {
    next: Option<Rc<RefCell<Node>>>,
}

fn ring(len: usize) -> Rc<RefCell<Node>> {
    let first = Rc::new(RefCell::new(Node::default()));
    let rest =
        (1..len).fold(first.clone(), |next, _| Rc::new(RefCell::new(Node { next: Some(next) })));
    first.borrow_mut().next = Some(rest);
    first
}

/// To a reader that follows the pointers, all of them are the same.
#[test]
fn rings_of_unequal_lengths() {
    let options = Options::new();
    for (one, other) in (1..5).flat_map(|one| (1..5).map(move |other| (one, other))) {
        let (left, right) = (ring(one), ring(other));
        let equal = reflect::equal(&left, &right, &options).unwrap();
        let hash = |ring| reflect::hash(ring, &options).unwrap();
        assert_eq!((equal, hash(&left) == hash(&right)), (one == other, one == other));
        left.borrow_mut().next = None;
        right.borrow_mut().next = None;
    }
}

#[test]
fn objects_with_only_weak_pointers() {
    let options = Options::new();
    let outside = Rc::new(RefCell::new(Node::default()));
    let weak = vec![Rc::downgrade(&outside), Weak::new()];
    let copy = reflect::deep_clone(&weak, &options).unwrap();
    assert!(copy.iter().all(|weak| weak.upgrade().is_none()));
    let difference = reflect::difference(&weak, &copy, &options).unwrap().unwrap();
    assert_eq!(difference.to_string(), "[0]: an object and null");
}

#[test]
fn numbers_that_are_nearly_equal() {
    let options = Options::new();
    let payload = f64::from_bits(f64::NAN.to_bits() + 7);
    for (one, other, equal) in [
        (0.0, -0.0, false),
        (f64::NAN, -f64::NAN, true),
        (f64::NAN, payload, true),
        (f64::INFINITY, f64::MAX, false),
    ] {
        assert_eq!(reflect::equal(&one, &other, &options).unwrap(), equal, "{one} {other}");
        let hash = |number| reflect::hash(number, &options).unwrap();
        assert_eq!(hash(&one) == hash(&other), equal, "{one} {other}");
    }
    assert!(reflect::equal(&1_u8, &1_i64, &options).unwrap());
    assert!(reflect::equal(&f32::NAN, &f64::NAN, &options).unwrap());
    assert!(!reflect::equal(&1_u8, &1.0, &options).unwrap());
}

#[derive(Default, Serialize)]
struct Tree<T> {
    value: T,
    left: Option<Box<Tree<T>>>,
    forest: Vec<Forest<T>>,
}

#[derive(Default, Serialize)]
struct Forest<T> {
    trees: Vec<Tree<T>>,
    other: BTreeMap<String, Tree<Option<u8>>>,
}

#[test]
fn generic_types_that_contain_each_other() {
    #[derive(Default, Serialize)]
    struct All {
        one: Tree<u8>,
        other: Tree<Vec<(u8, String)>>,
    }
    let text = Meta::of::<All>().json_schema();
    let schema = tree(&text);
    let definitions = schema["$defs"].as_object().unwrap();
    let names: Vec<&str> = definitions.iter().map(|(name, _)| &**name).collect();
    for part in text.split("\"#/$defs/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(names.len() >= 7, "{names:?}");
}

#[test]
fn a_lock_is_poisoned() {
    #[derive(Default, Serialize)]
    struct Locks {
        mutex: Arc<Mutex<u8>>,
        lock: Arc<RwLock<u8>>,
    }
    let mut locks = Locks::default();
    let (mutex, lock) = (locks.mutex.clone(), locks.lock.clone());
    std::thread::spawn(move || {
        let _guards = (mutex.lock(), lock.write());
        panic!("to poison them");
    })
    .join()
    .unwrap_err();
    let options = Options::new();
    for name in ["mutex", "lock"] {
        let error = reflect::get(&locks, &path(name), &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Borrowed, name), "{error}");
        // Another object takes its place.
        reflect::apply(&mut locks, &Edit::new().set(path(name), 4), &options).unwrap();
    }
    assert_eq!((*locks.mutex.lock().unwrap(), *locks.lock.read().unwrap()), (4, 4));
}
