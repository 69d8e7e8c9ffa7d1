//! Open objects: finding members by name, in whatever order they stand.
//!
//! A type asks for its members in the order in which it writes them, so the next one is nearly
//! always the one that is wanted. Only when it is another one, the rest of the object is passed
//! over, once, from header to header, and from then on members are looked up among those.

use std::collections::{HashMap, HashSet};

use archive_core::{Error, Result};

use super::slot::{Place, Slot};
use crate::cursor::{Input, LEAST_BLOB, LEAST_DATUM, offset, syntax, trailing};
use crate::names;
use crate::types::DataType;

/// So many searches one by one are cheaper than a hash map, and bound what hostile objects can cost.
const SEARCHES: usize = 16;

/// An open object: a blob, or the list of blobs.
#[derive(Debug)]
pub(super) struct Members<'a> {
    /// Whether this is the list of blobs.
    file: bool,
    /// Where the next member stands that was not reached, how many there are, and where the last ends.
    next: usize,
    left: usize,
    end: usize,
    /// How many passed members belong to the objects around this one.
    pub(super) base: usize,
    /// Whether members were asked for by name, so that duplicates are an error.
    asked: bool,
    /// Whether names were handed out, which nobody has compared with those asked for.
    listed: bool,
    /// The passed member that is looked at first: the one after the one found last.
    likely: usize,
    /// None before this one is unread.
    unread: usize,
    /// How often the likely member was another one.
    searches: usize,
    /// Passed members by name, once searching one by one has become dear. Names come from the file,
    /// so the hash is one that a file cannot be made to collide in.
    names: Option<HashMap<&'a [u8], usize>>,
}

/// A member that was passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed<'a> {
    name: &'a [u8],
    at: usize,
    /// Where the value's header stands.
    value: usize,
    state: State,
}

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It was asked for by its name.
    Asked,
    /// It was handed out with its name.
    Listed,
    /// Nobody has read it yet.
    Unread,
}

impl<'a> Members<'a> {
    /// The members of the object in that slot.
    pub(super) fn open(slot: &Slot, input: &Input<'a>, base: usize) -> Result<Self> {
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
            likely: base,
            unread: base,
            searches: 0,
            names: None,
        })
    }

    /// The member that is reached next, which stays; marks are passed over.
    #[inline]
    fn reach(&mut self, input: &Input<'a>) -> Result<Option<(Passed<'a>, Slot, usize)>> {
        while self.left > 0 {
            let at = self.next;
            let (name, value) = input.name(at, self.end)?;
            let (slot, next) = self.slot(input, value)?;
            let is_mark = match self.file {
                true => name == names::ROOTS.as_bytes() && slot.end - slot.start == 4,
                false => slot.kind == DataType::Mark,
            };
            if !is_mark {
                return Ok(Some((Passed { name, at, value, state: State::Unread }, slot, next)));
            }
            self.advance(next);
        }
        Ok(None)
    }

    /// The value whose header stands at `at`, and where what is after it stands.
    #[inline]
    fn slot(&self, input: &Input<'a>, at: usize) -> Result<(Slot, usize)> {
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

    /// Moves to the member of that name if it comes next; nothing is searched.
    #[inline]
    pub(super) fn next_is(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<Passed<'a>>,
        name: &[u8],
    ) -> Result<Option<Slot>> {
        self.asked = true;
        if self.left == 0 || passed.len() > self.unread {
            return Ok(None);
        }
        let Some((member, slot, next)) = self.reach(input)? else { return Ok(None) };
        if member.name != name {
            return Ok(None);
        }
        self.advance(next);
        passed.push(Passed { state: State::Asked, ..member });
        self.unread = passed.len();
        self.likely = passed.len();
        Ok(Some(slot))
    }

    /// Moves to the member of that name, wherever it stands.
    #[inline(never)]
    pub(super) fn search(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<Passed<'a>>,
        name: &[u8],
    ) -> Result<Option<Slot>> {
        self.pass_all(input, passed)?;
        let wanted = |member: &Passed<'_>| member.state == State::Unread && member.name == name;
        let index = if passed.get(self.likely).is_some_and(wanted) {
            Some(self.likely)
        } else if self.searches < SEARCHES {
            self.searches += 1;
            let unread = self.unread.min(passed.len());
            passed[unread..].iter().position(wanted).map(|index| unread + index)
        } else {
            let (base, members) = (self.base, &*passed);
            let names = self.names.get_or_insert_with(|| {
                let mut names = HashMap::new();
                for (index, member) in members.iter().enumerate().skip(base) {
                    if member.state == State::Unread {
                        names.entry(member.name).or_insert(index);
                    }
                }
                names
            });
            names.get(name).copied().filter(|index| wanted(&passed[*index]))
        };
        let Some(index) = index else { return Ok(None) };
        passed[index].state = State::Asked;
        self.likely = index + 1;
        Ok(Some(self.slot(input, passed[index].value)?.0))
    }

    /// Notes the members that were not reached.
    fn pass_all(&mut self, input: &Input<'a>, passed: &mut Vec<Passed<'a>>) -> Result {
        while let Some((member, _, next)) = self.reach(input)? {
            self.advance(next);
            passed.push(member);
        }
        Ok(())
    }

    /// Moves to the next member that was not read: its name, where it stands, and its value.
    pub(super) fn next(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<Passed<'a>>,
    ) -> Result<Option<(&'a [u8], usize, Slot)>> {
        self.listed = true;
        if let Some(index) = self.next_unread(passed) {
            passed[index].state = State::Listed;
            let Passed { name, at, value, .. } = passed[index];
            return Ok(Some((name, at, self.slot(input, value)?.0)));
        }
        let Some((member, slot, next)) = self.reach(input)? else { return Ok(None) };
        self.advance(next);
        passed.push(Passed { state: State::Listed, ..member });
        self.unread = passed.len();
        Ok(Some((member.name, member.at, slot)))
    }

    fn next_unread(&mut self, passed: &[Passed<'a>]) -> Option<usize> {
        let rest = passed.get(self.unread..)?;
        self.unread += rest.iter().take_while(|member| member.state != State::Unread).count();
        (self.unread < passed.len()).then_some(self.unread)
    }

    /// Closes the object. The members that were not read are told to `unknown`, and what they hold to
    /// `check`.
    pub(super) fn close(
        &mut self,
        input: &Input<'a>,
        passed: &mut Vec<Passed<'a>>,
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
        let mut unread = self.next_unread(passed);
        if self.asked && (unread.is_some() || self.listed) {
            no_duplicates(&passed[self.base..])?;
        }
        while let Some(index) = unread {
            let Passed { name, at, value, .. } = passed[index];
            let text = names::text(name, at)?;
            unknown(&text).map_err(|error| error.at(offset(at)))?;
            check(&self.slot(input, value)?.0).map_err(|error| error.in_member(&text))?;
            passed[index].state = State::Listed;
            unread = self.next_unread(passed);
        }
        Ok(())
    }
}

fn no_duplicates(members: &[Passed<'_>]) -> Result {
    let mut names = HashSet::with_capacity(members.len());
    match members.iter().find(|member| !names.insert(member.name)) {
        Some(Passed { name, at, .. }) => {
            Err(Error::twice(&names::text(name, *at)?).at(offset(*at)))
        }
        None => Ok(()),
    }
}
