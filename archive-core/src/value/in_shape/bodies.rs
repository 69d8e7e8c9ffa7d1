//! What stands in sequences, maps, objects and enum values.

use super::{Part, found};
use crate::archive::{Archive, Body, Variants};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::shape::{Enum, Member, Payload, Shape};
use crate::value::Value;

/// The items of a sequence.
pub(super) struct Items<'a, 'v>(pub(super) &'a [Value], pub(super) &'a Part<'v>);

impl Body for Items<'_, '_> {
    const COUNTED: bool = true;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let walk = self.1.walk;
        for (index, value) in self.0.iter().enumerate() {
            ar.item(index, &mut Part { value, shape: self.1.item(index), walk })?;
        }
        Ok(())
    }
}

/// The entries of a map, as pairs.
pub(super) struct Entries<'a, 'v>(pub(super) &'a [Value], pub(super) &'a Part<'v>);

impl Body for Entries<'_, '_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Shape::Map(key, value) = self.1.shape else { return Ok(()) };
        let walk = self.1.walk;
        for (index, entry) in self.0.iter().enumerate() {
            let Some([of_key, of_value]) = entry.as_array() else {
                return Err(Error::wrong_type("a key and a value", found(entry)).in_item(index));
            };
            let key = &mut Part { value: of_key, shape: key.get(), walk };
            ar.entry(index, key, &mut Part { value: of_value, shape: value.get(), walk })?;
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
        let known = |name: &str| self.members.iter().any(|member| member.name == name);
        if let Some((name, _)) = self.values.iter().find(|(name, _)| !known(name)) {
            let message = "the class of the object has no such member";
            return Err(Error::new(ErrorKind::UnknownMember, message).in_member(name));
        }
        for (index, member) in self.members.iter().enumerate() {
            let at = self.values.get(index).filter(|(name, _)| name == member.name);
            let named = || self.values.iter().find(|(name, _)| name == member.name);
            let Some((_, value)) = at.or_else(named) else {
                let message = "a member of its class is missing in the object";
                return Err(Error::new(ErrorKind::MissingMember, message).in_member(member.name));
            };
            ar.named(member, &mut self.of.part(value, member.shape.get()))?;
        }
        Ok(())
    }
}

/// The members of an object that describes itself.
pub(super) struct Named<'a, 'v>(pub(super) &'v [(String, Value)], pub(super) &'a Part<'v>);

impl Body for Named<'_, '_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0
            .iter()
            .try_for_each(|(name, value)| ar.save_key(name, &mut self.1.part(value, &Shape::Any)))
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

/// What the variant carries.
pub(super) fn payload_of(info: &'static Enum, index: usize) -> &'static Shape {
    match &info.variants[index].payload {
        Payload::Newtype(value) => value.get(),
        _ => &Shape::Any,
    }
}
