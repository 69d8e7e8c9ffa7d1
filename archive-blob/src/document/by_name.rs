//! [`ByName`]: looks up the members of an object, probably in order.

use std::collections::HashMap;

use archive_core::Value;

/// The members of an object, for lookups that are mostly in order.
pub(super) struct ByName<'v> {
    members: &'v [(String, Value)],
    /// The index of the member after the one that was found last.
    next: usize,
    /// The members by name, once a lookup was out of order.
    all: Option<HashMap<&'v str, &'v Value>>,
}

impl<'v> ByName<'v> {
    pub(super) fn of(value: &'v Value) -> Self {
        ByName { members: value.as_object().unwrap_or_default(), next: 0, all: None }
    }

    pub(super) fn find(&mut self, name: &str) -> Option<&'v Value> {
        if let Some((_, value)) = self.members.get(self.next).filter(|(is, _)| is == name) {
            self.next += 1;
            return Some(value);
        }
        let by_name =
            || self.members.iter().rev().map(|(name, value)| (name.as_str(), value)).collect();
        self.all.get_or_insert_with(by_name).get(name).copied()
    }
}
