//! Changes the part of a tree that is on a path.

use std::collections::HashMap;

use super::Value;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::types::impls::map::ByKey;
use crate::types::impls::{map, seq};
use crate::visit::archive::Archive;
use crate::visit::body::Body;

/// Changes the part that is on the archive's path.
pub(super) fn change_part<A: Archive>(tree: &mut Value, ar: &mut A) -> Result {
    match tree {
        Value::Array(items) => seq::Load(items).run(ar),
        Value::Object(members) => map::load_in_place(members, ar).map(drop),
        _ => Ok(()),
    }
}

impl ByKey for Vec<(String, Value)> {
    fn keys(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(name, _)| name)
    }
    const MAP: &'static Shape = &Shape::Any;
    type Key = String;
    type Value = Value;

    /// A tree has the names themselves: one that begins with `$` is unchanged.
    fn key(name: &str, _: &Options<'_>) -> Result<String> {
        Ok(name.to_owned())
    }
    fn find(&mut self, key: &String) -> Option<&mut Value> {
        self.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }
    fn add(&mut self, key: String, value: Value) -> Result {
        self.push((key, value));
        Ok(())
    }
    fn remove(&mut self, key: &String) -> Option<Value> {
        self.extract_if(.., |(name, _)| name == key).last().map(|(_, value)| value)
    }
    fn clear(&mut self) {
        self.clear();
    }
    fn arrange(&mut self, entries: Vec<(String, Option<Value>)>) {
        let mut old: HashMap<String, Value> = self.drain(..).collect();
        for (name, value) in entries {
            let value = value.or_else(|| old.remove(&name));
            self.extend(value.map(|value| (name, value)));
        }
    }
}
