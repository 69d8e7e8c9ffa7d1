//! [`find_mut`]: finds a value of a tree by its path, which passes through pointers.

use archive::format::reserved;
use archive::path::{Path, Step};
use archive::{Error, ErrorKind, Result, Value};

use crate::tree::{Pointer, member, pointer};

/// The index of a member or of an item.
type Place = Vec<usize>;

/// Returns the value at a path.
///
/// # Errors
/// [`ErrorKind::NotFound`] if there is none.
pub fn find_mut<'v>(tree: &'v mut Value, path: &Path) -> Result<&'v mut Value> {
    let missing = || Error::new(ErrorKind::NotFound, format_args!("nothing is at {path}"));
    let place = locate(tree, path.steps()).ok_or_else(missing)?;
    let found = place.into_iter().try_fold(tree, |value, at| match value {
        Value::Array(items) => items.get_mut(at),
        Value::Object(members) => members.get_mut(at).map(|(_, value)| value),
        _ => None,
    });
    found.ok_or_else(missing)
}

fn locate(tree: &Value, steps: &[Step]) -> Option<Place> {
    let mut place = Place::new();
    for step in steps {
        if let Step::Object(id) = step {
            place = pointee_of(tree, *id)?;
            place.push(index_of(at(tree, &place)?, reserved::VALUE)?);
            continue;
        }
        let is_own = matches!(step, Step::Name(name) if name.starts_with('$'));
        if !is_own {
            place = through(tree, place)?;
        }
        let index = match (at(tree, &place)?, step) {
            (value @ Value::Object(_), Step::Name(name)) => index_of(value, name)?,
            (Value::Array(items), Step::Index(index)) if *index < items.len() => *index,
            // A map whose entries are pairs.
            (Value::Array(items), Step::Name(key)) => {
                place.push(items.iter().position(|item| has_key(item, key))?);
                1
            }
            _ => return None,
        };
        place.push(index);
    }
    Some(place)
}

/// Returns whether a value is an entry of a map with that key.
fn has_key(entry: &Value, key: &str) -> bool {
    match entry.as_array() {
        Some([Value::Str(text), _]) => text == key,
        Some([other @ (Value::Number(_) | Value::Bool(_)), _]) => other.to_string() == *key,
        _ => false,
    }
}

/// Returns the value inside of a pointer or of the wrapper of an option, or the value itself.
pub fn inner_mut(value: &mut Value) -> &mut Value {
    let Some(place) = through(value, Place::new()) else { return value };
    place.into_iter().fold(value, |value, at| match value {
        Value::Object(members) => &mut members[at].1,
        other => other,
    })
}

/// Adds a member to an object, or an entry to a map whose entries are pairs.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the value is neither.
pub fn add_member(value: &mut Value, name: &str, new: Value) -> Result {
    match value {
        Value::Object(members) => members.push((name.to_owned(), new)),
        Value::Array(entries) => {
            let is_number = |entry: &Value| matches!(entry.as_array(), Some([Value::Number(_), _]));
            let key = match archive::json::from_str::<Value>(name) {
                Ok(number @ Value::Number(_)) if entries.iter().any(is_number) => number,
                _ => Value::from(name),
            };
            entries.push(Value::Array(vec![key, new]));
        }
        _ => {
            let message = format_args!("the value has no members, so `{name}` cannot be added");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    }
    Ok(())
}

/// Passes through pointers and the wrappers of options.
fn through(tree: &Value, mut place: Place) -> Option<Place> {
    const MOST: usize = 64;
    for _ in 0..MOST {
        let value = at(tree, &place)?;
        let Value::Object(members) = value else { return Some(place) };
        if members.len() == 1 && members[0].0 == reserved::SOME {
            place.push(0);
            continue;
        }
        match pointer(members) {
            None => return Some(place),
            Some(_) if member(members, reserved::VALUE).is_some() => {
                place.push(index_of(value, reserved::VALUE)?);
            }
            Some(Pointer::Strong(id) | Pointer::Weak(id)) => {
                place = pointee_of(tree, id)?;
                place.push(index_of(at(tree, &place)?, reserved::VALUE)?);
            }
            Some(Pointer::Owned(_)) => return Some(place),
        }
    }
    None
}

fn at<'v>(tree: &'v Value, place: &[usize]) -> Option<&'v Value> {
    place.iter().try_fold(tree, |value, at| match value {
        Value::Array(items) => items.get(*at),
        Value::Object(members) => members.get(*at).map(|(_, value)| value),
        _ => None,
    })
}

fn index_of(value: &Value, name: &str) -> Option<usize> {
    value.as_object()?.iter().position(|(other, _)| other == name)
}

/// Returns the place of the pointer with which an object is stored.
fn pointee_of(tree: &Value, id: u64) -> Option<Place> {
    let mut open = vec![(tree, Place::new())];
    while let Some((value, place)) = open.pop() {
        let inside = |at: usize| {
            let mut inside = place.clone();
            inside.push(at);
            inside
        };
        match value {
            Value::Array(items) => {
                let nested = items.iter().enumerate();
                open.extend(
                    nested.filter(|(_, item)| holds(item)).map(|(at, item)| (item, inside(at))),
                );
            }
            Value::Object(members) => {
                if matches!(pointer(members), Some(Pointer::Strong(other)) if other == id)
                    && member(members, reserved::VALUE).is_some()
                {
                    return Some(place);
                }
                let nested = members.iter().enumerate().filter(|(_, (_, value))| holds(value));
                open.extend(nested.map(|(at, (_, value))| (value, inside(at))));
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a value may have others inside.
fn holds(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}
