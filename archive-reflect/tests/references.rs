//! The meaning of references in contents and trees after an edit.

use std::cell::RefCell;
use std::collections::LinkedList;
use std::rc::{Rc, Weak};

use archive::path::Path;
use archive::reflect::{self, Content, Edit};
use archive::{ErrorKind, Options, Serialize, Value, json};

#[derive(Default, Serialize)]
struct Unit {
    hp: u8,
    leader: Weak<RefCell<Unit>>,
    tree: Value,
}

#[derive(Default, Serialize)]
struct World {
    units: Vec<Rc<RefCell<Unit>>>,
    linked: LinkedList<Rc<RefCell<Unit>>>,
    weak: LinkedList<Weak<RefCell<Unit>>>,
    trees: Vec<Value>,
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn value(text: &str) -> Value {
    json::from_str(text).unwrap()
}

/// The second unit and the third one follow the first one.
fn world() -> World {
    let units: Vec<_> =
        (1..=3).map(|hp| Rc::new(RefCell::new(Unit { hp, ..Unit::default() }))).collect();
    for follower in &units[1..] {
        follower.borrow_mut().leader = Rc::downgrade(&units[0]);
    }
    World {
        linked: units.iter().cloned().collect(),
        weak: units.iter().map(Rc::downgrade).collect(),
        units,
        ..World::default()
    }
}

fn is(weak: &Weak<RefCell<Unit>>, unit: &Rc<RefCell<Unit>>) -> bool {
    weak.upgrade().is_some_and(|it| Rc::ptr_eq(&it, unit))
}

fn set(world: &mut World, place: &str, content: impl Into<Content>) -> archive::Result<Edit> {
    reflect::apply(world, &Edit::new().set(path(place), content), &Options::new())
}

fn get(world: &World, place: &str) -> Value {
    reflect::get(world, &path(place), &Options::new()).unwrap()
}

#[test]
fn a_weak_pointer_that_was_read_is_set() {
    let mut world = world();
    let units = world.units.clone();
    let read = get(&world, "units[1].leader");
    assert_eq!(read.to_string(), r#"{"$weak":1}"#);
    let undo = set(&mut world, "units[1].leader", read).unwrap();
    assert!(is(&units[1].borrow().leader, &units[0]));
    reflect::apply(&mut world, &undo, &Options::new()).unwrap();
    assert!(is(&units[1].borrow().leader, &units[0]));

    // In an object, which is then another one.
    let read = get(&world, "units[1]");
    set(&mut world, "units[1]", read).unwrap();
    assert!(!Rc::ptr_eq(&world.units[1], &units[1]));
    assert!(is(&world.units[1].borrow().leader, &units[0]));

    // In a list that is loaded as a whole, whose other pointers have ids as well.
    let read = get(&world, "weak[2]");
    set(&mut world, "weak[2]", read).unwrap();
    assert!(world.weak.iter().zip(&units).all(|(weak, unit)| is(weak, unit)));
}

#[test]
fn a_pointer_to_nothing_is_refused() {
    for (place, content) in [
        ("units[1].leader", r#"{"$weak":9}"#),
        ("units[1].leader", r#"{"$id":9}"#),
        ("units[1]", r#"{"hp":9,"leader":{"$weak":9}}"#),
        ("units[1]", r#"{"$id":1}"#),
        ("units", r#"[{"$id":1},{"$id":2}]"#),
        ("weak[1]", r#"{"$weak":9}"#),
        ("linked[1]", r#"{"$id":1}"#),
        ("trees", r#"[{"$id":1}]"#),
        ("units[0].tree", r#"{"$id":1}"#),
    ] {
        let mut world = world();
        let units = world.units.clone();
        let error = set(&mut world, place, value(content)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer, "{place} = {content}: {error}");
        assert!(is(&units[1].borrow().leader, &units[0]));
        assert!(world.units.iter().zip(&units).all(|(a, b)| Rc::ptr_eq(a, b)), "{place}");
        assert!(world.weak.iter().zip(&units).all(|(weak, unit)| is(weak, unit)), "{place}");
    }
}

/// A `Weak` gets the object of an `Rc`, and vice versa.
#[test]
fn pointers_of_both_kinds_are_attached() {
    let (mut world, options) = (world(), Options::new());
    let edit = Edit::new()
        .attach(path("units[0].leader"), path("units[2]"))
        .attach(path("units[1]"), path("units[2].leader"));
    reflect::apply(&mut world, &edit, &options).unwrap();
    assert!(is(&world.units[0].borrow().leader, &world.units[2]));
    assert!(Rc::ptr_eq(&world.units[1], &world.units[0]));
}

/// The ids of the inserted objects are not those of the existing ones.
#[test]
fn objects_are_inserted_into_lists_of_objects() {
    let (mut world, options) = (world(), Options::new());
    let new = value(r#"{"$id":1,"$value":{"hp":9,"leader":{"$weak":1}}}"#);
    let held = Rc::new(RefCell::new(Unit { hp: 8, ..Unit::default() }));
    let edit = Edit::new()
        .insert(path("linked[1]"), new)
        .insert(path("linked[2]"), Content::live(&held, &options).unwrap())
        .attach(path("linked[0]"), path("units[2]"));
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    let linked: Vec<_> = world.linked.iter().cloned().collect();
    assert_eq!(linked.iter().map(|unit| unit.borrow().hp).collect::<Vec<_>>(), [3, 9, 8, 2, 3]);
    assert!(is(&linked[1].borrow().leader, &linked[1]));
    assert!(Rc::ptr_eq(&linked[2], &held));
    assert!([0, 4].iter().all(|at| Rc::ptr_eq(&linked[*at], &world.units[2])));
    assert!(Rc::ptr_eq(&linked[3], &world.units[1]));
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert!(world.linked.iter().zip(&world.units).all(|(a, b)| Rc::ptr_eq(a, b)));
}

#[test]
fn references_in_trees_mean_the_same_after_undo() {
    let options = Options::new();
    let file = r#"{"units":[{"$id":1,"$value":{"tree":{"$id":2,"$value":7}}}],"trees":[
        [{"$id":3,"$value":{"a":{"$weak":4}}},{"$id":3}],
        {"$id":4,"$value":[]},{"b":[{"$weak":3},{"$id":4}]}]}"#;
    let mut world: World = json::from_str(file).unwrap();
    let before = (world.trees.clone(), json::to_string(&world).unwrap());
    let trees_of = |world: &World| (world.trees.clone(), json::to_string(world).unwrap());
    for edit in [
        Edit::new().remove(path("trees[2]")),
        Edit::new().remove(path("trees[1]")),
        Edit::new().remove(path("trees[0][1]")),
        Edit::new().set(path("trees[2].b"), Value::Null),
        Edit::new().set(path("trees[2].b[1]"), 7),
        Edit::new().set(path("units"), Value::Array(vec![])),
        Edit::new().attach(path("trees[0]"), path("trees[2].b")),
        Edit::new().move_to(path("trees[2]"), 0),
        Edit::new().rename(path("trees[2].b"), "c"),
        Edit::new().insert(path("trees[0]"), value(r#"[{"$id":3,"$value":1},{"$weak":3}]"#)),
    ] {
        let undo = reflect::apply(&mut world, &edit, &options).unwrap();
        let redo = reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(trees_of(&world), before, "{edit:?}");
        let undo = reflect::apply(&mut world, &redo, &options).unwrap();
        reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(trees_of(&world), before, "{edit:?}");
    }
    for place in ["trees", "trees[0]", "trees[2].b[0]", "units[0]", ""] {
        let refused = Edit::new().variant(path(place), "Idle");
        reflect::apply(&mut world, &refused, &options).unwrap_err();
        assert_eq!(trees_of(&world), before, "{place}");
    }
    // Parts of trees are unchanged, and can be set again.
    for place in ["trees", "trees[2]", "trees[2].b[1]", "trees[0][0]"] {
        let read = get(&world, place);
        set(&mut world, place, read).unwrap();
        assert_eq!(trees_of(&world), before, "{place}");
    }
    assert_eq!(get(&world, "trees[2].b[1]").to_string(), r#"{"$id":4}"#);
    let rows = reflect::list(&world, &path("trees[2]"), &options).unwrap();
    let rows: Vec<_> = rows.iter().map(|row| format!("{} = {}", row.path, row.value)).collect();
    assert_eq!(rows, ["trees[2].b[0].$weak = 3", "trees[2].b[1].$id = 4"]);
}

/// An index does not resolve in an object of a tree, whichever way the edit was created.
#[test]
fn an_index_into_an_object_of_a_tree() {
    let options = Options::new();
    let object = value(r#"{"a":1,"b":[{"c":2}]}"#);
    let text = |value: &Value| value.to_string();
    for place in ["[0]", "[0][0]", "a[0]", "b[0][0]", "b[0][1]", "b[0].c[0]", "[9]"] {
        let place = path(place);
        let edits = [
            Edit::new().set(place.clone(), 1),
            Edit::new().insert(place.clone(), 1),
            Edit::new().remove(place.clone()),
            Edit::new().move_to(place.clone(), 0),
            Edit::new().variant(place.clone(), "a"),
            Edit::new().rename(place.clone(), "a"),
            Edit::new().attach(place.clone(), path("a")),
        ];
        for edit in edits {
            let loaded: Edit = json::from_str(&json::to_string(&edit).unwrap()).unwrap();
            let mut tree = object.clone();
            let error = reflect::apply(&mut tree, &loaded, &options).unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ReadOnly),
                "{edit:?}: {error}"
            );
            assert_eq!(text(&tree), text(&object), "{edit:?}");
        }
    }
    // In a whole, and in a tree in it.
    let mut list: LinkedList<Value> = [object.clone(), object.clone()].into();
    let edit = Edit::new().insert(path("[1][0]"), 1);
    let error = reflect::apply(&mut list, &edit, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error}");
    let edit = Edit::new().insert(path("[1].b[0].d"), 1);
    reflect::apply(&mut list, &edit, &options).unwrap();
    assert_eq!(text(&list.back().unwrap()["b"]), r#"[{"c":2,"d":1}]"#);
}

/// The value into which the path continues is unchanged.
#[test]
fn a_path_below_a_leaf() {
    let mut options_of_numbers = (Some(1_u8), [1_u8, 2], Box::new('x'), Some(Some(true)));
    let before = format!("{options_of_numbers:?}");
    for place in ["[0].new", "[1][0].x", "[1][1][0]", "[2].x", "[3][0]"] {
        for edit in [
            Edit::new().set(path(place), 1),
            Edit::new().insert(path(place), 1),
            Edit::new().remove(path(place)),
            Edit::new().move_to(path(place), 0),
            Edit::new().variant(path(place), "x"),
            Edit::new().attach(path(place), path("[0]")),
        ] {
            let error =
                reflect::apply(&mut options_of_numbers, &edit, &Options::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound, "{edit:?}: {error}");
            assert_eq!(format!("{options_of_numbers:?}"), before, "{edit:?}");
        }
    }
}

/// In a map that is an object, and in an object of a tree, too.
#[test]
fn names_of_objects_are_keys() {
    #[derive(Default, Serialize)]
    struct Bag {
        #[archive(as_object)]
        map: std::collections::BTreeMap<String, u8>,
        tree: Value,
    }
    let options = Options::new();
    let mut bag = Bag {
        map: [("a".into(), 1), ("b".into(), 2)].into(),
        tree: value(r#"{"a":1,"b":{"c":2}}"#),
    };
    let rename = |place, key| Edit::new().rename(path(place), key);
    for (edit, text) in [
        (rename("map.a", "c"), r#"{"map":{"b":2,"c":1},"tree":{"a":1,"b":{"c":2}}}"#),
        (rename("map.a", "$a"), r#"{"map":{"$$a":1,"b":2},"tree":{"a":1,"b":{"c":2}}}"#),
        (rename("tree.a", "c"), r#"{"map":{"a":1,"b":2},"tree":{"c":1,"b":{"c":2}}}"#),
        (rename("tree.b.c", "d"), r#"{"map":{"a":1,"b":2},"tree":{"a":1,"b":{"d":2}}}"#),
    ] {
        let undo = reflect::apply(&mut bag, &edit, &options).unwrap();
        assert_eq!(json::to_string(&bag).unwrap(), text);
        reflect::apply(&mut bag, &undo, &options).unwrap();
    }
    for place in ["map.a", "tree.a"] {
        let error = reflect::apply(&mut bag, &rename(place, "b"), &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{error}");
    }
}

/// A pointer of another type is not a null pointer.
#[test]
fn a_pointer_of_another_type_is_refused() {
    let (mut world, options) = (world(), Options::new());
    let units = world.units.clone();
    let other = Rc::new(RefCell::new(7_u8));
    for place in ["units[1].leader", "units[0]", "linked[0]", "weak[0]", "units[0].tree"] {
        let content = Content::live(&other, &options).unwrap();
        let error = set(&mut world, place, content).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer, "{place}: {error}");
        assert!(is(&units[1].borrow().leader, &units[0]), "{place}");
    }
}
