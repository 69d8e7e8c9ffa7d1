//! [`Finder`]: finds values of a tree by their paths, through pointers.

use std::collections::HashMap;

use archive::format::reserved;
use archive::path::{Path, Step};
use archive::{Error, ErrorKind, Result, Value};

use super::insert::key_like;
use crate::steps::step;
use crate::tree::{Pointer, member, pointer};

/// The index of a member or of an item, at each level.
type Place = Vec<usize>;

/// Finds values of one tree. It remembers where it found the last ones, because paths come in the
/// order of the tree.
#[derive(Default)]
pub struct Finder {
    /// The places of the pointers with which objects are stored, once they are needed.
    pointees: Option<HashMap<u64, Place>>,
    /// For the place of a value, the index of the member in it that was found last.
    last: HashMap<Place, usize>,
}

impl Finder {
    /// Returns the value at a path.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is none.
    pub fn find_mut<'v>(&mut self, tree: &'v mut Value, path: &Path) -> Result<&'v mut Value> {
        let missing =
            || Error::new(ErrorKind::NotFound, format_args!("there is no value at {path}"));
        let place = self.locate(tree, path.steps()).ok_or_else(missing)?;
        let found = place.into_iter().try_fold(tree, |value, at| match value {
            Value::Array(items) => items.get_mut(at),
            Value::Object(members) => members.get_mut(at).map(|(_, value)| value),
            _ => None,
        });
        found.ok_or_else(missing)
    }

    /// Forgets where objects are, because a value with pointers is replaced.
    pub fn forget(&mut self) {
        self.pointees = None;
    }

    fn locate(&mut self, tree: &Value, steps: &[Step]) -> Option<Place> {
        let mut place = Place::new();
        for step in steps {
            if let Step::Object(id) = step {
                place = self.pointee(tree, *id)?;
                continue;
            }
            let is_own = matches!(step, Step::Name(name) if reserved::OWN.contains(&name.as_str()));
            if !is_own {
                place = self.through(tree, place)?;
            }
            match (at(tree, &place)?, step) {
                (Value::Object(members), Step::Name(name)) => {
                    let index =
                        self.search(&place, members, |(other, _)| other == name.as_str())?;
                    place.push(index);
                }
                (Value::Array(items), Step::Index(index)) if *index < items.len() => {
                    place.push(*index);
                }
                // A map whose entries are pairs.
                (Value::Array(items), Step::Name(key)) => {
                    let index = self.search(&place, items, |item| has_key(item, key))?;
                    place.extend([index, 1]);
                }
                _ => return None,
            }
        }
        Some(place)
    }

    /// Searches a list, starting after the last match.
    fn search<T>(
        &mut self,
        place: &Place,
        list: &[T],
        is_it: impl Fn(&T) -> bool,
    ) -> Option<usize> {
        let start = self.last.get(place).map_or(0, |last| (last + 1).min(list.len()));
        let is_it = |one: &T| {
            step();
            is_it(one)
        };
        let (before, after) = list.split_at(start);
        let found = after.iter().position(is_it).map(|index| start + index);
        let found = found.or_else(|| before.iter().position(is_it))?;
        self.last.insert(place.clone(), found);
        Some(found)
    }

    /// Returns the place of a shared object.
    fn pointee(&mut self, tree: &Value, id: u64) -> Option<Place> {
        let mut place = self.pointees.get_or_insert_with(|| pointees(tree)).get(&id)?.clone();
        place.push(index_of(at(tree, &place)?, reserved::VALUE)?);
        Some(place)
    }

    /// Enters pointers and the wrappers of options.
    fn through(&mut self, tree: &Value, mut place: Place) -> Option<Place> {
        const MAX_POINTERS: usize = 64;
        for _ in 0..MAX_POINTERS {
            match step_of(at(tree, &place)?) {
                Through::Ended => return Some(place),
                Through::Inside(index) => place.push(index),
                Through::Object(id) => place = self.pointee(tree, id)?,
            }
        }
        None
    }
}

/// The target of a pointer or of the wrapper of an option.
enum Through {
    Ended,
    Inside(usize),
    Object(u64),
}

fn step_of(value: &Value) -> Through {
    let Value::Object(members) = value else { return Through::Ended };
    if members.len() == 1 && members[0].0 == reserved::SOME {
        return Through::Inside(0);
    }
    // Objects may have many members, but pointers have few.
    let Some(pointer) = pointer(members) else { return Through::Ended };
    match (pointer, index_of(value, reserved::VALUE)) {
        (_, Some(index)) => Through::Inside(index),
        (Pointer::Strong(id) | Pointer::Weak(id), None) => Through::Object(id),
        (Pointer::Owned(_), None) => Through::Ended,
    }
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
    match step_of(value) {
        Through::Inside(index) => match value {
            Value::Object(members) => inner_mut(&mut members[index].1),
            other => other,
        },
        _ => value,
    }
}

/// Adds a member to an object, or an entry to a map whose entries are pairs.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the value is neither.
pub fn add_member(value: &mut Value, name: &str, new: Value) -> Result {
    match value {
        Value::Object(members) => members.push((name.to_owned(), new)),
        Value::Array(entries) => {
            let keys = entries.iter().filter_map(|entry| entry.as_array()?.first());
            let key = key_like(name, keys)?;
            entries.push(Value::Array(vec![key, new]));
        }
        _ => {
            let message = format_args!("the value has no members, so `{name}` cannot be added");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    }
    Ok(())
}

fn at<'v>(tree: &'v Value, place: &[usize]) -> Option<&'v Value> {
    place.iter().try_fold(tree, |value, at| match value {
        Value::Array(items) => items.get(*at),
        Value::Object(members) => members.get(*at).map(|(_, value)| value),
        _ => None,
    })
}

fn index_of(value: &Value, name: &str) -> Option<usize> {
    value.as_object()?.iter().position(|(other, _)| {
        step();
        other == name
    })
}

/// Returns the places of the pointers with which objects are stored.
fn pointees(tree: &Value) -> HashMap<u64, Place> {
    let mut found = HashMap::new();
    let mut open = vec![(tree, Place::new())];
    while let Some((value, place)) = open.pop() {
        step();
        let inside = |at: usize| {
            let mut inside = place.clone();
            inside.push(at);
            inside
        };
        match value {
            Value::Array(items) => {
                let nested = items.iter().enumerate().filter(|(_, item)| holds(item));
                open.extend(nested.map(|(at, item)| (item, inside(at))));
            }
            Value::Object(members) => {
                let nested = members.iter().enumerate().filter(|(_, (_, value))| holds(value));
                open.extend(nested.map(|(at, (_, value))| (value, inside(at))));
                if let Some(Pointer::Strong(id)) = pointer(members)
                    && member(members, reserved::VALUE).is_some()
                {
                    found.entry(id).or_insert(place);
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns whether a value may have others inside.
fn holds(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}
