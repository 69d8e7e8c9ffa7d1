//! References that a patch replaces: the file is the one that a document writes, and the errors are
//! the same.

mod referring_objects;

use std::collections::BTreeMap;

use crate::common::Binary;
use archive_binary::{Decoder, Document, Patch};
use archive_core::decoder::Kind;
use archive_core::path::{Path, Step};
use archive_core::shape::OBJECT;
use archive_core::{Backend, Decoder as _, Error, Options, Registry, Shape, Value};
use archive_test_support::search;
use referring_objects::{Circle, Figure, Random, Square, world};

/// Collects the values of a tree that have references, or are null, with the steps to them.
fn places(tree: &Value, at: &mut Vec<Step>, found: &mut Vec<(Vec<Step>, Value)>) {
    let is_reference = |name: &str| name == "$id" || name == "$weak";
    let mut each = |step: Step, value: &Value, at: &mut Vec<Step>| {
        at.push(step);
        places(value, at, found);
        at.pop();
    };
    match tree {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                each(Step::Index(index), item, at);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                if !is_reference(name) && name != "$deferred" && name != "$type" && name != "$later"
                {
                    each(Step::from(name.as_str()), value, at);
                }
            }
        }
        Value::Null => {}
        _ => return,
    }
    // The command leaves the entries of maps to documents, because their keys must differ.
    let is_entry = at.len() > 1 && at[at.len() - 2] == Step::from("map");
    if !is_entry && at.last() != Some(&Step::from("$value")) {
        found.push((at.clone(), tree.clone()));
    }
}

fn find<'v>(tree: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    steps.iter().fold(tree, |at, step| match step {
        Step::Name(name) => at.get_mut(name).unwrap(),
        Step::Index(index) => at.item_mut(*index).unwrap(),
        Step::Object(_) => unreachable!(),
    })
}

/// Moves a decoder to a place.
fn go(from: &mut Decoder<'_>, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Name(name) if name.as_str() == "$value" => {
                from.begin_pointer().unwrap();
            }
            Step::Name(name) => {
                from.begin_object(&OBJECT).unwrap();
                while from.next_key().unwrap().unwrap() != name.as_str() {
                    from.skip().unwrap();
                }
            }
            Step::Index(index) => {
                from.begin_seq(&Shape::Any).unwrap();
                for _ in 0..*index {
                    from.next_item().unwrap();
                    from.skip().unwrap();
                }
                from.next_item().unwrap();
            }
            Step::Object(_) => unreachable!(),
        }
    }
}

fn reference(name: &str, id: usize) -> Value {
    Value::Object(vec![(name.to_owned(), Value::from(id as u64))])
}

/// Another value of that kind, with other references.
fn another(old: &Value, last: usize, random: &mut Random) -> Value {
    let id = 1 + random.below(last + 1);
    match old {
        Value::Object(members) if members.iter().any(|(name, _)| name == "$weak") => {
            match random.below(6) {
                0 => Value::Null,
                1 => reference("$id", id),
                _ => reference("$weak", id),
            }
        }
        Value::Object(members) if members.iter().any(|(name, _)| name == "$id") => {
            match random.below(8) {
                0 => Value::Null,
                1 => reference("$weak", id),
                2 => Value::Object(vec![
                    ("$id".to_owned(), Value::from(id as u64)),
                    ("$type".to_owned(), Value::from("Circle")),
                ]),
                _ => reference("$id", id),
            }
        }
        Value::Object(members) => {
            let member = |(name, value): &(String, Value)| {
                let is_kept = random.below(2) == 0;
                (name.clone(), if is_kept { value.clone() } else { another(value, last, random) })
            };
            Value::Object(members.iter().map(member).collect())
        }
        Value::Array(items) => {
            let mut items: Vec<Value> =
                items.iter().map(|item| another(item, last, random)).collect();
            if random.below(4) == 0 {
                items.pop();
            }
            Value::Array(items)
        }
        Value::Null => match random.below(4) {
            0 => Value::Null,
            1 => reference("$id", id),
            _ => reference("$weak", id),
        },
        Value::Number(_) if random.below(10) == 0 => Value::from("text"),
        Value::Number(_) => Value::from(random.below(60_000) as u64),
        other => other.clone(),
    }
}

