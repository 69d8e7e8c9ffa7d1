//! A refused edit changes nothing, not even a field that is not saved.

mod world_of_unsaved_fields;

use archive::path::{Path, Step};
use archive::reflect::{self, Edit};
use archive::{Options, Serialize, Value, json};
use archive_test_support::search;
use proptest::prelude::*;

use world_of_unsaved_fields::{Cache, Next, Tagged, World, registry, world};

/// The random choices of a change. A place is chosen among those that exist.
#[derive(Clone, Debug)]
struct Choice {
    place: prop::sample::Index,
    other: prop::sample::Index,
    up: u8,
    operation: u8,
    content: Value,
}

fn choice() -> impl Strategy<Value = Choice> {
    let contents = vec![
        "null",
        "7",
        "13",
        "[]",
        "[1,2]",
        r#"{"weight":4}"#,
        r#"{"weight":13}"#,
        r#"{"weight":"x"}"#,
        r#"[{"weight":1}]"#,
        r#"[{"weight":1},{"weight":2}]"#,
        r#"[{"weight":1},{"weight":"x"}]"#,
        r#"[null,null]"#,
        r#"[["k 20",{"weight":5}],["new",{}]]"#,
        r#"[["k 20",{"weight":5}],["new",{"weight":"x"}]]"#,
        r#""Idle""#,
        r#"{"New":{"weight":3}}"#,
        r#"{"Named":{"leaf":null}}"#,
        r#"{"Named":{"leaf":7}}"#,
        r#"{"type":"Stop"}"#,
        r#"{"type":"Of","weight":3}"#,
        r#"{"$type":"Leaf","$value":{"weight":9}}"#,
        r#"{"hp":13,"list":[],"maybe":null,"state":"Idle","sorted":[]}"#,
        r#"{"hp":1,"list":[],"maybe":null,"state":"Idle","sorted":7}"#,
        r#"{"nodes":[]}"#,
    ];
    let content = prop::sample::select(contents).prop_map(|text| json::from_str(text).unwrap());
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8, 0..10u8, content).prop_map(
        |(place, other, up, operation, content)| Choice { place, other, up, operation, content },
    )
}

/// Adds a change of a place that exists.
fn add(edit: Edit, world: &World, choice: &Choice, options: &Options<'_>) -> Edit {
    let rows = reflect::list(world, &Path::new(), options).unwrap();
    let path = rows[choice.place.index(rows.len())].path.to_path();
    let path: Path = path[..path.len().saturating_sub(choice.up.into())].iter().cloned().collect();
    match choice.operation {
        0 | 1 => edit.remove(path),
        2 => match path.last() {
            Some(Step::Name(_)) => edit.insert(path.join(&["new".into()]), choice.content.clone()),
            _ => edit.insert(path, choice.content.clone()),
        },
        3 => edit.move_to(path, choice.other.index(4)),
        4 => edit.variant(path, ["Idle", "New", "Pair", "Named"][choice.other.index(4)]),
        5 => edit.set(path, Value::Null),
        6 => edit.rename(path, "other"),
        _ => edit.set(path, choice.content.clone()),
    }
}

/// Returns the lines in which two worlds differ.
fn difference(before: &str, after: &str) -> Vec<String> {
    let lines = before.lines().zip(after.lines());
    let lines = lines.filter(|(before, after)| before != after);
    lines.map(|(before, after)| format!("{before} -> {after}")).collect()
}

fn state(world: &World) -> String {
    let mut text = String::new();
    let values = world.nodes.iter().map(|node| format!("{node:?}"));
    let values = values.chain(world.shared.iter().map(|node| format!("{node:?}")));
    for value in values.chain([format!("World {:?}", world.cache)]) {
        text.push_str(&value.replace("], ", "],\n").replace("}, ", "},\n"));
        text.push('\n');
    }
    text
}

proptest! {
    #![proptest_config(search::config(4_000))]

    #[test]
    fn nothing_has_changed(edits in prop::collection::vec(
        (prop::collection::vec(choice(), 1..4), any::<bool>()), 1..8,
    )) {
        let (mut world, registry) = (world(), registry());
        let options = Options::new().registry(&registry);
        let _all = world.shared.clone();
        for (choices, is_refused) in &edits {
            let mut edit = choices.iter().fold(Edit::new(), |edit, choice| {
                add(edit, &world, choice, &options)
            });
            if *is_refused {
                edit = edit.set(Path::parse("nodes[0].hp").unwrap(), "text");
            }
            let before = state(&world);
            match reflect::apply(&mut world, &edit, &options) {
                Ok(_) => Next::default().world(&mut world),
                Err(error) => {
                    let after = state(&world);
                    prop_assert!(
                        before == after,
                        "{:?}: {}: {:#?}", edit, error, difference(&before, &after)
                    );
                }
            }
        }
    }
}

