//! The values after a load over an old value or an edit: the table in the documentation of
//! `load_into`, and that of edits in `docs/REFLECTION.md`.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::fmt::{Debug, Formatter};
use std::rc::{Rc, Weak};
use std::sync::{Mutex, RwLock};

use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::{Archive, Options, Registry, Result, Serialize, Value, json};
use archive_test_support::each_once;

/// A saved member, one that the file lacks, and one that is not saved.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Part {
    a: u8,
    b: u8,
    #[archive(skip)]
    skipped: u8,
}

impl Debug for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.a, self.b, self.skipped)
    }
}

fn part() -> Part {
    Part { a: 1, b: 2, skipped: 3 }
}

#[derive(Clone, Debug, Default, Serialize)]
struct Pair(Part, u8);

#[derive(Clone, Debug, Default, Serialize)]
struct Newtype(Part);

#[derive(Clone, Debug, Default, Serialize)]
struct Base {
    x: u8,
    y: u8,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Derived {
    #[archive(base)]
    base: Base,
    #[archive(flatten)]
    part: Part,
}

#[derive(Clone, Default, Debug)]
struct ByHand(Part);

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("a", &mut self.0.a)?;
        ar.serialize("b", &mut self.0.b)
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

#[derive(Clone, Debug, Default, Serialize)]
struct Kept {
    a: u8,
    #[archive(skip(keep))]
    kept: u8,
    #[archive(skip)]
    skipped: u8,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Left {
    #[archive(skip_if_default)]
    out: u8,
    #[archive(skip_if = is_zero, default = 5)]
    five: u8,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A part as its first member.
mod first {
    use super::Part;

    pub fn save(part: &Part) -> archive::Result<u8> {
        Ok(part.a)
    }
    pub fn load(a: u8) -> archive::Result<Part> {
        Ok(Part { a, ..Part::default() })
    }
}

#[derive(Clone, Debug, Default, Serialize)]
enum Choice {
    #[default]
    Unit,
    Of(Part),
    Named {
        part: Part,
        #[archive(skip)]
        skipped: u8,
    },
}

trait Thing: archive::Polymorphic + Debug {}
archive::polymorphic!(dyn Thing);
impl Thing for Part {}
impl Thing for Base {}

#[derive(Default, Serialize)]
struct All {
    object: Part,
    pair: Pair,
    newtype: Newtype,
    derived: Derived,
    by_hand: ByHand,
    kept: Kept,
    kept_list: Vec<Kept>,
    left: Left,
    #[archive(with = first)]
    with: Part,
    #[archive(bytes)]
    bytes: Vec<u8>,
    number: u8,
    text: String,
    cow: Cow<'static, str>,
    tree: Value,
    option: Option<Part>,
    choice: Choice,
    other: Choice,
    tuple: (Part, u8),
    array: [Part; 2],
    list: Vec<Part>,
    deque: VecDeque<Part>,
    linked: LinkedList<Part>,
    set: BTreeSet<Part>,
    sorted: BTreeMap<String, Part>,
    hashed: HashMap<u8, Part>,
    boxed: Box<Part>,
    thing: Option<Box<dyn Thing>>,
    shared: Rc<RefCell<Part>>,
    bare: Rc<Part>,
    weak: Weak<RefCell<Part>>,
    in_cell: RefCell<Part>,
    number_in_cell: Cell<u8>,
    in_mutex: Mutex<Part>,
    in_lock: RwLock<Part>,
}

fn all() -> All {
    let shared = Rc::new(RefCell::new(part()));
    let kept = Kept { a: 1, kept: 7, skipped: 3 };
    All {
        object: part(),
        pair: Pair(part(), 1),
        newtype: Newtype(part()),
        derived: Derived { base: Base { x: 1, y: 2 }, part: part() },
        by_hand: ByHand(part()),
        kept: kept.clone(),
        kept_list: vec![kept],
        left: Left { out: 1, five: 1 },
        with: part(),
        bytes: vec![1, 2],
        number: 1,
        text: "text".into(),
        cow: "text".into(),
        tree: json::from_str(r#"{"a":1,"b":2}"#).unwrap(),
        option: Some(part()),
        choice: Choice::Named { part: part(), skipped: 3 },
        other: Choice::Of(part()),
        tuple: (part(), 1),
        array: [part(), part()],
        list: vec![part(), part()],
        deque: [part(), part()].into(),
        linked: [part(), part()].into(),
        set: [part()].into(),
        sorted: [("k".into(), part()), ("l".into(), part())].into(),
        hashed: [(1, part())].into(),
        boxed: Box::new(part()),
        thing: Some(Box::new(part())),
        weak: Rc::downgrade(&shared),
        shared,
        bare: Rc::new(part()),
        in_cell: RefCell::new(part()),
        number_in_cell: Cell::new(1),
        in_mutex: Mutex::new(part()),
        in_lock: RwLock::new(part()),
    }
}

/// A member, its value in the file or the edit, and its value after a load over it and after an
/// edit.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// The rows of both tables, in the order of that of `load_into`.
const ROWS: &[Row] = &[
    // Member by member.
    ("object", r#"{"a":9}"#, "9/2/3", "9/2/3"),
    ("pair", r#"[{"a":9},8]"#, "Pair(9/2/3, 8)", "Pair(9/2/3, 8)"),
    ("newtype", r#"{"a":9}"#, "Newtype(9/2/3)", "Newtype(9/2/3)"),
    (
        "derived",
        r#"{"Base":{"x":9},"a":9}"#,
        "Derived { base: Base { x: 9, y: 2 }, part: 9/2/3 }",
        "Derived { base: Base { x: 9, y: 2 }, part: 9/2/3 }",
    ),
    ("by_hand", r#"{"a":9}"#, "ByHand(9/2/3)", "ByHand(9/2/3)"),
    // Fields that are not saved.
    (
        "kept",
        r#"{"a":9}"#,
        "Kept { a: 9, kept: 7, skipped: 3 }",
        "Kept { a: 9, kept: 7, skipped: 3 }",
    ),
    (
        "kept_list",
        r#"[{"a":9}]"#,
        "[Kept { a: 9, kept: 7, skipped: 0 }]",
        "[Kept { a: 9, kept: 7, skipped: 3 }]",
    ),
    // Defaults that are left out.
    ("left", "{}", "Left { out: 0, five: 5 }", "Left { out: 1, five: 1 }"),
    // Replaced.
    ("with", "9", "9/0/0", "9/0/0"),
    ("bytes", "[9]", "[9]", "[9]"),
    ("number", "9", "9", "9"),
    ("text", r#""new""#, r#""new""#, r#""new""#),
    ("cow", r#""new""#, r#""new""#, r#""new""#),
    (
        "tree",
        r#"{"a":9}"#,
        r#"Object([("a", Number(Int(9)))])"#,
        r#"Object([("a", Number(Int(9)))])"#,
    ),
    ("option", "null", "None", "None"),
    ("option", r#"{"a":9}"#, "Some(9/0/0)", "Some(9/2/3)"),
    // An enum.
    (
        "choice",
        r#"{"Named":{"part":{"a":9}}}"#,
        "Named { part: 9/0/0, skipped: 0 }",
        "Named { part: 9/2/3, skipped: 3 }",
    ),
    ("choice", r#""Unit""#, "Unit", "Unit"),
    ("other", r#"{"Of":{"a":9}}"#, "Of(9/0/0)", "Of(9/2/3)"),
    // Items.
    ("tuple", r#"[{"a":9},8]"#, "(9/0/0, 8)", "(9/2/3, 8)"),
    ("array", r#"[{"a":9},{"a":8}]"#, "[9/0/0, 8/0/0]", "[9/2/3, 8/2/3]"),
    // Elements.
    ("list", r#"[{"a":9}]"#, "[9/0/0]", "[9/2/3]"),
    ("list", r#"[{"a":9},{"a":8},{"a":7}]"#, "[9/0/0, 8/0/0, 7/0/0]", "[9/2/3, 8/2/3, 7/0/0]"),
    ("deque", r#"[{"a":9}]"#, "[9/0/0]", "[9/2/3]"),
    ("linked", r#"[{"a":9}]"#, "[9/0/0]", "[9/0/0]"),
    ("set", r#"[{"a":9}]"#, "{9/0/0}", "{9/0/0}"),
    ("sorted", r#"[["k",{"a":9}]]"#, r#"{"k": 9/0/0}"#, r#"{"k": 9/2/3}"#),
    ("sorted", r#"{"new":{"a":9}}"#, r#"{"new": 9/0/0}"#, r#"{"new": 9/0/0}"#),
    ("hashed", r#"[[1,{"a":9}]]"#, "{1: 9/0/0}", "{1: 9/2/3}"),
    // Pointers and cells.
    ("boxed", r#"{"a":9}"#, "9/0/0", "9/2/3"),
    ("thing", r#"{"$type":"Part","$value":{"a":9}}"#, "Some(9/0/0)", "Some(9/0/0)"),
    (
        "thing",
        r#"{"$type":"Base","$value":{"x":9}}"#,
        "Some(Base { x: 9, y: 0 })",
        "Some(Base { x: 9, y: 0 })",
    ),
    ("bare", r#"{"$id":1,"$value":{"a":9}}"#, "9/0/0", "9/0/0"),
    (
        "shared",
        r#"{"$id":1,"$value":{"a":9}}"#,
        "RefCell { value: 9/0/0 }",
        "RefCell { value: 9/0/0 }",
    ),
    ("in_cell", r#"{"a":9}"#, "RefCell { value: 9/2/3 }", "RefCell { value: 9/2/3 }"),
    ("number_in_cell", "9", "Cell { value: 9 }", "Cell { value: 9 }"),
    ("in_mutex", r#"{"a":9}"#, "9/2/3", "9/2/3"),
    ("in_lock", r#"{"a":9}"#, "9/2/3", "9/2/3"),
];

/// Returns a member as text.
fn shown(all: &All, member: &str) -> String {
    match member {
        "object" => format!("{:?}", all.object),
        "pair" => format!("{:?}", all.pair),
        "newtype" => format!("{:?}", all.newtype),
        "derived" => format!("{:?}", all.derived),
        "by_hand" => format!("{:?}", all.by_hand),
        "kept" => format!("{:?}", all.kept),
        "kept_list" => format!("{:?}", all.kept_list),
        "left" => format!("{:?}", all.left),
        "with" => format!("{:?}", all.with),
        "bytes" => format!("{:?}", all.bytes),
        "number" => format!("{:?}", all.number),
        "text" => format!("{:?}", all.text),
        "cow" => format!("{:?}", all.cow),
        "tree" => format!("{:?}", all.tree),
        "option" => format!("{:?}", all.option),
        "choice" => format!("{:?}", all.choice),
        "other" => format!("{:?}", all.other),
        "tuple" => format!("{:?}", all.tuple),
        "array" => format!("{:?}", all.array),
        "list" => format!("{:?}", all.list),
        "deque" => format!("{:?}", all.deque),
        "linked" => format!("{:?}", all.linked),
        "set" => format!("{:?}", all.set),
        "sorted" => format!("{:?}", all.sorted),
        "hashed" => format!("{:?}", all.hashed),
        "boxed" => format!("{:?}", all.boxed),
        "thing" => format!("{:?}", all.thing),
        "bare" => format!("{:?}", all.bare),
        "shared" => format!("{:?}", all.shared),
        "in_cell" => format!("{:?}", all.in_cell),
        "number_in_cell" => format!("{:?}", all.number_in_cell),
        "in_mutex" => format!("{:?}", all.in_mutex.lock().unwrap()),
        "in_lock" => format!("{:?}", all.in_lock.read().unwrap()),
        other => panic!("no member `{other}`"),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Part, Base }).unwrap();
    registry
}

fn tree(text: &str) -> Value {
    json::from_str(text).unwrap()
}

#[test]
fn a_file_is_loaded_over_a_value() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    for (member, content, after_load, _) in ROWS {
        let file = Value::Object(vec![((*member).to_owned(), tree(content))]);
        for format in each_once() {
            let mut all = all();
            let untouched = shown(&all, "object");
            let bytes = format.to_vec(&file).unwrap();
            format.load_into_with(&mut all, &bytes, &options).unwrap();
            assert_eq!(shown(&all, member), *after_load, "{format}: {member}: {content}");
            if *member != "object" {
                assert_eq!(shown(&all, "object"), untouched, "a member that the file lacks");
            }
        }
    }
}

/// Adds `b` to each part in a tree.
fn with_b(tree: Value) -> Value {
    match tree {
        Value::Array(items) => Value::Array(items.into_iter().map(with_b).collect()),
        Value::Object(members) => {
            let is_part = members.iter().any(|(name, _)| name == "a");
            let members = members.into_iter().map(|(name, value)| (name, with_b(value)));
            Value::Object(members.chain(is_part.then(|| ("b".to_owned(), 8.into()))).collect())
        }
        other => other,
    }
}

/// As above, where the file has exactly the type: no member is absent, and `b` is 8.
#[test]
fn a_file_of_the_type_is_loaded_over_a_value() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    for (member, content, after_load, _) in ROWS {
        if ["left", "tree", "kept", "kept_list"].contains(member) || !content.contains("\"a\"") {
            continue;
        }
        let mut file = all();
        let tree = Value::Object(vec![((*member).to_owned(), with_b(tree(content)))]);
        let bytes = json::to_vec(&tree).unwrap();
        json::load_into_with(&mut file, &bytes, &options).unwrap();
        let wanted = after_load.replace("/2/", "/8/").replace("/0/", "/8/");
        for format in each_once() {
            let mut all = all();
            let bytes = format.to_vec_with(&file, &options).unwrap();
            format.load_into_with(&mut all, &bytes, &options).unwrap();
            assert_eq!(shown(&all, member), wanted, "{format}: {member}: {content}");
        }
    }
}

#[test]
fn an_edit_changes_a_value_in_place() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    for (member, content, _, after_edit) in ROWS {
        let mut all = all();
        let edit = Edit::new().set(Path::parse(member).unwrap(), tree(content));
        reflect::apply(&mut all, &edit, &options).unwrap_or_else(|e| panic!("{member}: {e}"));
        assert_eq!(shown(&all, member), *after_edit, "{member}: {content}");
    }
}

/// Other pointers to an object still refer to it.
#[test]
fn shared_objects_are_not_loaded_over() {
    let file = r#"{"shared":{"$id":1,"$value":{"a":9}},"weak":{"$weak":1}}"#;
    for format in each_once() {
        let mut all = all();
        let (shared, bare) = (all.shared.clone(), all.bare.clone());
        let bytes = format.to_vec(&tree(file)).unwrap();
        format.load_into(&mut all, &bytes).unwrap();
        assert_eq!(*shared.borrow(), part());
        assert!(Rc::ptr_eq(&bare, &all.bare) && !Rc::ptr_eq(&shared, &all.shared));
        assert!(Rc::ptr_eq(&all.weak.upgrade().unwrap(), &all.shared), "{format}");
    }
    let mut all = all();
    let shared = all.shared.clone();
    let edit =
        Edit::new().set(Path::parse("shared").unwrap(), tree(r#"{"$id":1,"$value":{"a":9}}"#));
    reflect::apply(&mut all, &edit, &Options::new()).unwrap();
    assert_eq!((&*shared.borrow(), all.shared.borrow().a), (&part(), 9));
}
