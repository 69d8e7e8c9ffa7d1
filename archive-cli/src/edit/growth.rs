//! Tests that the work of a change is linear in the file, not quadratic.

use archive::path::Pattern;
use archive::{Format, Value, json};

use super::{Setting, apply, at_all};
use crate::input::{Input, bins_format};
use crate::select::select;
use crate::steps::steps_of;

/// Units that refer to each other, by weak and strong references.
fn units(count: u64) -> Value {
    let unit = |at: u64| {
        let leader = at * 7919 % count + 1;
        let kind = if at.is_multiple_of(2) { "$weak" } else { "$id" };
        format!(
            "{{\"$id\":{},\"$value\":{{\"hp\":{at},\"leader\":{{\"{kind}\":{leader}}}}}}}",
            at + 1
        )
    };
    let all: Vec<String> = (0..count).map(unit).collect();
    json::from_str(&format!("{{\"units\":[{}]}}", all.join(","))).expect("JSON")
}

fn wide(count: u64) -> Value {
    let member =
        |at: u64| (format!("k{at}"), json::from_str(&format!("{{\"k\":{at}}}")).expect("JSON"));
    Value::Object((0..count).map(member).collect())
}

fn pairs(count: u64) -> Value {
    let Value::Object(members) = wide(count) else { return Value::Null };
    let pair = |(name, value)| Value::Array(vec![Value::Str(name), value]);
    Value::Object(vec![("map".to_owned(), members.into_iter().map(pair).collect())])
}

fn formats() -> impl Iterator<Item = Format> {
    Format::all().chain([bins_format()])
}

#[test]
fn the_work_grows_with_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in formats() {
        for (tree, pattern) in [
            (units as fn(u64) -> Value, "units[*].leader.hp"),
            (units, "units[*].leader.leader.leader.hp"),
            (units, "units[*].hp"),
            (wide, "*.k"),
            (pairs, "map[*][1].k"),
        ] {
            let pattern = Pattern::parse(pattern).expect("a pattern");
            let steps = [500, 1000].map(|count| {
                let path = folder.path().join(format!("{count}.{format}"));
                let bytes = crate::stream::written(format, &tree(count), &crate::input::options());
                std::fs::write(&path, bytes.expect("the value")).expect("a file");
                let input = Input::open(&path).expect("a file");
                let mut found = 0;
                let get = steps_of(|| {
                    let select = |from: &mut dyn archive::format::Decoder| {
                        select(from, &pattern, &mut |from, _| {
                            found += 1;
                            from.skip()
                        })
                    };
                    input.read(select).expect("values");
                });
                assert_eq!(found, count, "{format} {pattern}");
                let set = steps_of(|| {
                    let setting = Setting::parse(pattern.clone(), "7".to_owned(), false);
                    let changes = at_all(&input, &setting.expect("JSON")).expect("values");
                    assert!(apply(&input, &changes).expect("a change").is_some());
                });
                (get, set)
            });
            let [(get, set), (more_get, more_set)] = steps;
            assert!(get >= 500, "{format} {pattern}: {steps:?}");
            assert!(more_get <= 2 * get + 100, "{format} {pattern}: {steps:?}");
            assert!(more_set <= 2 * set + 100, "{format} {pattern}: {steps:?}");
        }
    }
}