/// Unsaved fields that its setter has changed are restored as well.
#[test]
fn the_effects_of_a_refused_setter_are_undone() {
    #[derive(Default, Serialize)]
    struct Door {
        radians: f32,
        #[archive(skip)]
        turns: u32,
        #[archive(get = Door::degrees, set = Door::turn_to)]
        degrees: std::marker::PhantomData<f32>,
    }
    impl Door {
        fn degrees(&self) -> f32 {
            self.radians.to_degrees()
        }
        fn turn_to(&mut self, degrees: f32) {
            (self.radians, self.turns) = (degrees.to_radians(), self.turns + 1);
        }
    }
    let (mut door, options) = (Door { turns: 3, ..Door::default() }, Options::new());
    let edit = Edit::new().set(Path::parse("degrees").unwrap(), 90);
    let refused = edit.clone().set(Path::parse("degrees").unwrap(), "text");
    reflect::apply(&mut door, &refused, &options).unwrap_err();
    assert_eq!((door.radians, door.turns), (0.0, 3));
    reflect::apply(&mut door, &edit, &options).unwrap();
    assert_eq!((door.degrees(), door.turns), (90.0, 4));
}

#[derive(Default, Serialize)]
struct Borrowing<'a> {
    hp: u8,
    #[archive(skip)]
    name: &'a str,
}

/// If the types of the fields have no `Clone` or may borrow something, there is no copy.
#[test]
fn fields_that_cannot_be_copied_are_reset() {
    #[derive(Debug, Default, PartialEq)]
    struct Handle(u32);
    #[derive(Default, Serialize)]
    struct Item<T: IntoIterator> {
        hp: u8,
        #[archive(skip)]
        handle: Handle,
        #[archive(skip)]
        borrowed: Vec<T::Item>,
        #[archive(skip)]
        copied: u32,
    }
    let item = |number| Item::<Vec<u32>> {
        hp: 1,
        handle: Handle(number),
        borrowed: vec![number],
        copied: number,
    };
    let mut items = vec![item(7), item(8)];
    let edit =
        Edit::new().remove(Path::parse("[1]").unwrap()).set(Path::parse("[0].hp").unwrap(), "text");
    reflect::apply(&mut items, &edit, &Options::new()).unwrap_err();
    let state: Vec<_> =
        items.iter().map(|it| (it.handle.0, it.borrowed.len(), it.copied)).collect();
    assert_eq!(state, [(7, 1, 7), (0, 0, 8)]);

    let mut items = vec![Borrowing { hp: 1, name: "a" }, Borrowing { hp: 2, name: "b" }];
    reflect::apply(&mut items, &edit, &Options::new()).unwrap_err();
    let state: Vec<_> = items.iter().map(|it| (it.hp, it.name)).collect();
    assert_eq!(state, [(1, "a"), (2, "")]);
}

/// Fields that are not saved may change until an edit is undone.
#[test]
fn undo_does_not_restore_copies() {
    let (mut world, registry) = (world(), registry());
    let options = Options::new().registry(&registry);
    let edit = Edit::new().set(Path::parse("nodes[1].hp").unwrap(), 9);
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    world.nodes[1].list[0].cache = Cache(1_000);
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!((world.nodes[1].hp, &world.nodes[1].list[0].cache), (1, &Cache(1_000)));
}

/// The objects around the place have an `after_load`, which may have changed anything in them.
#[test]
fn undo_does_not_change_unchanged_values() {
    let (mut world, registry) = (world(), registry());
    let options = Options::new().registry(&registry);
    let edit = Edit::new().set(Path::parse("nodes[1].hp").unwrap(), 9);
    let before = state(&world);
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!(difference(&before, &state(&world)), [""; 0]);
}

/// A variant whose name is a member is loaded over, as others are.
#[test]
fn the_same_tagged_variant_is_kept() {
    let (mut world, registry) = (world(), registry());
    let options = Options::new().registry(&registry);
    for (place, content) in [
        ("nodes[0].tagged", r#"{"type":"Go","leaf":{"weight":1}}"#),
        ("nodes[1].tagged", r#"{"type":"Of","weight":1}"#),
    ] {
        let edit =
            Edit::new().set(Path::parse(place).unwrap(), json::from_str::<Value>(content).unwrap());
        reflect::apply(&mut world, &edit, &options).unwrap();
    }
    let Tagged::Go { leaf, cache } = &world.nodes[0].tagged else { panic!("another variant") };
    assert!(leaf.weight == 1 && leaf.cache.0 > 0 && cache.0 > 0);
    let Tagged::Of(leaf) = &world.nodes[1].tagged else { panic!("another variant") };
    assert!(leaf.weight == 1 && leaf.cache.0 > 0);
}
