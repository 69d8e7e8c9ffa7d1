//! [`Marked`]: a tree whose objects are marked with facts about the file that a [`Value`] does not
//! contain: see [`Session::marking`].

use std::collections::BTreeSet;

use archive_core::bridge::mention;
use archive_core::{Backend, Number, Options, Result, Serialize, Session, Value};

/// A tree that was loaded with marks.
#[derive(Debug)]
pub struct Marked(pub(super) Value);

impl Marked {
    /// Returns a tree without objects that could have marks.
    pub fn plain(tree: Value) -> Self {
        Marked(tree)
    }

    /// Loads a file as a marked tree.
    pub fn load<F: Backend>(input: &[u8], options: &Options<'_>) -> Result<Self> {
        let (mut value, session) = (Value::Null, &mut Session::marking());
        let input = F::expand(input, options)?;
        let mut decoder = F::decoder(&input, options)?;
        F::load_root(&mut decoder, Value::SHAPE, &mut &mut value, session, options)?;
        F::end(decoder)?;
        Ok(Marked(value))
    }

    /// Returns the ids of the objects that the tree contains or refers to.
    pub(super) fn ids(&self) -> BTreeSet<u64> {
        let (mut found, mut open) = (BTreeSet::new(), vec![&self.0]);
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items.iter().filter(|item| has_parts(item))),
                Value::Object(own) => {
                    found.extend(mention(members(own)).map(|(id, _)| id));
                    open.extend(
                        own.iter().map(|(_, value)| value).filter(|value| has_parts(value)),
                    );
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the tree without the marks.
    pub fn tree(&self) -> Value {
        unmarked(&self.0)
    }
}

fn has_parts(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// Returns the layout of a marked object.
pub(super) fn layout(object: &Value) -> Option<u32> {
    match object.as_object()?.first()? {
        (name, Value::Number(Number::Int(layout))) if name.is_empty() => {
            u32::try_from(*layout).ok()
        }
        _ => None,
    }
}

/// Returns whether a marked object is a pointer as text formats write it.
pub(super) fn is_text(object: &Value) -> bool {
    let first = object.as_object().and_then(<[_]>::first);
    matches!(first, Some((name, Value::Bool(true))) if name.is_empty())
}

/// Returns whether an object represents a pointer of the file.
pub(super) fn is_pointer(object: &Value) -> bool {
    let first = object.as_object().and_then(<[_]>::first);
    first.is_some_and(|(name, _)| !name.is_empty())
}

/// Returns the members of a marked object without the mark.
pub(super) fn members(members: &[(String, Value)]) -> &[(String, Value)] {
    match members.split_first() {
        Some(((name, _), members)) if name.is_empty() => members,
        _ => members,
    }
}

pub(super) fn unmarked(tree: &Value) -> Value {
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
pub(super) fn same(tree: &Value, marked: &Value) -> bool {
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
