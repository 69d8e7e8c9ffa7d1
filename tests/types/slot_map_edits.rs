//! A slot map that is edited step by step. Its entries and its free slots are one value: an entry
//! is added or removed together with its slot, in a change of the whole map.

use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::{ErrorKind, Options, Serialize, Value, json};
use slotmap::{SecondaryMap, SlotMap};

slotmap::new_key_type! { struct UnitKey; }
archive::slotmap_keys!(UnitKey);

#[derive(Clone, Debug, Default, Serialize)]
struct Unit {
    name: String,
    target: Option<UnitKey>,
}

#[derive(Debug, Default, Serialize)]
struct World {
    units: SlotMap<UnitKey, Unit>,
    hp: SecondaryMap<UnitKey, u16>,
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn value(text: &str) -> Value {
    json::from_str(text).unwrap()
}

/// The saved state, which determines the next keys.
fn state(world: &World) -> String {
    json::to_string(world).unwrap()
}

#[test]
fn a_history() {
    let mut world = World::default();
    let unit = |name: &str| Unit { name: name.to_owned(), target: None };
    let [ann, bob, eve] = ["Ann", "Bob", "Eve"].map(|name| world.units.insert(unit(name)));
    world.units.remove(eve);
    world.units[ann].target = Some(bob);
    world.hp.insert(ann, 7);
    world.hp.insert(bob, 8);
    let options = Options::new();
    let mut history = vec![];
    for edit in [
        Edit::new().set(path("units.entries[0][1].name"), "Ada"),
        Edit::new().set(path("units.entries[1][1].target"), value(r#"{"idx":1,"version":1}"#)),
        Edit::new().set(path("hp[0][1]"), 9).remove(path("hp[1]")),
        Edit::new().insert(path("hp[1]"), value(r#"[{"idx":2,"version":1},5]"#)),
        Edit::new().set(
            path("units"),
            value(
                r#"{"entries":[[{"idx":1,"version":1},{"name":"Ada"}],[{"idx":3,"version":3},{"name":"Joe"}]],
                    "free":[{"idx":2,"version":3}],"detached":[]}"#,
            ),
        ),
        Edit::new().set(path("units.entries[1][1].name"), "Jim"),
    ] {
        let before = state(&world);
        let undo = reflect::apply(&mut world, &edit, &options).unwrap();
        history.push((before, undo));
    }
    // Keys are as valid as before.
    let joe = world.units.keys().find(|key| ![ann, bob].contains(key)).unwrap();
    assert_eq!((&*world.units[ann].name, &*world.units[joe].name), ("Ada", "Jim"));
    assert!(world.units.get(bob).is_none() && world.units.get(eve).is_none());
    assert_eq!((world.hp.get(ann), world.hp.get(bob)), (Some(&9), Some(&5)));

    // An entry without its slot, or a slot that is listed twice.
    for (edit, kind, place) in [
        (Edit::new().remove(path("units.entries[0]")), ErrorKind::OutOfRange, "units.entries[0]"),
        (
            Edit::new().insert(path("units.free[0]"), value(r#"{"idx":3,"version":5}"#)),
            ErrorKind::DuplicateMember,
            "units.free[0]",
        ),
        (
            Edit::new().set(path("units.entries[1][0].idx"), 1),
            ErrorKind::DuplicateMember,
            "units.entries[1]",
        ),
        (
            Edit::new().set(path("units.entries[0][1].name"), 7),
            ErrorKind::WrongType,
            "units.entries[0][1].name",
        ),
    ] {
        let before = state(&world);
        let error = reflect::apply(&mut world, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert_eq!(error.path(), place, "{error}");
        assert_eq!(state(&world), before);
    }

    for (before, undo) in history.into_iter().rev() {
        let after = state(&world);
        let redo = reflect::apply(&mut world, &undo, &options).unwrap();
        assert_eq!(state(&world), before);
        let undo = reflect::apply(&mut world, &redo, &options).unwrap();
        assert_eq!(state(&world), after);
        reflect::apply(&mut world, &undo, &options).unwrap();
    }
    assert_eq!(world.units[ann].target, Some(bob));
    assert_eq!(&*world.units[bob].name, "Bob");
}
