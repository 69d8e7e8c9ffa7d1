//! Values of binary files that are replaced in place: the file is the one that a document writes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::path::{Path, Step};
use archive::value::Number;
use archive::{Format, Serialize, Value, binary, json};

use crate::run_command::{folder, golden, options, places, run};

#[derive(Clone, Default, Serialize)]
struct Point {
    x: i16,
    y: f32,
    on: bool,
}

#[derive(Clone, Default, Serialize)]
enum State {
    #[default]
    Idle,
    At(Point),
    Named {
        name: String,
        count: u64,
    },
}

#[derive(Clone, Default, Serialize)]
struct Item {
    name: String,
    at: Point,
    path: Vec<Point>,
    numbers: Vec<u32>,
    fixed: [u16; 3],
    pair: (u8, String),
    state: State,
    maybe: Option<i64>,
    nested: Option<Option<u16>>,
    names: BTreeMap<String, Vec<i8>>,
    by_number: BTreeMap<u16, String>,
    letter: char,
    bytes: Vec<u8>,
    unit: (),
}

/// An object of a function written by hand.
#[derive(Clone, Default)]
struct Hand {
    at: u16,
    text: String,
    points: Vec<Point>,
}

archive::blank!(Hand);
archive::save_by_clone!(Hand);
impl Serialize for Hand {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("at", &mut self.at)?;
        if self.at != 2 {
            ar.serialize("text", &mut self.text)?;
        }
        ar.serialize("points", &mut self.points)
    }
}

#[derive(Default, Serialize)]
struct Unit {
    hand: Hand,
    item: Item,
    friend: Weak<RefCell<Unit>>,
    items: Vec<Item>,
}

#[derive(Default, Serialize)]
struct World {
    first: Item,
    units: Vec<Rc<RefCell<Unit>>>,
    friends: Vec<Weak<RefCell<Unit>>>,
    tree: Value,
    trees: Vec<Value>,
    hands: Vec<Hand>,
    last: u32,
}

fn item(at: u16) -> Item {
    let point = |at: u16| Point { x: -(at as i16), y: at.into(), on: at.is_multiple_of(2) };
    Item {
        name: format!("item {at}"),
        at: point(at),
        path: (0..at % 4).map(point).collect(),
        numbers: (0..u32::from(at % 5)).map(|number| number * 1000).collect(),
        fixed: [at, 300, 65_535],
        pair: (at as u8, "pair".into()),
        state: match at % 3 {
            0 => State::Idle,
            1 => State::At(point(at)),
            _ => State::Named { name: "state".into(), count: 1 << 40 },
        },
        maybe: (!at.is_multiple_of(2)).then_some(-5),
        nested: [None, Some(None), Some(Some(at))][usize::from(at % 3)],
        names: [("a".to_owned(), vec![1, -1]), ("b c".to_owned(), vec![])].into(),
        by_number: [(at, "x".to_owned()), (700, String::new())].into(),
        letter: 'ä',
        bytes: vec![0, 255],
        unit: (),
    }
}

fn world() -> World {
    let hand = |at: u16| Hand { at, text: format!("hand {at}"), points: vec![Point::default()] };
    let unit = |at: u16| Unit {
        hand: hand(at),
        item: item(at),
        friend: Weak::new(),
        items: (0..at).map(item).collect(),
    };
    let units: Vec<_> = (0..4).map(|at| Rc::new(RefCell::new(unit(at)))).collect();
    units[0].borrow_mut().friend = Rc::downgrade(&units[3]);
    let tree = json::from_str("{\"a\":[1,{\"b\":\"text\"}]}").unwrap();
    let trees = vec![Value::from(7), Value::Null, json::from_str("{\"hp\":-7,\"x\":1.5}").unwrap()];
    let friends = units.iter().map(Rc::downgrade).chain([Weak::new()]).collect();
    World {
        first: item(7),
        friends,
        units,
        tree,
        trees,
        hands: (0..4).map(hand).collect(),
        last: 70_000,
    }
}

/// Values of the same kind that take fewer and more bytes.
fn others(value: &Value) -> Vec<Value> {
    match value {
        // Without a type, a float remains a float.
        Value::Number(Number::F64(_)) => vec![Value::from(0.5), Value::from(-7.25)],
        Value::Number(_) => vec![Value::from(0), Value::from(100), Value::from(30_000)],
        Value::Str(_) => vec![Value::from(""), Value::from("b"), Value::from("x".repeat(300))],
        Value::Bool(value) => vec![Value::from(!value)],
        Value::Null => vec![Value::Null, Value::from(7)],
        Value::Array(items) => {
            let mut twice = items.clone();
            twice.extend(items.clone());
            vec![Value::Array(Vec::new()), Value::Array(twice)]
        }
        Value::Object(members) if members[..].first().is_some_and(|(name, _)| name == "$weak") => {
            let weak = |id: u64| Value::Object(vec![("$weak".to_owned(), Value::from(id))]);
            vec![Value::Null, weak(1), weak(2), weak(4), weak(77)]
        }
        // The same members, others, and another order.
        Value::Object(members) => {
            let mut new = members.clone();
            for (_, value) in &mut new {
                *value = others(value).pop().unwrap_or_default();
            }
            let mut more = members.clone();
            more.push(("another".to_owned(), Value::from(7)));
            let turned = members.iter().rev().cloned().collect();
            vec![Value::Object(new), Value::Object(more), Value::Object(turned)]
        }
        other => vec![other.clone()],
    }
}

