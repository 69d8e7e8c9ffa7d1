//! Trees whose objects are marked with facts about the file that a [`Value`] does not contain.
//!
//! A mark is the first member of an object. Its name is empty. Every object has one, except the
//! objects that represent pointers, so a member of the data that has an empty name is not mistaken
//! for a mark. Marks move with their objects when bodies are put where they belong.

use super::Value;
use super::pointers::is_pointer_name;
use crate::model::number::Number;

/// A tree that was loaded with marks.
#[derive(Debug)]
pub struct Marked(pub(crate) Value);

/// Marks an object that was loaded: with its layout, or with whether it is a pointer as text formats
/// write it.
pub(in crate::tree) fn mark(members: &mut Vec<(String, Value)>, layout: Option<u32>) {
    let is_text = members.first().is_some_and(|(name, _)| is_pointer_name(name));
    let mark = match layout {
        Some(layout) => Value::from(layout),
        None if is_text => Value::Bool(true),
        None => Value::Null,
    };
    members.insert(0, (String::new(), mark));
}

/// Returns the layout of a marked object.
pub(in crate::tree) fn layout(object: &Value) -> Option<u32> {
    match object.as_object()?.first()? {
        (name, Value::Number(Number::Int(layout))) if name.is_empty() => {
            u32::try_from(*layout).ok()
        }
        _ => None,
    }
}

/// Returns whether a marked object is a pointer as text formats write it.
pub(in crate::tree) fn is_text(object: &Value) -> bool {
    let first = object.as_object().and_then(<[_]>::first);
    matches!(first, Some((name, Value::Bool(true))) if name.is_empty())
}

/// Returns whether an object represents a pointer of the file.
pub(in crate::tree) fn is_pointer(object: &Value) -> bool {
    let first = object.as_object().and_then(<[_]>::first);
    first.is_some_and(|(name, _)| !name.is_empty())
}

/// Returns the members of a marked object without the mark.
pub(in crate::tree) fn members(members: &[(String, Value)]) -> &[(String, Value)] {
    match members.split_first() {
        Some(((name, _), members)) if name.is_empty() => members,
        _ => members,
    }
}

impl Marked {
    /// Returns the tree without the marks.
    pub fn tree(&self) -> Value {
        unmarked(&self.0)
    }
}

pub(in crate::tree) fn unmarked(tree: &Value) -> Value {
    match tree {
        Value::Array(items) => Value::Array(items.iter().map(unmarked).collect()),
        Value::Object(own) => {
            let member = |(name, value): &(String, Value)| (name.clone(), unmarked(value));
            Value::Object(members(own).iter().map(member).collect())
        }
        scalar => scalar.clone(),
    }
}

/// Returns whether a tree is the marked tree without its marks. Floats are compared by their bits.
pub(in crate::tree) fn same(tree: &Value, marked: &Value) -> bool {
    match (tree, marked) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let other = members(other);
            let member = |((of_one, one), (of_other, other)): (&(_, _), &(_, _))| {
                of_one == of_other && same(one, other)
            };
            one.len() == other.len() && one.iter().zip(other).all(member)
        }
        (Value::Number(Number::F32(one)), Value::Number(Number::F32(other))) => {
            one.to_bits() == other.to_bits()
        }
        (Value::Number(Number::F64(one)), Value::Number(Number::F64(other))) => {
            one.to_bits() == other.to_bits()
        }
        (one, other) => one == other,
    }
}
