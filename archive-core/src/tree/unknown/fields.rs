//! The types that can keep unknown members.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use super::KeepUnknown;
use crate::model::error::{Error, Result};
use crate::tree::opaque::Unknown;
use crate::tree::value::Value;
use crate::types::probe::{NotKept, Probe};

impl KeepUnknown for BTreeMap<String, Value> {
    fn clear(&mut self) {
        self.clear();
    }
    fn keep(&mut self, name: String, value: Value) {
        self.insert(name, value);
    }
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        Ok(self.iter().map(|(name, value)| (&**name, value)).collect())
    }
    /// A node has room for eleven entries, and is at least half full.
    fn size_of(members: usize) -> usize {
        const NODE: usize =
            11 * (size_of::<String>() + size_of::<Value>()) + 16 * size_of::<usize>();
        members.div_ceil(5) * NODE
    }
}

impl<S: BuildHasher> KeepUnknown for HashMap<String, Value, S> {
    fn clear(&mut self) {
        self.clear();
    }
    fn keep(&mut self, name: String, value: Value) {
        self.insert(name, value);
    }
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        let mut members: Vec<_> = self.iter().map(|(name, value)| (&**name, value)).collect();
        members.sort_unstable_by_key(|(name, _)| *name);
        Ok(members)
    }
    /// At least an eighth of the table is free, and at most half. While the table grows, the old
    /// one exists next to the new one.
    fn size_of(members: usize) -> usize {
        let places = (members + members / 7).next_power_of_two().max(4);
        3 * places / 2 * (size_of::<(String, Value)>() + 1)
    }
}

impl KeepUnknown for Vec<(String, Value)> {
    fn clear(&mut self) {
        self.clear();
    }
    fn keep(&mut self, name: String, value: Value) {
        self.push((name, value));
    }
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        Ok(self.iter().map(|(name, value)| (&**name, value)).collect())
    }
}

impl KeepUnknown for Value {
    fn clear(&mut self) {
        *self = Value::Null;
    }
    fn keep(&mut self, name: String, value: Value) {
        match self {
            Value::Object(members) => members.keep(name, value),
            _ => *self = Value::Object(vec![(name, value)]),
        }
    }
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        match self {
            Value::Null => Ok(Vec::new()),
            Value::Object(members) => members.members(),
            _ => Err(Error::custom("a `Value` of unknown members is an object or null")),
        }
    }
}

impl KeepUnknown for Unknown {
    fn clear(&mut self) {
        *self = Unknown::default();
    }
    fn keep(&mut self, name: String, value: Value) {
        self.value_mut().keep(name, value);
    }
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        self.value().members()
    }
    fn as_unknown(&self) -> Option<&Unknown> {
        Some(self)
    }
    fn as_unknown_mut(&mut self) -> Option<&mut Unknown> {
        Some(self)
    }
}

/// Keeps the members in the order of the file.
#[cfg(feature = "indexmap")]
impl<S: BuildHasher> KeepUnknown for indexmap::IndexMap<String, Value, S> {
    fn clear(&mut self) {
        self.clear();
    }
    fn keep(&mut self, name: String, value: Value) {
        self.insert(name, value);
    }
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        Ok(self.iter().map(|(name, value)| (&**name, value)).collect())
    }
}

/// Replaces a field whose type does not implement [`KeepUnknown`], which is already reported.
impl KeepUnknown for NotKept {
    fn clear(&mut self) {}
    fn keep(&mut self, _: String, _: Value) {}
    fn members(&self) -> Result<Vec<(&str, &Value)>> {
        Ok(Vec::new())
    }
}

impl<T: KeepUnknown + ?Sized> Probe<T> {
    /// Returns the value whose unknown members are to be saved.
    #[inline]
    pub fn unknown(value: &T) -> &T {
        value
    }
}
