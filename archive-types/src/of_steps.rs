//! Steps to a place in a tree that a compiled type loads and saves.

use archive_core::Value;
use archive_core::path::Path;

/// A step to a value in a tree.
#[derive(Clone)]
pub(crate) enum Step {
    Member(String),
    Item(usize),
    /// The first item of a list.
    First,
    /// The value of a map's only entry, which has this key.
    Entry(Value),
    /// The content of a variant.
    Variant(Variant),
}

/// A variant, and how it is saved: as an object with one member, or with a tag.
#[derive(Clone)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) tag: String,
    pub(crate) content: String,
}

/// Returns the path to a member of the object at the end of the steps.
pub(crate) fn path_of(steps: &[Step], member: &str) -> Path {
    let mut path = Path::new();
    for step in steps {
        match step {
            // A path goes through pointers as if they were not there.
            Step::Member(name) if name == "$value" => {}
            Step::Member(name) | Step::Variant(Variant { name, .. }) => path.push(name.as_str()),
            Step::Item(index) => path.push(*index),
            Step::Entry(Value::Str(key)) => path.push(key.as_str()),
            Step::Entry(key @ (Value::Number(_) | Value::Bool(_))) => {
                path.push(key.to_string().as_str());
            }
            // An entry whose key has no name is a list of the key and the value.
            Step::Entry(_) => {
                path.push(0);
                path.push(1);
            }
            Step::First => path.push(0),
        }
    }
    path.push(member);
    path
}

/// Puts an object at the end of the steps.
pub(crate) fn put(tree: &mut Value, steps: &[Step], object: Vec<(String, Value)>) {
    let Some((step, rest)) = steps.split_first() else {
        *tree = Value::Object(object);
        return;
    };
    match step {
        Step::Member(name) => {
            if !matches!(tree, Value::Object(_)) {
                *tree = Value::Object(Vec::new());
            }
            let Value::Object(members) = tree else { return };
            let at = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                members.push((name.clone(), Value::Null));
                members.len() - 1
            });
            put(&mut members[at].1, rest, object);
        }
        // All types load a variant from an object with one member.
        Step::Variant(Variant { name, .. }) => {
            let mut inner = match tree {
                Value::Object(members) if matches!(&**members, [(known, _)] if known == name) => {
                    std::mem::take(&mut members[0].1)
                }
                _ => Value::Null,
            };
            put(&mut inner, rest, object);
            *tree = Value::Object(vec![(name.clone(), inner)]);
        }
        Step::Entry(key) => {
            let entry = tree.item(0).and_then(|entry| entry.item(1));
            let mut inner = entry.cloned().unwrap_or_default();
            put(&mut inner, rest, object);
            *tree = Value::Array(vec![Value::Array(vec![key.clone(), inner])]);
        }
        Step::Item(_) | Step::First => {
            let index = if let Step::Item(index) = step { *index } else { 0 };
            if !matches!(tree, Value::Array(items) if index < items.len()) {
                *tree = Value::Array(vec![Value::Null; index + 1]);
            }
            if let Value::Array(items) = tree {
                put(&mut items[index], rest, object);
            }
        }
    }
}

/// Returns the value at the end of the steps in a tree that was saved.
pub(crate) fn at<'v>(tree: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(tree) };
    let inner = match step {
        Step::Member(name) => tree.get(name)?,
        Step::Variant(Variant { name, tag, .. }) if tag.is_empty() => tree.get(name)?,
        // The members of the variant are in the object of the tag.
        Step::Variant(Variant { content, .. }) if content.is_empty() => tree,
        Step::Variant(Variant { content, .. }) => tree.get(content)?,
        Step::Item(index) => tree.item(*index)?,
        Step::First => tree.item(0)?,
        Step::Entry(_) => match tree {
            Value::Object(entries) => &entries.first()?.1,
            entries => entries.item(0)?.item(1)?,
        },
    };
    at(inner, rest)
}
