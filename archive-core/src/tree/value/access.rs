//! Access to the parts of a [`Value`], and functions that build values.

use std::ops::{Index, IndexMut};

use super::Value;
use crate::model::error::Found;

impl Value {
    /// Returns the number of bytes of the value's own text or bytes, without the values inside it.
    #[doc(hidden)]
    #[inline]
    pub fn own_size(&self) -> usize {
        match self {
            Value::Str(text) => text.capacity(),
            Value::Bytes(bytes) => bytes.capacity(),
            _ => 0,
        }
    }

    /// Returns the member with that name for modification.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let members = self.as_object_mut()?;
        members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Returns the item at that index for modification.
    pub fn item_mut(&mut self, index: usize) -> Option<&mut Value> {
        self.as_array_mut()?.get_mut(index)
    }

    /// Returns the items for modification.
    pub fn as_array_mut(&mut self) -> Option<&mut Vec<Value>> {
        if let Value::Array(items) = self { Some(items) } else { None }
    }

    /// Returns the members for modification. Do not add a second member with the same name.
    pub fn as_object_mut(&mut self) -> Option<&mut Vec<(String, Value)>> {
        if let Value::Object(members) = self { Some(members) } else { None }
    }

    /// Returns the value at a path: a JSON Pointer (RFC 6901). Each part begins with `/` and is the
    /// name of a member, with `~1` for `/` and `~0` for `~`, or the index of an item. The empty
    /// path is the value itself.
    ///
    /// ```
    /// use archive::Value;
    ///
    /// let unit = Value::from(vec![("a/b".to_owned(), Value::from_iter([1, 2]))]);
    /// assert_eq!(unit.pointer("/a~1b/1"), Some(&Value::from(2)));
    /// assert_eq!(unit.pointer("/a~1b/2"), None);
    /// assert_eq!(unit.pointer(""), Some(&unit));
    /// ```
    pub fn pointer(&self, path: &str) -> Option<&Value> {
        parts(path)?.try_fold(self, |value, part| match value {
            Value::Object(_) => value.get(&unescape(part)),
            Value::Array(items) => items.get(index(part)?),
            _ => None,
        })
    }

    /// Like [`pointer`](Value::pointer), for modification.
    pub fn pointer_mut(&mut self, path: &str) -> Option<&mut Value> {
        parts(path)?.try_fold(self, |value, part| match value {
            Value::Object(_) => value.get_mut(&unescape(part)),
            Value::Array(items) => items.get_mut(index(part)?),
            _ => None,
        })
    }
}

/// Returns the parts of a path; `None` if it is malformed.
fn parts(path: &str) -> Option<impl Iterator<Item = &str>> {
    let mut parts = path.split('/');
    (parts.next() == Some("")).then_some(parts)
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// Parses an index: digits without a sign or leading zeros.
fn index(part: &str) -> Option<usize> {
    let plain = part == "0" || part.starts_with(|c: char| ('1'..='9').contains(&c));
    if plain { part.parse().ok() } else { None }
}

static NULL: Value = Value::Null;

/// `value["name"]`: returns the member, or null if there is none.
impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&NULL)
    }
}

/// `value["name"] = …`: sets the member. It is added if it does not exist, and null becomes an
/// object.
///
/// # Panics
/// Panics if the value is neither an object nor null.
impl IndexMut<&str> for Value {
    fn index_mut(&mut self, name: &str) -> &mut Value {
        if self.is_null() {
            *self = Value::Object(Vec::new());
        }
        let Value::Object(members) = self else { panic!("{self} has no members") };
        let at = members.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
            members.push((name.to_owned(), Value::Null));
            members.len() - 1
        });
        &mut members[at].1
    }
}

/// `value[index]`: returns the item, or null if there is none.
impl Index<usize> for Value {
    type Output = Value;

    fn index(&self, index: usize) -> &Value {
        self.item(index).unwrap_or(&NULL)
    }
}

/// `value[index] = …`: sets the item.
///
/// # Panics
/// Panics if the value is not a sequence, or has no such item.
impl IndexMut<usize> for Value {
    fn index_mut(&mut self, index: usize) -> &mut Value {
        match self {
            Value::Array(items) => &mut items[index],
            other => panic!("{other} has no items"),
        }
    }
}

/// Collects values into an array.
impl<V: Into<Value>> FromIterator<V> for Value {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Value::Array(items.into_iter().map(Into::into).collect())
    }
}

impl<'a> From<&'a Value> for Found<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Found::Null,
            Value::Bool(value) => Found::Bool(*value),
            Value::Number(number) => Found::Number(*number),
            Value::Str(text) => Found::Text(text),
            Value::Bytes(bytes) => Found::Bytes(bytes.len()),
            Value::Array(_) => Found::Seq,
            Value::Object(_) => Found::Object,
        }
    }
}
