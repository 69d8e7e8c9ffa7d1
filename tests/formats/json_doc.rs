//! The snippets of `docs/formats/json.md` are checked.
#![cfg(all(feature = "json", feature = "derive"))]

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::rc::{Rc, Weak};

use archive::{Archive, Blank, Options, Registry, Save, Serialize, json};

const PAGE: &str = include_str!("../../docs/formats/json.md");

/// The names and texts of the blocks that follow a `<!-- check: name -->`.
fn blocks() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split("<!-- check: ").skip(1).map(|part| {
        let (name, rest) = part.split_once(" -->\n```").expect("a block follows the marker");
        let (_, rest) = rest.split_once('\n').expect("the block has a first line");
        let (text, _) = rest.split_once("\n```").expect("the block is closed");
        (name, text)
    })
}

fn block(name: &str) -> &'static str {
    let mut found = blocks().filter(|(other, _)| *other == name);
    let (_, text) = found.next().unwrap_or_else(|| panic!("no block is called `{name}`"));
    assert!(found.next().is_none(), "two blocks are called `{name}`");
    text
}

/// The value is written as in the block, and loads equal.
fn written<T: Serialize + Save + Blank + PartialEq + Debug>(name: &str, value: &T) {
    assert_eq!(json::to_string(value).unwrap(), block(name));
    assert_eq!(&json::from_str::<T>(block(name)).unwrap(), value);
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u8,
    speed: f32,
    state: State,
    position: [f32; 2],
    bag: HashMap<String, u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Follow(u32),
    Patrol(f32, f32),
    Attack {
        target: u32,
        since: f64,
    },
}

#[test]
fn every_block_is_checked() {
    let names: Vec<&str> = blocks().map(|(name, _)| name).collect();
    let checked = include_str!("json_doc.rs");
    for name in &names {
        assert!(checked.contains(&format!("(\"{name}\"")), "nothing checks `{name}`");
    }
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
    assert_eq!(PAGE.matches("```json\n").count() + PAGE.matches("```text\n").count(), names.len());
}

#[test]
fn structs() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Unit {
        name: String,
        hp: u8,
        position: [f32; 2],
    }
    let ann = Unit { name: "Ann".into(), hp: 7, position: [1.5, -2.0] };
    written("struct", &ann);
    let laid_out = |options| json::to_string_with(&ann, &options).unwrap();
    assert_eq!(laid_out(Options::new().width(40)), block("width"));
    assert_eq!(laid_out(Options::new().canonical(true)), block("canonical"));
    let relaxed = Options::new().relaxed(true);
    let by_hand: Unit = json::from_str_with(block("relaxed"), &relaxed).unwrap();
    assert_eq!(by_hand, Unit { hp: 0, ..ann });
    assert!(json::from_str::<Unit>(block("relaxed")).is_err());

    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Marker;
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Metres(f64);
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Cell(i32, i32);
    written("tuple structs", &(Marker, Metres(3.5), Cell(1, 2)));

    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(version = 2)]
    struct Versioned {
        hp: u8,
    }
    written("version", &Versioned { hp: 7 });
}

#[test]
fn numbers() {
    let finite = (-3_i8, u64::MAX, i128::MIN, 0.1_f32, 1.0_f64, -0.0_f64, 1e300_f64);
    let (nan, inf) = (f64::NAN, f32::INFINITY);
    let (a, b, c, d, e, f, g) = finite;
    let all = (a, b, c, d, e, f, g, nan, inf, -inf);
    assert_eq!(json::to_string(&all).unwrap(), block("numbers"));
    let mut loaded = (0_i8, 0_u64, 0_i128, 0_f32, 0_f64, 0_f64, 0_f64, 0_f64, 0_f32, 0_f32);
    json::load_into(&mut loaded, block("numbers").as_bytes()).unwrap();
    assert_eq!((loaded.0, loaded.1, loaded.2, loaded.3, loaded.4, loaded.5, loaded.6), finite);
    assert!(loaded.5.is_sign_negative() && loaded.7.is_nan());
    assert_eq!((loaded.8, loaded.9), (inf, -inf));
}

#[test]
fn text() {
    let value = ("Café".to_owned(), " \"quoted\"\n\0".to_owned(), 'x', true);
    assert_eq!(json::from_str::<(String, String, char, bool)>(block("text")).unwrap(), value);
    assert_eq!(json::to_string(&value).unwrap(), block("text").replace("\\u00e9", "é"));
}

#[test]
fn options_and_enums() {
    type Wrapped = Option<Option<u8>>;
    let value: (Option<u8>, Option<u8>, Wrapped, Wrapped, Wrapped) =
        (None, Some(7), None, Some(None), Some(Some(7)));
    written("options", &value);
    let states = vec![
        State::Idle,
        State::Follow(7),
        State::Patrol(1.0, 2.5),
        State::Attack { target: 7, since: 1.5 },
    ];
    written("enums", &states);
}

#[test]
fn maps() {
    written("maps", &HashMap::from([("rope".to_owned(), 1), ("lamp oil".to_owned(), 3)]));
}

