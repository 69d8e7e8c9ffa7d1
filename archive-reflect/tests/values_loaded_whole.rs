//! Changes in values that are only loaded as a whole.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList};
use std::rc::Rc;

use archive::path::Path;
use archive::reflect::{self, Content, Edit};
use archive::{ErrorKind, Options, Result, Serialize, Value, json};

#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
struct Tag {
    name: String,
    level: u8,
}

#[derive(Default, Serialize)]
#[archive(after_load = not_seven)]
struct World {
    names: BTreeSet<String>,
    tags: HashSet<Tag>,
    list: LinkedList<u8>,
    pairs: BTreeMap<(u8, u8), Tag>,
    numbers: HashMap<u32, Vec<u8>>,
    keyed: BTreeMap<String, Unit>,
    shared: BTreeMap<u8, Rc<RefCell<u8>>>,
    digits: BTreeSet<u8>,
}

#[derive(Default, Serialize)]
struct Unit {
    hp: u8,
    #[archive(skip)]
    cache: u8,
}

fn not_seven(world: &World) -> Result {
    if world.list.contains(&7) { Err(archive::Error::custom("a seven")) } else { Ok(()) }
}

fn world() -> World {
    let tag = |name: &str, level| Tag { name: name.into(), level };
    World {
        names: ["a", "b", "c"].map(String::from).into(),
        tags: [tag("x", 1), tag("y", 2)].into(),
        list: [1, 2, 3].into(),
        pairs: [((1, 2), tag("p", 1)), ((3, 4), tag("q", 2))].into(),
        numbers: [(5, vec![1]), (6, vec![2])].into(),
        keyed: [("a b".into(), Unit { hp: 1, cache: 9 }), ("c".into(), Unit { hp: 2, cache: 8 })]
            .into(),
        shared: [(1, Rc::new(RefCell::new(1)))].into(),
        digits: [3].into(),
    }
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn value(text: &str) -> Value {
    json::from_str(text).unwrap()
}

fn text(world: &World) -> String {
    json::to_string(world).unwrap()
}

#[test]
fn parts_are_changed_and_undone() {
    let options = Options::new();
    for (edit, place, wanted) in [
        (Edit::new().set(path("names[1]"), "z"), "names", r#"["a","c","z"]"#),
        (Edit::new().insert(path("names[0]"), "bb"), "names", r#"["a","b","bb","c"]"#),
        (Edit::new().remove(path("names[2]")), "names", r#"["a","b"]"#),
        (Edit::new().set(path("tags[1].level"), 7), "tags[1]", r#"{"name":"y","level":7}"#),
        (Edit::new().move_to(path("list[0]"), 2), "list", "[2,3,1]"),
        (Edit::new().insert(path("list[3]"), 4), "list", "[1,2,3,4]"),
        (
            Edit::new().set(path("pairs[0][0]"), value("[9,9]")),
            "pairs",
            r#"[[[3,4],{"name":"q","level":2}],[[9,9],{"name":"p","level":1}]]"#,
        ),
        (Edit::new().set(path("pairs[1][1].level"), 8), "pairs[1][1].level", "8"),
        (Edit::new().set(path("pairs[1][0][0]"), 8), "pairs[1][0]", "[8,4]"),
        (Edit::new().remove(path("pairs[0]")), "pairs", r#"[[[3,4],{"name":"q","level":2}]]"#),
        (
            Edit::new().insert(path("pairs[0]"), value(r#"[[0,0],{"name":"n"}]"#)),
            "pairs[0]",
            r#"[[0,0],{"name":"n","level":0}]"#,
        ),
        (Edit::new().rename(path("numbers.5"), "7"), "numbers", "[[6,[2]],[7,[1]]]"),
        (Edit::new().rename(path(r#"keyed["a b"]"#), "d"), "keyed.d.hp", "1"),
        (Edit::new().rename(path("shared.1"), "2"), "shared", r#"[[2,{"$id":1,"$value":1}]]"#),
        (Edit::new().set(path("digits[0]"), 9), "digits", "[9]"),
    ] {
        let mut world = world();
        let object = world.shared[&1].clone();
        let before = text(&world);
        let undo = reflect::apply(&mut world, &edit, &options).unwrap();
        assert_eq!(reflect::get(&world, &path(place), &options).unwrap().to_string(), wanted);
        assert_eq!(world.keyed["c"].cache, 8);
        assert!(world.shared.values().all(|shared| Rc::ptr_eq(shared, &object)));
        let after = text(&world);
        let redo = reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(text(&world), before, "{place}");
        reflect::apply(&mut world, &redo, &options).unwrap();
        assert_eq!(text(&world), after, "{place}");

        // A saved edit has the same effect elsewhere.
        let mut there = self::world();
        let saved: Edit = json::from_str(&json::to_string(&edit).unwrap()).unwrap();
        reflect::apply(&mut there, &saved, &options).unwrap();
        assert_eq!(text(&there), after, "{place}");
    }
}

#[test]
fn refusals_give_the_reason() {
    let options = Options::new();
    let mut world = world();
    let before = text(&world);
    let shared = Rc::new(RefCell::new(3));
    let live = Content::live(&shared, &options).unwrap();
    for (edit, kind, wanted) in [
        (
            Edit::new().set(path("names[1]"), "a"),
            ErrorKind::DuplicateMember,
            "names: duplicate element or key",
        ),
        (Edit::new().insert(path("names[1]"), "a"), ErrorKind::DuplicateMember, "names: "),
        (
            Edit::new().move_to(path("names[0]"), 2),
            ErrorKind::ReadOnly,
            "names: these items cannot be moved: their container determines their order",
        ),
        (Edit::new().set(path("names[9]"), "a"), ErrorKind::NotFound, "names: there is no item 9"),
        (Edit::new().insert(path("names[9]"), "z"), ErrorKind::NotFound, "names: there is no"),
        (Edit::new().set(path("names[1]"), 5), ErrorKind::WrongType, "names[1]: expected text"),
        (Edit::new().set(path("tags[0].hp"), 5), ErrorKind::NotFound, "tags[0]: there is no `hp`"),
        (Edit::new().set(path("tags[0].level"), 256), ErrorKind::OutOfRange, "tags[0].level: "),
        (Edit::new().set(path("list[0]"), 7), ErrorKind::Custom, "a seven"),
        (
            Edit::new().set(path("pairs[0][0]"), value("[3,4]")),
            ErrorKind::DuplicateMember,
            "pairs: duplicate",
        ),
        (Edit::new().rename(path("numbers.5"), "6"), ErrorKind::DuplicateMember, "numbers: "),
        (Edit::new().rename(path("numbers.5"), "x"), ErrorKind::WrongType, "numbers[0][0]: "),
        (Edit::new().rename(path("numbers.9"), "x"), ErrorKind::NotFound, "numbers: "),
        (Edit::new().rename(path("names[0]"), "x"), ErrorKind::NotFound, "names[0]: only entries"),
        (
            Edit::new().rename(path("keyed.c.hp"), "x"),
            ErrorKind::NotFound,
            "keyed.c.hp: only entries",
        ),
        (Edit::new().rename(path(""), "x"), ErrorKind::NotFound, "only entries of maps"),
        (
            Edit::new().insert(path("list[0]"), live),
            ErrorKind::BadPointer,
            "list[0]: shared object 1 is stored elsewhere",
        ),
        (Edit::new().variant(path("list[0]"), "x"), ErrorKind::ReadOnly, "list: a part of this"),
    ] {
        let edit = Edit::new().set(path("keyed.c.hp"), 77).change_all(edit);
        let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{edit:?}: {error}");
        assert!(error.to_string().starts_with(wanted), "{error}");
        assert_eq!(text(&world), before, "{edit:?}: {error}");
        assert_eq!(world.keyed["c"].cache, 8);
    }
}

trait ChangeAll {
    fn change_all(self, other: Edit) -> Edit;
}
impl ChangeAll for Edit {
    fn change_all(self, other: Edit) -> Edit {
        other.changes().iter().cloned().fold(self, Edit::change)
    }
}

#[test]
fn a_set_is_merged_as_a_whole() {
    let (mut world, options) = (world(), Options::new());
    let before = text(&world);
    let overrides = value(r#"{"names":["b","c","d"],"list":[9,8,7]}"#);
    let error = reflect::merge(&mut world, &overrides, &options).unwrap_err();
    assert_eq!(error.to_string(), "a seven");
    assert_eq!(text(&world), before);
    let overrides = value(r#"{"names":["b","c","d"],"list":[9,8,6]}"#);
    let undo = reflect::merge(&mut world, &overrides, &options).unwrap();
    assert!(world.names.iter().eq(["b", "c", "d"]) && world.list.iter().eq(&[9, 8, 6]));
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!(text(&world), before);
}

/// A heap is saved in the order in which it pops, and not in that of its memory.
#[test]
fn the_item_of_a_heap_is_the_one_that_was_read() {
    let options = Options::new();
    let mut heap = std::collections::BinaryHeap::from([1, 5, 3, 4, 2]);
    let second = path("[1]");
    assert_eq!(reflect::get_as::<i32>(&heap, &second, &options).unwrap(), 4);
    let undo = reflect::apply(&mut heap, &Edit::new().set(second, 0), &options).unwrap();
    assert_eq!(heap.clone().into_sorted_vec(), [0, 1, 2, 3, 5]);
    reflect::apply(&mut heap, &undo, &options).unwrap();
    assert_eq!(heap.into_sorted_vec(), [1, 2, 3, 4, 5]);
}

/// A type that is stored as another one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Colour {
    packed: u32,
}
archive::stored_as! {
    Colour as [u8; 3] {
        save: |colour| { let [_, r, g, b] = colour.packed.to_be_bytes(); Ok([r, g, b]) },
        load: |[r, g, b]| if r == 13 { Err(archive::Error::custom("unlucky")) } else {
            Ok(Colour { packed: u32::from_be_bytes([0, r, g, b]) })
        },
    }
}

#[test]
fn a_part_of_a_value_stored_as_another_type_is_changed() {
    let options = Options::new();
    let mut colours = vec![Colour { packed: 0x01_02_03 }];
    assert_eq!(reflect::get_as::<u8>(&colours, &path("[0][2]"), &options).unwrap(), 3);
    let edit = Edit::new().set(path("[0][2]"), 9);
    let undo = reflect::apply(&mut colours, &edit, &options).unwrap();
    assert_eq!(colours[0].packed, 0x01_02_09);
    let error = reflect::apply(&mut colours, &Edit::new().set(path("[0][0]"), 13), &options);
    assert_eq!(error.unwrap_err().to_string(), "[0]: unlucky");
    let error = reflect::apply(&mut colours, &Edit::new().remove(path("[0][0]")), &options);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::ReadOnly);
    reflect::apply(&mut colours, &undo, &options).unwrap();
    assert_eq!(colours[0].packed, 0x01_02_03);
}
