//! Open objects: finding members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the next member is nearly
//! always the requested one. At the first one that differs, the decoder passes over the rest of the
//! object once, from header to header, and notes the members. From then on it looks members up
//! among those.

use std::borrow::Cow;

use archive_core::lookup::{Keys, Search, State, duplicate};
use archive_core::{Error, Result};

use super::slot::{Place, Slot};
use crate::cursor::{Input, LEAST_BLOB, LEAST_DATUM, offset, syntax, trailing};
use crate::names;
use crate::types::DataType;

/// An open object: a blob, or the list of blobs.
#[derive(Debug)]
pub(super) struct Members {
    /// Whether this is the list of blobs.
    file: bool,
    /// The offset of the next member that was not reached, the number of such members, and where
    /// the last one ends.
    next: usize,
    left: usize,
    end: usize,
    /// The number of passed members that belong to the objects around this one.
    pub(super) base: usize,
    /// Whether members were requested by name; duplicates are then an error.
    asked: bool,
    /// Whether names were handed out to the caller without being compared with requested ones.
    listed: bool,
    /// The search among the passed members.
    search: Search,
}

/// A member that was passed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberSeen<'a> {
    name: &'a [u8],
    at: usize,
    /// The offset of the value's header.
    value: usize,
    state: State,
}

/// Members that were passed over.
struct Among<'p, 'a>(&'p [MemberSeen<'a>]);

impl Keys for Among<'_, '_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        self.0[index].state
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.0[index].name == name
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.0[index].name.into())
    }
}

impl Members {
    /// Opens the object in that slot.
    pub(super) fn open(slot: &Slot, input: &Input<'_>, base: usize) -> Result<Self> {
        let file = slot.kind == Slot::FILE;
        let (least, what) = match file {
            true => (LEAST_BLOB, "a number of blobs"),
            false => (LEAST_DATUM, "a number of data"),
        };
        let left = input.count(slot.start, slot.end, least, what)?;
        Ok(Members {
            file,
            next: slot.start + 4,
            left,
            end: slot.end,
            base,
            asked: false,
            listed: false,
            search: Search::new(base),
        })
    }

    /// Returns the next member without moving past it; passes over marks.
    #[inline]
    fn reach<'a>(&mut self, input: &Input<'a>) -> Result<Option<(MemberSeen<'a>, Slot, usize)>> {
        while self.left > 0 {
            let at = self.next;
            let (name, value) = input.name(at, self.end)?;
            let (slot, next) = self.slot(input, value)?;
            let is_mark = match self.file {
                true => name == names::ROOTS.as_bytes() && slot.end - slot.start == 4,
                false => slot.kind == DataType::Mark,
            };
            if !is_mark {
                return Ok(Some((
                    MemberSeen { name, at, value, state: State::Unread },
                    slot,
                    next,
                )));
            }
            self.advance(next);
        }
        Ok(None)
    }

    /// Returns the value whose header is at `at`, and the offset after it.
    #[inline]
    fn slot(&self, input: &Input<'_>, at: usize) -> Result<(Slot, usize)> {
        if !self.file {
            let slot = Slot::datum(input, at, self.end, Place::Datum)?;
            return Ok((slot, slot.end));
        }
        let size = input.length(at, self.end, "a size")?;
        Ok((Slot::root(input, at, self.end)?, at + 4 + size))
    }

    #[inline]
    fn advance(&mut self, next: usize) {
        self.next = next;
        self.left -= 1;
    }

    /// Moves to the member with that name if it comes next; does not search.
    #[inline]
    pub(super) fn next_is<'a>(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<MemberSeen<'a>>,
        name: &[u8],
    ) -> Result<Option<Slot>> {
        self.asked = true;
        if self.left == 0 || self.search.next_unread(&Among(passed)).is_some() {
            return Ok(None);
        }
        let Some((member, slot, next)) = self.reach(input)? else { return Ok(None) };
        if member.name != name {
            return Ok(None);
        }
        self.advance(next);
        passed.push(MemberSeen { state: State::Asked, ..member });
        Ok(Some(slot))
    }

    /// Moves to the member with that name, wherever it is in the object.
    #[inline(never)]
    pub(super) fn search<'a>(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<MemberSeen<'a>>,
        name: &[u8],
    ) -> Result<Option<Slot>> {
        self.pass_all(input, passed)?;
        let Some(index) = self.search.find(&Among(passed), name)? else { return Ok(None) };
        passed[index].state = State::Asked;
        Ok(Some(self.slot(input, passed[index].value)?.0))
    }

    /// Notes all members that were not reached.
    fn pass_all<'a>(&mut self, input: &Input<'a>, passed: &mut Vec<MemberSeen<'a>>) -> Result {
        while let Some((member, _, next)) = self.reach(input)? {
            self.advance(next);
            passed.push(member);
        }
        Ok(())
    }

    /// Moves to the next member that was not read. Returns its name, its offset and its value.
    pub(super) fn next<'a>(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<MemberSeen<'a>>,
    ) -> Result<Option<(&'a [u8], usize, Slot)>> {
        self.listed = true;
        if let Some(index) = self.search.next_unread(&Among(passed)) {
            passed[index].state = State::Listed;
            let MemberSeen { name, at, value, .. } = passed[index];
            return Ok(Some((name, at, self.slot(input, value)?.0)));
        }
        let Some((member, slot, next)) = self.reach(input)? else { return Ok(None) };
        self.advance(next);
        passed.push(MemberSeen { state: State::Listed, ..member });
        Ok(Some((member.name, member.at, slot)))
    }

    /// Closes the object. Passes the names of the members that were not read to `unknown`, and
    /// their values to `check`.
    pub(super) fn close<'a>(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<MemberSeen<'a>>,
        unknown: &mut dyn FnMut(&str) -> Result,
        check: impl Fn(&Slot) -> Result,
    ) -> Result {
        self.pass_all(input, passed)?;
        if self.next != self.end {
            return Err(match self.file {
                true => trailing("the last blob", self.next),
                false => syntax("an object longer than its data", self.next),
            });
        }
        let mut unread = self.search.next_unread(&Among(passed));
        if self.asked
            && (unread.is_some() || self.listed)
            && let Some(second) = duplicate(&Among(passed), self.base)?
        {
            let MemberSeen { name, at, .. } = passed[second];
            return Err(Error::twice(&names::text(name, at)?).at(offset(at)));
        }
        while let Some(index) = unread {
            let MemberSeen { name, at, value, .. } = passed[index];
            let text = names::text(name, at)?;
            unknown(&text).map_err(|error| error.at(offset(at)))?;
            check(&self.slot(input, value)?.0).map_err(|error| error.in_member(&text))?;
            passed[index].state = State::Listed;
            unread = self.search.next_unread(&Among(passed));
        }
        Ok(())
    }
}