#[derive(Debug, PartialEq, Serialize)]
struct Scores(#[archive(as_object)] HashMap<String, u32>);

#[test]
fn maps_as_objects() {
    written("objects", &Scores(HashMap::from([("$".to_owned(), 4), ("Ann".to_owned(), 3)])));
}

#[derive(Debug, Default, Serialize)]
struct Soldier {
    name: String,
    leader: Weak<RefCell<Soldier>>,
}

#[test]
fn shared_pointers() {
    let ann = Rc::new(RefCell::new(Soldier { name: "Ann".into(), leader: Weak::new() }));
    let leader = Rc::downgrade(&ann);
    let bo = Rc::new(RefCell::new(Soldier { name: "Bo".into(), leader }));
    let text = json::to_string(&vec![ann.clone(), ann, bo]).unwrap();
    assert_eq!(text, block("shared"));
    let loaded: Vec<Rc<RefCell<Soldier>>> = json::from_str(&text).unwrap();
    assert!(Rc::ptr_eq(&loaded[0], &loaded[1]));
    assert!(Rc::ptr_eq(&loaded[0], &loaded[2].borrow().leader.upgrade().unwrap()));
}

trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
struct MoveTo {
    x: i32,
    y: i32,
}
impl Command for MoveTo {}

#[derive(Serialize)]
struct Orders {
    owned: Box<dyn Command>,
    shared: Rc<RefCell<dyn Command>>,
}

#[test]
fn trait_objects() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo }).unwrap();
    let options = Options::new().registry(&registry);
    let shared = Rc::new(RefCell::new(MoveTo { x: 3, y: 4 }));
    let orders = Orders { owned: Box::new(MoveTo { x: 1, y: 2 }), shared };
    let text = json::to_string_with(&orders, &options).unwrap();
    assert_eq!(text, block("trait objects"));
    let loaded: Orders = json::from_str_with(&text, &options).unwrap();
    assert_eq!(json::to_string_with(&loaded, &options).unwrap(), text);
}

#[derive(Default, Serialize)]
struct Link {
    value: u32,
    next: Option<Rc<RefCell<Link>>>,
}

#[test]
fn deferred_objects() {
    let first: Rc<RefCell<Link>> = json::from_str(block("deferred")).unwrap();
    let second = first.borrow().next.clone().unwrap();
    assert_eq!((first.borrow().value, second.borrow().value), (1, 2));
    assert!(second.borrow().next.is_none());

    let chain = |length| {
        (0..length).fold(None, |next, value| Some(Rc::new(RefCell::new(Link { value, next }))))
    };
    let waits = |length| json::to_string(&chain(length)).unwrap().contains("$later");
    assert!(!waits(3) && waits(40));
}

#[test]
fn named_roots() {
    #[derive(Default, Serialize)]
    #[archive(rename_all = "UPPERCASE")]
    struct Rect {
        x: i16,
        y: i16,
        w: u16,
        h: u16,
    }
    let mut writer = json::Writer::new();
    writer.save("Rect", &Rect { x: 32, y: 0, w: 32, h: 32 }).unwrap();
    writer.save("Title", "Hall").unwrap();
    assert_eq!(writer.finish().unwrap(), block("roots"));
    let (mut title, mut rect) = (String::new(), Rect::default());
    let mut reader = json::Reader::new(block("roots")).unwrap();
    reader.serialize("Title", &mut title).unwrap();
    reader.serialize("Rect", &mut rect).unwrap();
    reader.finish().unwrap();
    assert_eq!((title.as_str(), rect.x, rect.h), ("Hall", 32, 32));
}

#[test]
fn accepted_snippets() {
    let ann = Unit { name: "Ann".into(), ..Unit::default() };
    let seven = Unit { hp: 7, ..Unit::default() };
    let bag = HashMap::from([("rope".to_owned(), 1), ("$x".to_owned(), 2)]);
    let expected = [
        Unit { hp: 7, ..ann.clone() },
        ann.clone(),
        seven.clone(),
        seven,
        Unit { speed: 3.0, ..Unit::default() },
        Unit { bag, ..Unit::default() },
        ann,
    ];
    let lines: Vec<&str> = block("accepted").lines().collect();
    assert_eq!(lines.len(), expected.len());
    for (line, expected) in lines.into_iter().zip(expected) {
        assert_eq!(json::from_str::<Unit>(line).unwrap(), expected, "{line}");
    }
    let strict = Options::new().strict(true);
    assert!(json::from_str_with::<Unit>(r#"{"colour":"red"}"#, &strict).is_err());
}

#[test]
fn pointers_in_other_forms() {
    type Pair = (Rc<RefCell<u8>>, Rc<RefCell<u8>>);
    for text in [r#"[{"$id":7},{"$id":7,"$value":1}]"#, r#"[{"$value":1,"$id":7},{"$id":7}]"#] {
        let (a, b): Pair = json::from_str(text).unwrap();
        assert!(Rc::ptr_eq(&a, &b) && *a.borrow() == 1, "{text}");
    }
    let (a, b): Pair = json::from_str("[1,1]").unwrap();
    assert!(!Rc::ptr_eq(&a, &b) && a == b);
}

#[test]
fn errors() {
    for line in block("errors").lines() {
        let (text, message) = line.split_once("   ").expect("text, space, message");
        let error = json::from_str::<Unit>(text).expect_err(text);
        assert_eq!(error.to_string(), message.trim_start(), "{text}");
    }
}

#[test]
fn depth() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(json::from_str::<archive::Value>(&nested(384)).is_ok());
    assert!(json::from_str::<archive::Value>(&nested(385)).is_err());
}
