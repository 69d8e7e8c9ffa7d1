//! Edits, and values that they do not change.

use std::rc::Rc;

use archive::path::Path;
use archive::reflect::{self, Content, Edit};
use archive::{ErrorKind, Options, Value, json};

use crate::world_of_paths::{State, registry, skipped, text, world};

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn value(text: &str) -> Value {
    json::from_str(text).unwrap()
}

/// Each change: the new value of the place, undo and redo.
#[test]
fn a_change_is_made_and_undone() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    let caches = skipped(&world);
    for (place, content, now) in [
        ("title", r#""new""#, r#""new""#),
        ("units[3].pos[0]", "7.5", "7.5"),
        ("units[3].pos", "[1,2,3]", "[1.0,2.0,3.0]"),
        ("units[3].Base.id", "5", "5"),
        ("units[1].state.Attacking.target", "8", "8"),
        ("units[1].state.target", "8", "8"),
        ("units[1].state.Attacking", r#"{"target":9}"#, r#"{"target":9,"since":1.5}"#),
        (
            "units[1].state",
            r#"{"Attacking":{"target":9}}"#,
            r#"{"Attacking":{"target":9,"since":1.5}}"#,
        ),
        ("units[3].state", r#""Idle""#, r#""Idle""#),
        (
            "units[0].state",
            r#"{"Attacking":{"target":3}}"#,
            r#"{"Attacking":{"target":3,"since":0.0}}"#,
        ),
        ("units[2].state.Carrying.weight", "1", "1.0"),
        ("units[3].state.Pair[1]", "9", "9"),
        ("units[1].tagged.speed", "9", "9"),
        ("units[1].tagged.Go.to", "9", "9"),
        ("units[1].inner", "9", "9"),
        ("units[2].orders[0].x", "5", "5.0"),
        ("units[2].shared[0].y", "6", "6.0"),
        ("units[2].squad.name", r#""blue""#, r#""blue""#),
        ("units[2].squad", "null", "null"),
        ("units[2].leader.hp", "77", "77"),
        ("units[2].inventory.potion", "33", "33"),
        (r#"units[2].inventory["health elixir"]"#, "34", "34"),
        ("units[2].by_number.5.weight", "0.5", "0.5"),
        ("units[2].tuple[1]", r#""u""#, r#""u""#),
        ("units[2].quiet", "4", "4"),
        ("units[2].level", "1", "1"),
        ("units[2].color", r#""abc""#, r#""abc""#),
        ("plain[1].weight", "4", "4.0"),
        ("plain[1]", r#"{"weight":4}"#, r#"{"weight":4.0}"#),
        ("tank.fuel", "2", "2.0"),
        ("tanks[1].fuel", "0", "0.0"),
        ("tank", r#"{"fuel":5,"most":6}"#, r#"{"fuel":5.0,"most":6.0}"#),
        ("rect.Y", "5", "5"),
        ("rects[0].X", "6", "6"),
        ("two[1].X", "7", "7"),
        ("boxed.weight", "9", "9.0"),
        ("lock.weight", "9", "9.0"),
        (
            "bare",
            r#"{"$id":1,"$value":{"inner":3,"other":4}}"#,
            r#"{"$id":1,"$value":{"inner":3,"other":4}}"#,
        ),
        ("any.list[1].x", "13", "13"),
        ("any.list", "[]", "[]"),
        ("any", "null", "null"),
        ("nested", "3", "3"),
        ("nested", "null", "null"),
        ("set", r#"["c"]"#, r#"["c"]"#),
    ] {
        let (place, before) = (path(place), text(&world, &options));
        let edit = Edit::new().set(place.clone(), value(content));
        let undo =
            reflect::apply(&mut world, &edit, &options).unwrap_or_else(|e| panic!("{place}: {e}"));
        let got = reflect::get(&world, &place, &options).unwrap();
        assert_eq!(got.to_string(), now, "{place}");
        let after = text(&world, &options);
        let redo = reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(text(&world, &options), before, "undo of {place}");
        let undo = reflect::apply(&mut world, &redo, &options).unwrap();
        assert_eq!(text(&world, &options), after, "redo of {place}");
        reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(text(&world, &options), before, "second undo of {place}");
        if !matches!(&*place.to_string(), "units[3].state" | "units[0].state") {
            assert_eq!(skipped(&world), caches, "{place}");
        }
    }
}

#[test]
fn a_refused_change_changes_nothing() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    let (before, caches) = (text(&world, &options), skipped(&world));
    for (place, content, kind, error_path) in [
        ("titel", "1", ErrorKind::NotFound, ""),
        ("title", "1", ErrorKind::WrongType, "title"),
        ("units[9].hp", "1", ErrorKind::NotFound, "units"),
        ("units[0].hp", "70000", ErrorKind::OutOfRange, "units[0].hp"),
        ("units[0].hp", r#""x""#, ErrorKind::WrongType, "units[0].hp"),
        ("units[0].pos[1]", r#""x""#, ErrorKind::WrongType, "units[0].pos[1]"),
        ("units[0].pos", r#"[1,2,"x"]"#, ErrorKind::WrongType, "units[0].pos[2]"),
        ("units[0].pos", "[1,2]", ErrorKind::WrongLength, "units[0].pos"),
        ("units[0].squad.name", r#""x""#, ErrorKind::NotFound, "units[0].squad"),
        ("units[0].leader.name", r#""x""#, ErrorKind::NotFound, "units[0].leader"),
        ("units[0].inventory.gold", "1", ErrorKind::NotFound, "units[0].inventory"),
        ("units[0].state", r#""Flying""#, ErrorKind::UnknownVariant, "units[0].state"),
        ("units[0].state.Attacking.target", "1", ErrorKind::NotFound, "units[0].state"),
        (
            "units[1].state",
            r#"{"Attacking":{"target":-1}}"#,
            ErrorKind::OutOfRange,
            "units[1].state.Attacking.target",
        ),
        ("units[1].tagged.speed", "-1", ErrorKind::OutOfRange, "units[1].tagged.speed"),
        ("units[1].color", r#""xyz""#, ErrorKind::Custom, "units[1].color"),
        ("tank.fuel", "3", ErrorKind::Custom, "tank"),
        ("tanks[1].fuel", "3", ErrorKind::Custom, "tanks[1]"),
        ("tanks", r#"[{"fuel":0},{"fuel":9}]"#, ErrorKind::Custom, "tanks[1]"),
        ("plain", r#"[{"weight":9},{"weight":"x"}]"#, ErrorKind::WrongType, "plain[1].weight"),
        ("rect.Y", "100000", ErrorKind::OutOfRange, "rect.Y"),
        ("rects[0].X", "100000", ErrorKind::OutOfRange, "rects[0].X"),
        ("two[1].X", "100000", ErrorKind::OutOfRange, "two[1].X"),
        ("bare.inner", "1", ErrorKind::ReadOnly, "bare"),
        ("set[1]", r#""a""#, ErrorKind::DuplicateMember, "set"),
        ("any.list[1].y", "1", ErrorKind::NotFound, "any.list[1]"),
        ("title.x", "1", ErrorKind::NotFound, "title"),
        ("units[0]", r#"{"$id":7}"#, ErrorKind::BadPointer, "units[0]"),
    ] {
        let edit = Edit::new()
            .set(path("plain[0].weight"), 99)
            .set(path(place), value(content))
            .set(path("plain[1].weight"), 99);
        let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (kind, error_path), "{place}: {error}");
        assert_eq!(text(&world, &options), before, "{place}: {error}");
        assert_eq!(skipped(&world), caches, "{place}: {error}");
    }
}

#[test]
fn a_borrowed_cell_is_an_error() {
    let (mut world, options) = (world(), Options::new());
    let unit = world.units[0].clone();
    let guard = unit.borrow();
    let edit = Edit::new().set(path("units[0].hp"), 5);
    let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Borrowed, "units[0]"), "{error}");
    drop(guard);
    reflect::apply(&mut world, &edit, &options).unwrap();
    assert_eq!(unit.borrow().hp, 5);
}

#[test]
fn identity_survives() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    let squad = world.units[1].borrow().squad.clone().unwrap();
    let weak = Rc::downgrade(&squad);
    drop(squad);
    let edit = (1..4)
        .fold(Edit::new(), |edit, i| edit.set(path(&format!("units[{i}].squad")), Value::Null));
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    assert!(world.units[1].borrow().squad.is_none());
    let redo = reflect::apply(&mut world, &undo, &options).unwrap();
    let squads: Vec<_> = (1..4).map(|i| world.units[i].borrow().squad.clone().unwrap()).collect();
    assert!(squads.iter().all(|squad| Rc::ptr_eq(squad, &weak.upgrade().unwrap())));
    drop((squads, undo));
    let undo = reflect::apply(&mut world, &redo, &options).unwrap();
    drop(redo);
    drop(undo);
    assert!(weak.upgrade().is_none(), "nothing else holds it");

    // A list of objects, removed and put back.
    let units = world.units.clone();
    let edit = Edit::new().set(path("units"), Value::Array(vec![]));
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    assert!(world.units.is_empty());
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert!(
        world.units.iter().zip(&units).all(|(a, b)| Rc::ptr_eq(a, b)) && world.units.len() == 4
    );
    let leader = world.units[2].borrow().leader.upgrade().unwrap();
    assert!(Rc::ptr_eq(&leader, &units[0]));
}

#[test]
fn lists_and_maps_are_changed() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    let units = world.units.clone();
    let before = text(&world, &options);
    let edit = Edit::new()
        .remove(path("units[1]"))
        .move_to(path("units[2]"), 0)
        .insert(path("plain[1]"), value(r#"{"weight":7}"#))
        .insert(path("plain[3]"), value(r#"{"weight":8}"#))
        .insert(path("units[0].inventory.gold"), 5)
        .remove(path("units[0].inventory.potion"))
        .insert(path("any.list[0]"), "first")
        .insert(path("any.more"), true)
        .remove(path("any.text"));
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    let now: Vec<_> = world.units.iter().map(|unit| unit.borrow().name.clone()).collect();
    assert_eq!(now, ["unit 3", "unit 0", "unit 2"]);
    let weights: Vec<_> = world.plain.iter().map(|item| (item.weight, item.cache)).collect();
    assert_eq!(weights, [(1.0, 1), (7.0, 0), (2.0, 2), (8.0, 0)]);
    assert_eq!(world.units[0].borrow().inventory.get("gold"), Some(&5));
    assert_eq!(world.units[0].borrow().inventory.get("potion"), None);
    assert_eq!(world.any.to_string(), r#"{"list":["first",1,{"x":2}],"more":true}"#);
    let after = text(&world, &options);
    let redo = reflect::apply(&mut world, &undo, &options).unwrap();
    // An entry that is restored is the last one.
    assert_eq!(text(&world, &options).len(), before.len());
    assert!(world.units.iter().zip(&units).all(|(a, b)| Rc::ptr_eq(a, b)));
    reflect::apply(&mut world, &redo, &options).unwrap();
    assert_eq!(text(&world, &options), after);

    for (edit, kind) in [
        (Edit::new().insert(path("plain[9]"), value(r#"{"weight":7}"#)), ErrorKind::NotFound),
        (Edit::new().insert(path("plain[0]"), 7), ErrorKind::WrongType),
        (Edit::new().remove(path("plain[9]")), ErrorKind::NotFound),
        (Edit::new().move_to(path("plain[0]"), 9), ErrorKind::NotFound),
        (Edit::new().move_to(path("title"), 0), ErrorKind::NotFound),
        (Edit::new().remove(path("title")), ErrorKind::ReadOnly),
        (Edit::new().remove(path("units[0].pos[0]")), ErrorKind::ReadOnly),
        (Edit::new().remove(path("")), ErrorKind::NotFound),
        (Edit::new().insert(path("units[0].inventory.gold"), 5), ErrorKind::DuplicateMember),
        (Edit::new().remove(path("units[0].inventory.silver")), ErrorKind::NotFound),
    ] {
        let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{edit:?}: {error}");
        assert_eq!(text(&world, &options), after, "{edit:?}: {error}");
    }
}

#[test]
fn an_empty_list_has_no_items_to_change() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    world.plain.clear();
    let before = text(&world, &options);
    for edit in [
        Edit::new().set(path("plain[0]"), value(r#"{"weight":7}"#)),
        Edit::new().set(path("plain[0].weight"), 7),
        Edit::new().remove(path("plain[0]")),
        Edit::new().move_to(path("plain[0]"), 0),
        Edit::new().insert(path("plain[1]"), value(r#"{"weight":7}"#)),
    ] {
        let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{edit:?}: {error}");
        assert_eq!(text(&world, &options), before, "{edit:?}");
    }
    let edit = Edit::new().insert(path("plain[0]"), value(r#"{"weight":7}"#));
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    assert_eq!(world.plain.len(), 1);
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!(text(&world, &options), before);
}

/// The item was loaded when the pointer in it turned out to refer to nothing.
#[test]
fn a_refused_item_is_not_inserted() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    for _ in 0..2 {
        let before = text(&world, &options);
        for index in ["units[0]", "units[3]"] {
            let edit = Edit::new().insert(path(index), value(r#"{"$id":1}"#));
            reflect::apply(&mut world, &edit, &options).unwrap_err();
            assert_eq!(text(&world, &options), before, "{index}");
        }
        let edit = Edit::new().insert(path("units[3]"), value(r#"{"name":"new"}"#));
        reflect::apply(&mut world, &edit, &options).unwrap();
    }
}

#[test]
fn a_variant_is_chosen() {
    let (mut world, options) = (world(), Options::new());
    let state = path("units[0].state");
    for (name, json) in [
        ("Attacking", r#"{"Attacking":{"target":0,"since":0.0}}"#),
        ("Carrying", r#"{"Carrying":{"weight":0.0}}"#),
        ("Pair", r#"{"Pair":[0,0]}"#),
        ("Idle", r#""Idle""#),
    ] {
        let edit = Edit::new().variant(state.clone(), name);
        reflect::apply(&mut world, &edit, &options).unwrap();
        assert_eq!(reflect::get(&world, &state, &options).unwrap().to_string(), json);
    }
    let edit = Edit::new().variant(path("units[1].state"), "Attacking");
    reflect::apply(&mut world, &edit, &options).unwrap();
    assert!(matches!(world.units[1].borrow().state, State::Attacking { target: 7, cache: 3, .. }));
    let edit = Edit::new().variant(state, "Idel");
    let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownVariant, "{error}");
    assert!(error.to_string().contains("did you mean `Idle`"), "{error}");
    let error = reflect::apply(&mut world, &Edit::new().variant(path("title"), "x"), &options);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::WrongType);
}

#[test]
fn objects_are_attached() {
    let (mut world, options) = (world(), Options::new());
    let edit = Edit::new().attach(path("units[0].squad"), path("units[1].squad"));
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    let squad = |i: usize| world.units[i].borrow().squad.clone();
    assert!(Rc::ptr_eq(&squad(0).unwrap(), &squad(1).unwrap()));
    let saved: Edit = json::from_str(&json::to_string(&edit).unwrap()).unwrap();
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert!(world.units[0].borrow().squad.is_none());
    reflect::apply(&mut world, &saved, &options).unwrap();
    assert!(world.units[0].borrow().squad.is_some());

    // A strong pointer gives its object to a weak one.
    let edit = Edit::new().attach(path("units[3].leader"), path("units[2]"));
    reflect::apply(&mut world, &edit, &options).unwrap();
    assert!(Rc::ptr_eq(&world.units[3].borrow().leader.upgrade().unwrap(), &world.units[2]));

    let unit = Rc::new(std::cell::RefCell::new(crate::world_of_paths::Unit::default()));
    let edit = Edit::new().insert(path("units[0]"), Content::live(&unit, &options).unwrap());
    reflect::apply(&mut world, &edit, &options).unwrap();
    assert!(Rc::ptr_eq(&world.units[0], &unit));
    let error = json::to_string(&edit).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn overrides_are_merged() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    let squad = world.units[1].borrow().squad.clone().unwrap();
    let (before, caches) = (text(&world, &options), skipped(&world));
    let overrides = value(
        r#"{
            "title": "merged",
            "units": [{}, {
                "hp": 5, "state": {"Attacking": {"target": 1}}, "squad": {"name": "blue"},
                "inventory": {"potion": 9, "gold": 1}, "orders": [{"x": 9}], "pos": [9, 8, 7], "inner": 3
            }, {"state": "Idle"}, {"squad": null}],
            "tank": {"most": 4},
            "boxed": {"weight": 1},
            "lock": {"weight": 2},
            "two": [{}, {"X": 1}],
            "any": {"text": "u", "new": 1},
            "nested": 9
        }"#,
    );
    let undo = reflect::merge(&mut world, &overrides, &options).unwrap();
    {
        let unit = world.units[1].borrow();
        assert_eq!(
            (unit.hp, unit.pos, unit.flat.inner, unit.flat.other),
            (5, [9.0, 8.0, 7.0], 3, 12)
        );
        assert!(matches!(unit.state, State::Attacking { target: 1, since: 1.5, cache: 3 }));
        assert!(Rc::ptr_eq(unit.squad.as_ref().unwrap(), &squad) && squad.borrow().name == "blue");
        assert_eq!(
            (unit.inventory["potion"], unit.inventory["gold"], unit.inventory.len()),
            (9, 1, 3)
        );
    }
    let order = reflect::get(&world, &path("units[1].orders[0]"), &options).unwrap();
    assert_eq!(order.to_string(), r#"{"$type":"MoveTo","$value":{"x":9.0,"y":2.0}}"#);
    assert!(matches!(world.units[2].borrow().state, State::Idle));
    assert!(world.units[3].borrow().squad.is_none());
    assert_eq!((world.tank.fuel, world.tank.most, world.tank.cache), (1.0, 4.0, 7));
    assert_eq!((world.boxed.weight, world.boxed.cache), (1.0, 8));
    assert_eq!((world.two[0].x, world.two[1].x, world.two[1].y), (5, 1, 8));
    assert_eq!(world.any.to_string(), r#"{"list":[1,{"x":2}],"text":"u","new":1}"#);
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!(text(&world, &options), before);
    assert_eq!(skipped(&world).len(), caches.len());

    let error = reflect::merge(&mut world, &value(r#"{"title":"x","tank":{"fuel":9}}"#), &options);
    assert_eq!(error.unwrap_err().path(), "tank");
    assert_eq!(text(&world, &options), before);
    let error = reflect::merge(&mut world, &value(r#"{"titel":"x"}"#), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

/// A function that is called after a load changes more than the place.
#[test]
fn changes_by_functions_are_undone() {
    #[derive(Default, Clone, PartialEq, Debug, archive::Serialize)]
    #[archive(after_load = clamp)]
    struct Gauge {
        value: u32,
        most: u32,
        clamped: u32,
    }
    fn clamp(gauge: &mut Gauge) -> archive::Result {
        if gauge.value > gauge.most {
            gauge.value = gauge.most;
            gauge.clamped += 1;
        }
        if gauge.most == 13 {
            gauge.value = 0;
            return Err(archive::Error::custom("unlucky"));
        }
        Ok(())
    }
    let options = Options::new();
    let first = Gauge { value: 20, most: 30, clamped: 0 };
    let mut gauges = vec![first.clone()];
    let undo =
        reflect::apply(&mut gauges, &Edit::new().set(path("[0].most"), 10), &options).unwrap();
    assert_eq!(gauges[0], Gauge { value: 10, most: 10, clamped: 1 });
    let redo = reflect::apply(&mut gauges, &undo, &options).unwrap();
    assert_eq!(gauges[0], first);
    reflect::apply(&mut gauges, &redo, &options).unwrap();
    assert_eq!(gauges[0], Gauge { value: 10, most: 10, clamped: 1 });
    let error = reflect::apply(&mut gauges, &Edit::new().set(path("[0].most"), 13), &options);
    assert_eq!(error.unwrap_err().to_string(), "[0]: unlucky");
    assert_eq!(gauges[0], Gauge { value: 10, most: 10, clamped: 1 });
}

/// Edits are joined: those that undo others, in reverse order.
#[test]
fn edits_are_joined() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut world = world();
    let before = text(&world, &options);
    let drag = |world: &mut _, edits: Vec<Edit>| {
        edits.iter().fold(Edit::new(), |undo, edit| {
            reflect::apply(world, edit, &options).unwrap().then(undo)
        })
    };
    let set = |place: &str, content: &str| Edit::new().set(path(place), value(content));
    // Positions of a slider, also in an object with a hand-written function.
    for place in ["units[0].hp", "tank.fuel", "units[1].state.Attacking.target"] {
        let edits = (0..3).map(|at| set(place, &at.to_string()).set(path("title"), at.to_string()));
        let one = drag(&mut world, edits.clone().take(1).collect());
        let all = drag(&mut world, edits.skip(1).collect());
        assert_eq!(all.changes().len(), one.changes().len(), "{place}");
        let after = text(&world, &options);
        let undo = all.then(one);
        let redo = reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(text(&world, &options), before, "{place}");
        let undo = reflect::apply(&mut world, &redo, &options).unwrap();
        assert_eq!(text(&world, &options), after, "{place}");
        reflect::apply(&mut world, &undo, &options).unwrap();
    }
    // Edits of all kinds.
    let edits = vec![
        set("plain[0].weight", "7"),
        Edit::new().remove(path("plain[0]")),
        set("plain[0].weight", "8"),
        Edit::new().insert(path("plain[0]"), value("{}")),
        set("units[1].state", r#"{"Carrying":{"weight":1}}"#),
        set("units[1].state.Carrying.weight", "2"),
        set("units[1].state", r#"{"Pair":[1,2]}"#),
        Edit::new().variant(path("units[1].state"), "Idle"),
        Edit::new().attach(path("units[0]"), path("units[1]")),
        set("title", r#""x""#),
    ];
    let undo = drag(&mut world, edits);
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!(text(&world, &options), before);
    // Edits that were applied are joined unchanged.
    let edit = set("title", r#""x""#).then(set("title", r#""y""#));
    assert_eq!(edit.changes().len(), 2);
}

/// Numbers in edits are as exact as in files.
#[test]
fn numbers_of_edits_are_exact() {
    let mut numbers = (0_i64, 0_u128);
    for (text, wanted) in [
        ("36561198138808038.0", (36_561_198_138_808_038, 0)),
        ("1.2e1", (12, 0)),
        ("-9223372036854775808.0", (i64::MIN, 0)),
    ] {
        let edit = format!(r#"[{{"op":"set","path":"[0]","value":{text}}}]"#);
        let edit: Edit = json::from_str(&edit).unwrap();
        reflect::apply(&mut numbers, &edit, &Options::new()).unwrap();
        assert_eq!(numbers, wanted, "{text}");
    }
    let edit = Edit::new().set(path("[1]"), value("1e23"));
    let error = reflect::apply(&mut numbers, &edit, &Options::new()).unwrap_err();
    assert_eq!((error.kind(), numbers.1), (ErrorKind::OutOfRange, 0), "{error}");
}

#[test]
fn a_variant_is_chosen_of_any_payload() {
    use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

    #[derive(Debug, Default, PartialEq, archive::Serialize)]
    enum Carries {
        #[default]
        Nothing,
        List(Vec<String>),
        Numbers(Vec<u8>),
        Queue(VecDeque<bool>),
        Map(BTreeMap<String, u8>),
        Hashes(HashMap<u8, Vec<u8>>),
        Set(BTreeSet<u8>),
        Array([u8; 3]),
        Lists(Vec<u8>, Vec<Vec<u8>>, u8),
        Maybe(Option<Vec<u8>>),
        Boxed(Box<Carries>),
        Named {
            list: Vec<u8>,
            map: BTreeMap<u8, u8>,
        },
    }
    let names = [
        "List", "Numbers", "Queue", "Map", "Hashes", "Set", "Array", "Lists", "Maybe", "Boxed",
        "Named",
    ];
    for name in names {
        let (mut value, options) = (vec![Carries::Nothing], Options::new());
        let path = Path::parse("[0]").unwrap();
        let undo = reflect::apply(&mut value, &Edit::new().variant(path, name), &options).unwrap();
        let text = archive::json::to_string(&value).unwrap();
        assert!(text.starts_with(&format!("[{{\"{name}\":")), "{text}");
        reflect::apply(&mut value, &undo, &options).unwrap();
        assert_eq!(value, [Carries::Nothing], "{name}");
    }
}
