//! Trees whose objects are marked with facts about the file that a [`Value`] does not contain.
//!
//! A mark is the first member of an object. Its name is empty. Every object has one, except the
//! objects that represent pointers, so a member of the data with an empty name is not mistaken for
//! a mark. Marks move with their objects when the objects are moved to their final places.

use super::Value;
use super::tree_pointers::is_pointer_name;

/// Marks an object that was loaded: with its layout, or with whether it is a pointer as text
/// formats write it.
pub(in crate::tree) fn mark(members: &mut Vec<(String, Value)>, layout: Option<u32>) {
    let is_text = members.first().is_some_and(|(name, _)| is_pointer_name(name));
    let mark = match layout {
        Some(layout) => Value::from(layout),
        None if is_text => Value::Bool(true),
        None => Value::Null,
    };
    members.insert(0, (String::new(), mark));
}
