//! Records under paths, edits and tools.

use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::types::Record;
use archive::{Options, Value, json};

use crate::random_values::Random;
use crate::twins::{Unit, schema};

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn pair(text: &str) -> (Unit, Record) {
    let options = Options::new().provide(schema().get("Unit").unwrap());
    (json::from_str(text).unwrap(), json::from_str_with(text, &options).unwrap())
}

const TEXT: &str = r#"{"name":"Ann","trail":[{"x":1,"y":2},{"x":3,"y":4}],"bag":[["a",1],["b",2]],
    "state":{"Air":{"wind":3,"gust":true}},"target":{"hp":3},"maybe":5,"keys":[["Fire",1],[{"Ice":3},2]],
    "by_number":[[-5,"five"]],"moves":["Fire",{"Both":[null,"x"]}],"set":["Fire"],"children":[{"name":"Bob"}]}"#;

/// Every edit has the same effect on a record as on the compiled type, and so has its undo.
#[test]
fn edits() {
    let edits = [
        Edit::new().set(path("hp"), 7),
        Edit::new().set(path("hp"), 1000),
        Edit::new().set(path("hp"), "x"),
        Edit::new().set(path("hq"), 1),
        Edit::new().set(path("trail[1].y"), -9),
        Edit::new().set(path("trail[7].y"), -9),
        Edit::new().set(path("trail"), Value::Array(vec![])),
        Edit::new().insert(path("trail[1]"), Value::from(vec![("x".to_owned(), 8.into())])),
        Edit::new().insert(path("trail[3]"), Value::Object(vec![])),
        Edit::new().insert(path("trail[1]"), "no"),
        Edit::new().remove(path("trail[0]")),
        Edit::new().move_to(path("trail[0]"), 1),
        Edit::new().move_to(path("moves[1]"), 0),
        Edit::new().set(path("bag.a"), 9),
        Edit::new().set(path("bag.z"), 9),
        Edit::new().insert(path("bag.z"), 9),
        Edit::new().insert(path("bag.a"), 9),
        Edit::new().remove(path("bag.a")),
        Edit::new().rename(path("bag.a"), "c"),
        Edit::new().set(path("bag"), Value::Array(vec![])),
        Edit::new().set(path("keys.Fire"), 5),
        Edit::new().insert(path("by_number.7"), "seven"),
        Edit::new().remove(path("by_number.-5")),
        Edit::new().set(path("by_number.x"), "no"),
        Edit::new().set(path("state.wind"), 4),
        Edit::new().set(path("state.Air.wind"), 4),
        Edit::new().set(path("state"), "Fire"),
        Edit::new().variant(path("state"), "Ice"),
        Edit::new().variant(path("state"), "Water"),
        Edit::new().set(path("target.hp"), 5),
        Edit::new().set(path("target"), Value::Null),
        Edit::new().set(path("target.target.hp"), 5),
        Edit::new().set(path("maybe"), Value::Null),
        Edit::new().set(path("children[0].letter"), "y"),
        Edit::new().set(path("children[0]"), Value::from(vec![("hp".to_owned(), 1.into())])),
        Edit::new().set(path("grid[1][2]"), 5),
        Edit::new().set(path("pair[1]"), "p"),
        Edit::new().set(path("set"), Value::Array(vec![])),
        Edit::new().insert(path("set[0]"), "Fire"),
        Edit::new().set(path("extra"), Value::from(vec![("a".to_owned(), 1.into())])),
        Edit::new().set(path("derived"), Value::from(vec![("must".to_owned(), true.into())])),
        Edit::new().set(path("name"), "Eve").set(path("hp"), -1),
        Edit::new().set(path("name"), "Eve").remove(path("moves[0]")).set(path("alive"), false),
    ];
    for edit in edits {
        let (mut unit, mut record) = pair(TEXT);
        let before = json::to_string(&unit).unwrap();
        let options = Options::new();
        let one = reflect::apply(&mut unit, &edit, &options);
        let other = reflect::apply(&mut record, &edit, &options);
        let shown = |edit: &Result<Edit, archive::Error>| match edit {
            Ok(edit) => json::to_string(edit).unwrap(),
            Err(error) => error.to_string(),
        };
        // Only the schema has the range of `hp`.
        if edit.changes().iter().any(|change| change.path() == &path("hp")) && one.is_ok() {
            continue;
        }
        assert_eq!(shown(&one), shown(&other), "{edit:?}");
        if let (Ok(one), Ok(other)) = (one, other) {
            assert_eq!(
                json::to_string(&unit).unwrap(),
                json::to_string(&record).unwrap(),
                "{edit:?}"
            );
            reflect::apply(&mut unit, &one, &options).unwrap();
            reflect::apply(&mut record, &other, &options).unwrap();
        }
        assert_eq!(json::to_string(&unit).unwrap(), before, "{edit:?}");
        assert_eq!(json::to_string(&record).unwrap(), before, "{edit:?}");
    }
}

/// Ranges of a schema are checked.
#[test]
fn ranges() {
    let (_, mut record) = pair("{}");
    let error = record.set("hp", 1000).unwrap_err();
    assert_eq!(error.path(), "hp");
    let undo = record.set("hp", 999).unwrap();
    assert_eq!(record.get_as::<u16>("hp").unwrap(), 999);
    record.apply(&undo).unwrap();
    assert_eq!(record.get_as::<u16>("hp").unwrap(), 40);
}

/// Tools see a record as they see the compiled type.
#[test]
fn tools() {
    let ty = schema().get("Unit").unwrap();
    let options = Options::new().provide(ty);
    for seed in 0..100 {
        let tree = Random::new(seed).value(ty.shape(), 0);
        let (unit, record): (Unit, Record) = (tree.to().unwrap(), tree.to_with(&options).unwrap());
        assert_eq!(
            reflect::hash(&unit, &options).unwrap(),
            reflect::hash(&record, &options).unwrap()
        );
        assert!(reflect::equal(&unit, &record, &options).unwrap());
        let rows = |root| {
            let rows = reflect::list(root, &Path::default(), &options).unwrap();
            rows.iter().map(|row| format!("{}={}", row.path, row.value)).collect::<Vec<_>>()
        };
        assert_eq!(rows(&unit), rows(&record));
        let other = Record::new(ty);
        let difference = reflect::difference(&record, &other, &options).unwrap();
        let compiled =
            reflect::difference(&unit, &json::from_str::<Unit>("{}").unwrap(), &options).unwrap();
        assert_eq!(format!("{difference:?}"), format!("{compiled:?}"));
    }
    let meta = Record::new(ty).meta();
    assert_eq!(meta.name(), "Unit");
    let hp = meta.member("hp").unwrap();
    assert_eq!(
        (hp.facts().unit, hp.facts().max, hp.facts().doc),
        ("hp", Some(999.0), "What is left.")
    );
    let schema: Value = json::from_str(&meta.json_schema()).unwrap();
    assert!(schema.to_string().contains("\"maximum\":999"), "{schema}");
}
