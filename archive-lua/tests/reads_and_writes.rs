//! What a script reads is what reflection reads, and what it writes is what an edit writes.

use archive::path::{Path, Step};
use archive::reflect::{self, Edit};
use archive::{Options, Value};
use archive_lua::Arguments;
use proptest::prelude::*;

use crate::on_a_unit::{Unit, ann, sandbox};

/// Returns the expression of a script that leads to a path.
fn expression(path: &Path) -> String {
    let step = |step: &Step| match step {
        Step::Name(name) => format!("[{:?}]", &**name),
        Step::Index(index) => format!("[{}]", index + 1),
        Step::Object(_) => String::new(),
    };
    path.steps().iter().map(step).collect()
}

fn leaves(unit: &Unit) -> Vec<(Path, Value)> {
    let rows = reflect::list(unit, &Path::new(), &Options::new()).unwrap();
    rows.into_iter().map(|row| (row.path.to_path(), row.value)).collect()
}

#[test]
fn every_leaf_is_read() {
    let (mut unit, sandbox) = (ann(), sandbox());
    let leaves = leaves(&unit);
    assert!(leaves.len() > 25, "{}", leaves.len());
    for (path, value) in leaves {
        // An element of a set is a key, and an empty container is a place.
        if path.to_string().starts_with("tags") {
            continue;
        }
        let body = format!("function run(unit) return unit{} end", expression(&path));
        let script = sandbox.load("read.lua", &body).unwrap();
        let read = script.call("run", Arguments::new().edit(&mut unit)).unwrap();
        assert_eq!(read.to_string(), value.to_string(), "{path}");
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3..120_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
        prop::sample::select(vec!["Idle", "Guard", "Follow", "inf", "NaN"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(Value::Array),
            ("[xy]", inner).prop_map(|(name, value)| Value::Object(vec![(name, value)])),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// `set` is `apply` without the undo, at every place, also for values that do not fit.
    #[test]
    fn set_is_apply(at in any::<prop::sample::Index>(), value in values()) {
        let (mut one, mut other) = (ann(), ann());
        let places = leaves(&one);
        let path = &at.get(&places).0;
        let options = Options::new();
        let done = reflect::set(&mut one, path, value.clone(), &options);
        let expected = reflect::apply(&mut other, &Edit::new().set(path.clone(), value), &options);
        let shown = |error: archive::Error| error.to_string();
        prop_assert_eq!(done.map_err(shown), expected.map(drop).map_err(shown));
        let text = |unit: &Unit| archive::json::to_string(unit).unwrap();
        prop_assert_eq!(text(&one), text(&other));
    }

    /// A script that sets a value does what an edit does.
    #[test]
    fn a_script_sets_what_an_edit_sets(at in any::<prop::sample::Index>(), value in values()) {
        let (mut one, mut other) = (ann(), ann());
        let places = leaves(&one);
        let path = &at.get(&places).0;
        // nil removes entries and items, tables have no nil, and elements are keys.
        prop_assume!(!value.to_string().contains("null") && !path.to_string().starts_with("tags"));
        let body = format!("function run(unit, value) unit{} = value end", expression(path));
        let script = sandbox().load("set.lua", &body).unwrap();
        let done = script.call("run", Arguments::new().edit(&mut one).value(value.clone()));
        let expected = reflect::apply(&mut other, &Edit::new().set(path.clone(), value), &Options::new());
        prop_assert_eq!(done.is_ok(), expected.is_ok(), "{:?} {:?}", done, expected);
        if let (Err(one), Err(other)) = (done, expected) {
            prop_assert_eq!((one.kind(), one.path()), (other.kind(), other.path()));
        }
        let text = |unit: &Unit| archive::json::to_string(unit).unwrap();
        prop_assert_eq!(text(&one), text(&other));
    }
}
