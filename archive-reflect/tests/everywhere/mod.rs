//! Every kind of change, in and below every kind of place, with wrong names, indices, types and
//! depths: a refused edit changes nothing, and an applied edit is undone.

mod world_of_places;

use std::collections::BTreeSet;

use archive::path::{Path, Step};
use archive::reflect::{self, Edit};
use archive::{ErrorKind, Options, Value, json};
use archive_test_support::search;

use world_of_places::{World, clear_caches, registry, state, world};

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// Returns the places of the world, and paths below them that do not resolve or resolve to
/// something else.
fn places(world: &World, options: &Options<'_>) -> Vec<Path> {
    let mut all = BTreeSet::new();
    for row in reflect::list(world, &Path::new(), options).unwrap() {
        let path = row.path.to_path();
        for len in 0..=path.len() {
            all.insert(Path::from(path[..len].to_vec()).to_string());
        }
    }
    let below: [&[Step]; 12] = [
        &[],
        &["new".into()],
        &[0.into()],
        &[1.into()],
        &[9.into()],
        &["a".into()],
        &["".into()],
        &["$id".into()],
        &["New".into()],
        &["Idle".into()],
        &[0.into(), "x".into()],
        &["new".into(), 0.into(), "x".into()],
    ];
    let all: Vec<Path> = all.iter().map(|text| path(text)).collect();
    all.iter().flat_map(|place| below.map(|steps| place.join(steps))).collect()
}

/// Returns an edit for each kind of change of a place.
fn edits(place: &Path) -> Vec<Edit> {
    let contents = [
        "null",
        "3",
        "-1",
        "300",
        "1.5",
        "true",
        r#""x""#,
        r#""Idle""#,
        "[]",
        "[1,2]",
        r#"[[1,2],["c",{"weight":1}]]"#,
        r#"{"weight":3,"hp":4,"a":5,"start":255}"#,
        r#"{"New":3}"#,
        r#"{"$id":1}"#,
        r#"{"$weak":1}"#,
        r#"{"$id":1,"$value":{"hp":9}}"#,
        r#"{"$type":"Leaf","$value":{"weight":3}}"#,
    ];
    let new = Edit::new;
    let mut edits = Vec::new();
    for content in contents {
        let content: Value = json::from_str(content).unwrap();
        edits.push(new().set(place.clone(), content.clone()));
        edits.push(new().insert(place.clone(), content));
    }
    edits.push(new().remove(place.clone()));
    edits.extend([0, 1, 9].map(|to| new().move_to(place.clone(), to)));
    edits.extend(["Idle", "New", "Stop", "nobody"].map(|name| new().variant(place.clone(), name)));
    edits.extend(["a", "new", "3", ""].map(|key| new().rename(place.clone(), key)));
    let from = ["scalars.num", "pointers.nodes[0]", "pointers.weak", "trees.graph", "nowhere", ""];
    edits.extend(from.map(|from| new().attach(place.clone(), path(from))));
    edits
}

/// Returns the lines in which two texts differ.
fn difference(before: &str, after: &str) -> Vec<String> {
    let lines = before.lines().zip(after.lines());
    let lines = lines.filter(|(before, after)| before != after);
    lines.map(|(before, after)| format!("{before} -> {after}")).take(3).collect()
}

/// Returns the fault of an edit, if any.
fn fault(edit: &Edit, options: &Options<'_>) -> Option<String> {
    let mut world = world();
    let _all = world.pointers.nodes.clone();
    let before = state(&world);
    let changed = |world: &World, what: &dyn std::fmt::Display| {
        let after = state(world);
        (after != before).then(|| format!("{what}: {:?}", difference(&before.0, &after.0)))
    };
    // First with another change after it that is refused.
    let refused = edit.clone().set(path("scalars.num"), "no number");
    reflect::apply(&mut world, &refused, options).unwrap_err();
    changed(&world, &"undone").or_else(|| {
        match reflect::apply(&mut world, edit, options) {
            Err(error) => changed(&world, &error),
            Ok(undo) => {
                if let Err(error) = reflect::apply(&mut world, &undo, options) {
                    return Some(format!("undo is refused: {error}"));
                }
                // The unsaved fields of a value that an edit dropped are reset.
                clear_caches(&mut world);
                let mut world_before = self::world_of_places::world();
                clear_caches(&mut world_before);
                let (before, after) = (state(&world_before).0, state(&world).0);
                (after != before).then(|| format!("undone: {:?}", difference(&before, &after)))
            }
        }
    })
}

/// A value that is read from a place can be set there, with its references.
#[test]
fn values_that_are_read_can_be_set() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    // All trees together may get other ids, and a pointer may get another object.
    let text = |world: &World| {
        let World { scalars, lists, around, pointers, trees } = world;
        format!("{scalars:?} {lists:?} {around:?} {pointers:?} {}", json::to_string(trees).unwrap())
    };
    let dangling = |world: &World| state(world).1.iter().filter(|it| it.is_null()).count();
    for place in places(&world(), &options) {
        let mut world = world();
        let _all = world.pointers.nodes.clone();
        clear_caches(&mut world);
        let before = (text(&world), dangling(&world));
        let Ok(value) = reflect::get(&world, &place, &options) else { continue };
        let edit = Edit::new().set(place.clone(), value.clone());
        match reflect::apply(&mut world, &edit, &options) {
            Ok(_) => assert_eq!((text(&world), dangling(&world)), before, "{place} = {value}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::ReadOnly, "{place} = {value}: {error}")
            }
        }
    }
}

