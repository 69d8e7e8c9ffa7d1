//! The contents of sequences, maps, objects and enum values.

use std::collections::{HashMap, HashSet};

use archive_core::bridge::{Mention, mention, tree_id};
use archive_core::{
    Archive, Body, BodyFacts, Error, ErrorKind, Found, Member, Options, Result, Shape, Value,
    Variants, reserved,
};

use super::Part;

/// The items of a sequence.
pub(super) struct Items<'a, 'v>(pub(super) &'a [Value], pub(super) &'a Part<'v>);

impl Body for Items<'_, '_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let walk = self.1.walk;
        for (index, value) in self.0.iter().enumerate() {
            ar.item(index, &mut Part { value, shape: self.1.item(index), walk })?;
        }
        Ok(())
    }
}

/// The entries of a map: pairs, or the members of an object.
pub(super) struct Entries<'a, 'v>(pub(super) &'a Part<'v>);

impl Body for Entries<'_, '_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Part { value: map, shape: Shape::Map(key, value), walk } = *self.0 else {
            return Ok(());
        };
        let mut save = |index, of_key: &Value, of_value: &Value| {
            let key = &mut Part { value: of_key, shape: key.get(), walk };
            ar.entry(index, key, &mut Part { value: of_value, shape: value.get(), walk })
        };
        match map {
            Value::Object(members) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    save(index, &Value::from(name.as_str()), value)?;
                }
            }
            _ => {
                for (index, entry) in map.as_array().unwrap_or_default().iter().enumerate() {
                    let Some([key, value]) = entry.as_array() else {
                        let error = Error::wrong_type("a key and a value", Found::from(entry));
                        return Err(error.in_item(index));
                    };
                    save(index, key, value)?;
                }
            }
        }
        Ok(())
    }
}

/// The members of an object whose class is known.
pub(super) struct Members<'a, 'v> {
    pub(super) values: &'v [(String, Value)],
    pub(super) members: &'static [Member],
    pub(super) of: &'a Part<'v>,
}

impl Body for Members<'_, '_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        // Built only if the members are not in the order of the class.
        let mut values = None;
        for (index, member) in self.members.iter().enumerate() {
            let value = match self.values.get(index) {
                Some((name, value)) if name == member.name => Some(value),
                _ => values.get_or_insert_with(|| by_name(self.values)).get(member.name).copied(),
            };
            let Some(value) = value else {
                let message = "a member of its class is missing in the object";
                return Err(Error::new(ErrorKind::MissingMember, message).in_member(member.name));
            };
            let mut value = self.of.part(value, member.shape.get());
            // Only unknown members that were kept have a name with `$` and are self-describing.
            if member.name.starts_with('$') && member.shape.get().is_any() {
                ar.save_key(member.name, &mut value)?;
            } else {
                ar.named(member, &mut value)?;
            }
        }
        if self.values.len() == self.members.len() {
            return Ok(());
        }
        let mut left: HashSet<&str> = self.members.iter().map(|member| member.name).collect();
        match self.values.iter().find(|(name, _)| !left.remove(name.as_str())) {
            Some((name, _)) => {
                let message = "unknown or duplicate member";
                Err(Error::new(ErrorKind::UnknownMember, message).in_member(name))
            }
            None => Ok(()),
        }
    }
}

fn by_name(values: &[(String, Value)]) -> HashMap<&str, &Value> {
    values.iter().map(|(name, value)| (name.as_str(), value)).collect()
}

/// The members of a self-describing object, which may be a pointer as text formats write it. The
/// pointer then gets an id of this file.
pub(super) struct Named<'a, 'v>(pub(super) &'v [(String, Value)], pub(super) &'a Part<'v>);

impl Body for Named<'_, '_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let id = match mention(self.0) {
            Some((id, kind)) => {
                let name = if kind == Mention::Weak { reserved::WEAK } else { reserved::ID };
                Some((name, Value::from(tree_id(ar, id, kind)?)))
            }
            None => None,
        };
        self.0.iter().try_for_each(|(name, value)| {
            let value = match &id {
                Some((of_id, id)) if name == of_id => id,
                _ => value,
            };
            ar.save_key(name, &mut Part { value, shape: &Shape::Any, walk: self.1.walk })
        })
    }
}

/// An enum value.
pub(super) struct Choice<'v> {
    pub(super) index: usize,
    pub(super) payload: Part<'v>,
}

impl Variants for Choice<'_> {
    const TAGGED: bool = false;

    fn current(&self) -> usize {
        self.index
    }
    fn select(&mut self, _: usize, _: &Options<'_>) -> Result {
        Err(Error::read_only())
    }
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.payload.run(ar)
    }
}