/// Paths do not have the members of pointers and options.
fn is_hidden(step: &Step) -> bool {
    matches!(step, Step::Name(name) if matches!(name.as_str(), "$value" | "$some"))
}

fn in_place(error: Error, steps: &[Step]) -> (String, String) {
    let error = steps.iter().rev().fold(error, |error, step| match step {
        step if is_hidden(step) => error,
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(id) => error.in_object(*id),
    });
    (error.message().to_owned(), error.path().to_owned())
}

#[test]
fn a_patch_and_a_document_agree_on_references() {
    let mut registry = Registry::new();
    archive_core::register!(registry, dyn Figure { Circle, Square }).unwrap();
    let options = Options::new().registry(&registry);
    let mut random = Random(search::seed());
    let (mut same, mut trees, mut refused) = (0, 0, BTreeMap::<String, u32>::new());
    for _ in 0..search::cases(150) {
        let world = world(&mut random);
        let file = Binary::to_vec_with(&world, &options).unwrap();
        let document = Document::from_slice(&file).unwrap();
        assert!(document.to_vec().unwrap() == file);
        let last = (1..).find(|id| !document.value.to_string().contains(&format!("\"$id\":{id},")));
        let last = last.unwrap() + 3;
        let mut all = Vec::new();
        places(&document.value, &mut Vec::new(), &mut all);
        for _ in 0..40 {
            let (steps, old) = &all[random.below(all.len())];
            let new = another(old, last, &mut random);
            // The same value for several places.
            let mut of = vec![steps];
            if random.below(4) == 0 {
                let alike = all.iter().filter(|(other, _)| {
                    other.last() == steps.last() && other != steps && other.len() == steps.len()
                });
                of.extend(alike.map(|(steps, _)| steps).take(2));
            }
            let mut changed = document.clone();
            of.iter().for_each(|steps| *find(&mut changed.value, steps) = new.clone());
            let expected = changed.to_vec();
            let mut patch = Patch::new(&file, &Options::new()).unwrap().unwrap();
            let (mut patched, mut is_checked) = (Ok(true), false);
            for steps in &of {
                let mut decoder = Binary::decoder(&file, &Options::new()).unwrap();
                decoder.begin_root(&Shape::Any).unwrap();
                go(&mut decoder, steps);
                let _ = matches!(decoder.peek(), Ok(Kind::Pointer));
                patched = patch.replace(&mut decoder, |value| *value = new.clone());
                if !matches!(patched, Ok(true)) {
                    break;
                }
            }
            if matches!(patched, Ok(true)) {
                let path: Vec<Step> =
                    steps.iter().filter(|step| !is_hidden(step)).cloned().collect();
                patched = patch.check(&path);
                is_checked = true;
            }
            let what = || {
                let of: Vec<String> =
                    of.iter().map(|of| Path::from(of.to_vec()).to_string()).collect();
                format!("{of:?} = {new}, in {}", document.value)
            };
            match (patched, expected) {
                (Ok(false), _) => trees += 1,
                (Ok(true), Ok(expected)) => {
                    let bytes = patch.to_vec().unwrap().unwrap_or_else(|| file.clone());
                    assert!(bytes == expected, "{}", what());
                    same += 1;
                }
                (Err(error), Err(expected)) if of.len() == 1 => {
                    let expected = (expected.message().to_owned(), expected.path().to_owned());
                    let steps = if is_checked { &[][..] } else { steps };
                    assert_eq!(in_place(error, steps), expected, "{}", what());
                    let words: String = expected.0.chars().filter(|c| !c.is_numeric()).collect();
                    *refused.entry(words).or_default() += 1;
                }
                (Err(_), Err(_)) => {}
                (patched, expected) => {
                    panic!("{patched:?} {:?}: {}", expected.map(|_| ()), what());
                }
            }
        }
    }
    println!("{same} the same, {trees} by trees, {refused:#?}");
    for words in
        ["no reference here to an object", "no object has the id", "only an option may be null"]
    {
        assert!(refused.keys().any(|message| message.contains(words)), "{words}: {refused:#?}");
    }
    assert!(same > trees, "{same} {trees}");
}