/// A row of one level has the value that the row of all levels has, if it is a leaf.
#[test]
fn children_have_the_values_of_leaves() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let world = world();
    let mut leaves = 0;
    for place in places(&world, &options) {
        let Ok(rows) = reflect::children(&world, &place, &options) else { continue };
        for row in rows {
            let path = row.path.to_path();
            let all = reflect::list(&world, &path, &options).unwrap();
            if row.same_as.is_none() && all.len() == 1 && all[0].path == row.path {
                leaves += 1;
                assert_eq!(row.value, all[0].value, "{path}");
            } else {
                assert!(row.value.is_null(), "{path}: {}", row.value);
            }
        }
    }
    assert!(leaves > 150, "{leaves}");
}

/// `set` does what `apply` does, at every place.
#[test]
fn set_is_apply_without_an_undo() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let contents = [
        "null",
        "0",
        "3",
        "-1",
        "300",
        "4294967296",
        "1e300",
        "1.5",
        "0.1",
        "true",
        r#""""#,
        r#""x""#,
        r#""Idle""#,
        r#""NaN""#,
        "[]",
        "[1,2]",
        r#"{"weight":3}"#,
        r#"{"New":3}"#,
    ];
    let contents = contents.map(|content| json::from_str::<Value>(content).unwrap());
    let places = places(&world(), &options);
    let (mut done, mut refused) = (0, 0);
    for index in search::some_of(places.len() * contents.len()) {
        let (place, content) = (&places[index / contents.len()], &contents[index % contents.len()]);
        let (mut one, mut other) = (world(), world());
        let edit = Edit::new().set(place.clone(), content.clone());
        let applied = reflect::apply(&mut other, &edit, &options).map(drop);
        let set = reflect::set(&mut one, place, content.clone(), &options);
        let shown = |error: archive::Error| (error.kind(), error.to_string());
        *if set.is_ok() { &mut done } else { &mut refused } += 1;
        assert_eq!(set.map_err(shown), applied.map_err(shown), "{place} = {content}");
        assert_eq!(state(&one).0, state(&other).0, "{place} = {content}");
    }
    assert!(done > 50 && refused > 50, "{done} {refused}");
}

/// A refused scalar of another kind is put back, also where a load takes the old one first.
#[test]
fn a_refused_scalar_is_put_back() {
    let (registry, before) = (registry(), state(&world()).0);
    let options = Options::new().registry(&registry);
    for (place, content) in
        [("scalars.bytes", "0"), ("scalars.letter", "\"xy\""), ("scalars.num", "300")]
    {
        let (mut world, content) = (world(), json::from_str::<Value>(content).unwrap());
        reflect::set(&mut world, &path(place), content, &options).unwrap_err();
        assert_eq!(state(&world).0, before, "{place}");
    }
}

/// `peek` is the outermost level of `get`.
#[test]
fn peek_is_the_outermost_level() {
    use archive::reflect::Peek;

    let registry = registry();
    let options = Options::new().registry(&registry);
    let world = world();
    for place in places(&world, &options) {
        let shown = |error: archive::Error| (error.kind(), error.to_string());
        let got = reflect::get(&world, &place, &options).map_err(shown);
        let peeked = reflect::peek(&world, &place, &options).map_err(shown);
        let same = match (&got, &peeked) {
            (Err(got), Err(peeked)) => got == peeked,
            // `$some` is around a null, and the head of a pointer around its object.
            (Ok(Value::Object(members)), Ok(_))
                if members.first().is_some_and(|it| it.0.starts_with('$')) =>
            {
                true
            }
            (Ok(value), Ok(Peek::Scalar(scalar))) => value == scalar,
            (Ok(Value::Array(items)), Ok(Peek::List(len) | Peek::Set(len) | Peek::Map(len))) => {
                items.len() == *len
            }
            (Ok(Value::Object(members)), Ok(Peek::Variant(name))) => members[0].0 == *name,
            (Ok(Value::Object(members)), Ok(Peek::Map(len))) => members.len() == *len,
            (Ok(Value::Object(_)), Ok(Peek::Object)) => true,
            _ => false,
        };
        assert!(same, "{place}: {got:?} {peeked:?}");
    }
}

#[test]
fn a_refused_edit_changes_nothing() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let places = places(&world(), &options);
    let edits: Vec<Edit> = places.iter().flat_map(edits).collect();
    let faults: Vec<String> = search::some_of(edits.len())
        .filter_map(|index| {
            let edit = &edits[index];
            fault(edit, &options).map(|fault| format!("{edit:?}\n    {fault}"))
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {}:\n{}",
        faults.len(),
        edits.len(),
        faults[..faults.len().min(40)].join("\n")
    );
}