fn set(tree: &mut Value, path: &Path, value: &Value) -> Option<()> {
    let mut at = tree;
    for step in path.steps() {
        at = match step {
            Step::Name(name) => at.get_mut(name)?,
            Step::Index(index) => at.item_mut(*index)?,
            Step::Object(_) => return None,
        };
    }
    *at = value.clone();
    Some(())
}

#[test]
fn a_patched_file_is_the_one_that_a_document_writes() {
    let folder = folder();
    let (path, out) = (folder.path().join("in"), folder.path().join("out"));
    let mut files: Vec<Vec<u8>> = golden()
        .iter()
        .filter(|file| file.format == Format::Binary && file.text().contains("v2"))
        .map(|file| file.bytes())
        .collect();
    files.push(binary::to_vec(&world()).unwrap());
    files.push(binary::to_vec(&vec![item(1), item(5)]).unwrap());
    let (mut same, mut refused, mut weak) = (0, 0, 0);
    for bytes in files {
        std::fs::write(&path, &bytes).unwrap();
        let tree: Value = binary::from_slice_with(&bytes, &options()).unwrap();
        let mut all = Vec::new();
        places(&tree, &Path::new(), &mut all);
        all.retain(|(path, _)| !path.to_string().contains('$') && !path.is_empty());
        let step = all.len() / 100 + 1;
        let is_weak = |value: &Value| value.get("$weak").is_some();
        // All references, and a part of the other values.
        let (all, other): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, old)| is_weak(old));
        for (at, old) in all.into_iter().chain(other.into_iter().step_by(step)) {
            for new in others(&old) {
                let mut document = binary::Document::from_slice_with(&bytes, &options()).unwrap();
                if set(&mut document.value, &at, &new).is_none() {
                    continue;
                }
                let expected = document.to_vec_with(&options());
                // With its ids.
                let value = new.to_string();
                // A value that is saved alone has other ids.
                let is_weak =
                    matches!(&new, Value::Object(one) if one.len() == 1 && one[0].0 == "$weak");
                if is_weak {
                    weak += 1;
                } else if value.contains("$id") || value.contains("$weak") {
                    continue;
                }
                let _ = std::fs::remove_file(&out);
                let (file, to) = (path.to_str().unwrap(), out.to_str().unwrap());
                let output = run(&["set", file, &at.to_string(), &value, "-o", to]);
                let errors = String::from_utf8(output.stderr).unwrap();
                match expected {
                    Ok(expected) => {
                        assert!(output.status.success(), "{at} {value}: {errors}");
                        assert!(std::fs::read(&out).unwrap() == expected, "{at} {value}");
                        same += 1;
                    }
                    Err(error) => {
                        assert!(!output.status.success(), "{at} {value}: {error}");
                        assert!(errors.contains(error.path()), "{at} {value}: {error} {errors}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(same > 300 && refused > 10 && weak > 10, "{same} {refused} {weak}");
}

/// Many values at once, before shared objects and inside of them.
#[test]
fn many_values_are_patched_at_once() {
    let folder = folder();
    let path = folder.path().join("world");
    let file = path.to_str().unwrap();
    for (pattern, value) in [
        ("units[*].item.name", "\"a longer name than before\""),
        ("units[*].items[*].fixed[1]", "7"),
        ("units[*].items[*].at", "{\"x\":1,\"y\":2.5,\"on\":true}"),
        ("first.*.x", "5"),
        ("units[*].items[*].names.a[*]", "3"),
        ("first.name", "\"\""),
        ("$2.item.numbers", "[1,2,3,4,5,6,7,8,9]"),
    ] {
        std::fs::write(&path, binary::to_vec(&world()).unwrap()).unwrap();
        let before: Value = json::from_str(&crate::run_command::ok(&["get", file])).unwrap();
        let found = crate::run_command::ok(&["get", file, pattern, "--paths"]).lines().count();
        crate::run_command::ok(&["set", file, pattern, value]);
        let bytes = std::fs::read(&path).unwrap();
        binary::from_slice::<World>(&bytes).unwrap();
        let after = crate::run_command::ok(&["get", file, pattern, "-c"]);
        let expected: Value = json::from_str(value).unwrap();
        for line in after.lines() {
            assert_eq!(json::from_str::<Value>(line).unwrap(), expected, "{pattern}");
        }
        let now: Value = json::from_str(&crate::run_command::ok(&["get", file])).unwrap();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        places(&before, &Path::new(), &mut old);
        places(&now, &Path::new(), &mut new);
        let changed = new.iter().filter(|one| !old.contains(one)).count();
        assert!(found > 0 && changed > 0, "{pattern}");
    }
}
