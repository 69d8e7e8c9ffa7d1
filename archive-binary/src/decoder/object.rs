//! Objects: by position if equal, else members by name, wherever in the object they stand.

use std::num::NonZeroUsize;

use archive_core::shape::Class;
use archive_core::{Decoder as _, Error, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use super::plan::{Progress, Reading};
use crate::cursor::{no_variant, offset, syntax};
use crate::tags;
use crate::types::{Type, TypeId};

/// The class of an object about whose members nothing is known.
pub(super) static UNTYPED: Class =
    Class { name: "object", type_name: || "object", version: 0, members: None, size: None };

/// A member that was passed over because another one was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// Which: its index in the class, or the offset of its name.
    pub(super) key: usize,
    /// The offset of its value; nothing once it was read.
    pub(super) at: Option<usize>,
}

/// Classes with more members have an index of their names.
const SEARCHED: usize = 16;

impl<'a> Decoder<'a> {
    /// Opens an object that is not as asked, or that names its class itself.
    pub(super) fn special_object(&mut self, class: &'static Class) -> Result {
        const EXPECTED: &str = "an object";
        if self.slot == TypeId::AS_ASKED {
            self.start = self.data.at();
            let kind = self.layout()?;
            self.open_class(kind, class);
            return Ok(());
        }
        let slot = self.settle(EXPECTED)?;
        match self.tables.get(slot) {
            Some(Type::Class { .. }) => self.open_class(slot, class),
            Some(Type::Enum { variants, .. }) => {
                let mut ahead = self.data;
                let index = ahead.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    None => return Err(no_variant(index, self.start)),
                    Some((name, None)) => {
                        let found = format_args!("the variant `{name}`, which holds nothing");
                        return Err(Error::wrong_type(EXPECTED, found).at(self.here()));
                    }
                    Some((_, Some(payload))) => {
                        let at = index as usize + 1;
                        let item = *payload;
                        self.data = ahead;
                        let form = Frame::new(Form::Variant);
                        self.open(Frame { kind: slot, item, at, left: 1, ..form });
                    }
                }
            }
            _ if slot == TypeId::OBJECT => {
                let kind = self.layout()?;
                self.open_class(kind, class);
            }
            _ if slot == TypeId::ANY && self.data.peek()? == tags::OBJECT => {
                self.data.byte()?;
                self.open(Frame::new(Form::TaggedMembers));
            }
            _ => return Err(self.wrong(EXPECTED, slot)),
        }
        Ok(())
    }

    /// The class of an object that names it itself.
    pub(super) fn layout(&mut self) -> Result<TypeId> {
        let at = self.data.at();
        let number = self.data.u64()?;
        let kind = usize::try_from(number).ok().and_then(|number| self.tables.layouts.get(number));
        kind.copied().ok_or_else(|| syntax(format_args!("there is no layout {number}"), at))
    }

    #[inline]
    fn open_class(&mut self, kind: TypeId, class: &'static Class) {
        match self.reading(kind, class) {
            Reading::Equal => {
                self.open_light(class.block_size().is_some());
            }
            Reading::Named(plan) => {
                let (version, _) = self.plans.class(plan);
                let plan = Progress::start(plan);
                self.open(Frame { kind, version, plan, ..Frame::new(Form::Members) });
            }
        }
    }

    pub(super) fn member_at(&self, index: usize) -> Option<(&'a str, TypeId)> {
        match self.tables.get(self.top().kind) {
            Some(Type::Class { members, .. }) => members.get(index).copied(),
            _ => None,
        }
    }

    /// A member of an object that is not as asked.
    pub(super) fn special_member(&mut self, name: &str) -> Result<bool> {
        match self.top().form {
            Form::Members => {}
            Form::TaggedMembers => return self.tagged_member(name),
            Form::Variant if self.variant_name() == Some(name) => {
                return Ok(self.next_name()?.is_some());
            }
            _ => return Ok(false),
        }
        self.leave_plan();
        self.resume();
        let next = self.top().at;
        let kind = match self.member_at(next) {
            Some((next, kind)) if next == name => kind,
            _ => {
                match self.index_of(name).and_then(|index| Some((index, self.member_at(index)?))) {
                    Some((index, (_, kind))) if self.reach(index)? => {
                        self.slot = kind;
                        return Ok(true);
                    }
                    _ => return Ok(false),
                }
            }
        };
        self.top_mut().at += 1;
        self.slot = kind;
        Ok(true)
    }

    /// Whether the member of that number was not read yet.
    pub(super) fn is_left(&self, index: usize) -> bool {
        let passed = &self.passed[self.top().passed..];
        index >= self.top().at
            || passed.iter().any(|passed| passed.key == index && passed.at.is_some())
    }

    /// Goes to the member of that number; `false` if it was read already.
    pub(super) fn reach(&mut self, index: usize) -> Result<bool> {
        if index < self.top().at {
            let first = self.top().passed;
            let passed = &mut self.passed[first..];
            let found = match passed.binary_search_by_key(&index, |passed| passed.key) {
                Ok(place) => passed[place].at.take(),
                Err(_) => None,
            };
            let Some(at) = found else { return Ok(false) };
            self.go_aside(at);
        } else {
            while self.top().at < index {
                self.pass_member()?;
            }
            self.top_mut().at += 1;
        }
        Ok(true)
    }

    /// Passes over the next member and remembers where it stands.
    fn pass_member(&mut self) -> Result {
        if let Some((name, kind)) = self.member_at(self.top().at) {
            self.passed.push(Passed { key: self.top().at, at: Some(self.data.at()) });
            self.top_mut().at += 1;
            self.skip_member(kind).map_err(|error| error.in_member(name))?;
        }
        Ok(())
    }

    pub(super) fn index_of(&mut self, name: &str) -> Option<usize> {
        let Some(Type::Class { members, .. }) = self.tables.get(self.top().kind) else {
            return None;
        };
        if members.len() <= SEARCHED {
            return members.iter().position(|(member, _)| *member == name);
        }
        let places = self
            .places
            .entry(self.top().kind)
            .or_insert_with(|| members.iter().map(|(member, _)| *member).zip(0..).collect());
        places.get(name).copied()
    }

    /// Goes to a member that was passed over.
    pub(super) fn go_aside(&mut self, at: usize) {
        self.top_mut().resume = NonZeroUsize::new(self.data.at());
        self.data.goto(at);
    }

    /// Comes back to the first member that was not reached.
    #[inline]
    pub(super) fn resume(&mut self) {
        if let Some(at) = self.top_mut().resume.take() {
            self.data.goto(at.get());
        }
    }

    /// The first member that was passed over and not read since.
    pub(super) fn next_passed(&mut self) -> Option<Passed> {
        let index = self.first_unread();
        let unread = self.passed.get_mut(index)?;
        let found = *unread;
        unread.at = None;
        Some(found)
    }

    /// Where the first member stands that was passed over and not read since; behind all of them if
    /// there is none. Those before are not looked at again.
    pub(super) fn first_unread(&mut self) -> usize {
        let mut index = self.top().unread;
        while self.passed.get(index).is_some_and(|passed| passed.at.is_none()) {
            index += 1;
        }
        self.top_mut().unread = index;
        index
    }

    /// The name of the next member that was not read; its value is at the cursor.
    pub(super) fn next_name(&mut self) -> Result<Option<&'a str>> {
        if self.light > 0 {
            return Ok(None);
        }
        match self.top().form {
            Form::Members => self.leave_plan(),
            Form::TaggedMembers => return self.next_tagged_name(),
            Form::Variant if self.top().left > 0 => {
                self.top_mut().left = 0;
                self.slot = self.top().item;
                return Ok(self.variant_name());
            }
            _ => return Ok(None),
        }
        self.resume();
        if self.top().version != 0 && !self.top().versioned {
            self.top_mut().versioned = true;
            self.slot = TypeId::VERSION;
            return Ok(Some("$version"));
        }
        if let Some(Passed { key, at: Some(at) }) = self.next_passed()
            && let Some((name, kind)) = self.member_at(key)
        {
            self.go_aside(at);
            self.slot = kind;
            return Ok(Some(name));
        }
        let Some((name, kind)) = self.member_at(self.top().at) else { return Ok(None) };
        self.top_mut().at += 1;
        self.slot = kind;
        Ok(Some(name))
    }

    fn variant_name(&self) -> Option<&'a str> {
        match self.tables.get(self.top().kind) {
            Some(Type::Enum { variants, .. }) => {
                variants.get(self.top().at.wrapping_sub(1)).map(|(name, _)| *name)
            }
            _ => None,
        }
    }

    /// Passes over the members that were not read and tells their names.
    pub(super) fn rest_of_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        match self.top().form {
            Form::Members => {}
            Form::TaggedMembers => return self.rest_of_tagged(unknown),
            _ => {
                while let Some(name) = self.next_name()? {
                    unknown(name)?;
                    self.skip().map_err(|error| error.in_member(name))?;
                }
                return Ok(());
            }
        }
        self.resume();
        if self.top().version != 0 && !self.top().versioned {
            unknown("$version")?;
        }
        for index in self.top().passed..self.passed.len() {
            let passed = self.passed[index];
            if let (Some(_), Some((name, _))) = (passed.at, self.member_at(passed.key)) {
                unknown(name)?;
            }
        }
        while let Some((name, kind)) = self.member_at(self.top().at) {
            unknown(name)?;
            self.top_mut().at += 1;
            self.skip_member(kind).map_err(|error| error.in_member(name))?;
        }
        Ok(())
    }

    /// The version of an object that is not as asked.
    pub(super) fn special_version(&mut self) -> Result<u32> {
        if self.top().form == Form::Members {
            self.top_mut().versioned = true;
            return Ok(self.top().version);
        }
        if self.special_member("$version")? { self.u32() } else { Ok(0) }
    }
}

/// A member of an object that describes itself stands twice.
#[cold]
pub(super) fn duplicate(name: &str, at: usize) -> Error {
    Error::twice(name).at(offset(at))
}
