//! [`Object`]: an open object of a format that stores its members one after the other. Finds
//! members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the key at the cursor is
//! nearly always the requested one. At the first key that differs, the rest of the object is
//! scanned once, and its keys are recorded. From then on, members are searched for among the
//! recorded keys.
// Why: docs/decisions/members-and-evolution.md#the-rules-of-open-objects-are-written-once

use crate::model::error::{Error, Position, Result};
use crate::model::members::{Keys, Search, State, duplicate};

/// The cursor of a format, with the recorded keys of all open objects. The keys of the innermost
/// object come last.
pub trait Members: Keys {
    /// The members of an object that come next, as the format represents them.
    type Rest;
    /// The name of a member.
    type Name;

    /// Moves to the next key. Returns `false` at the end of the object.
    ///
    /// # Errors
    /// Returns an error if the input is malformed, as does every method here.
    fn next(&mut self, rest: &mut Self::Rest) -> Result<bool>;

    /// Moves from a key to its value and records it as [`Asked`](State::Asked), if the key has that
    /// name.
    fn take(&mut self, rest: &mut Self::Rest, name: &str) -> Result<bool>;

    /// Moves from a key to its value, and returns the name. With `note` it records the key as
    /// [`Listed`](State::Listed).
    fn list_next(&mut self, rest: &mut Self::Rest, note: bool) -> Result<Self::Name>;

    /// Moves from a key to its value, and records the key as [`Unread`](State::Unread).
    fn pass(&mut self, rest: &mut Self::Rest) -> Result;

    /// Begins to scan the rest of an object. Returns whether the spans in it must be recorded.
    fn begin_passing(&mut self, rest: &mut Self::Rest) -> bool;

    /// Skips the value at the cursor, in which no more than `limit` levels may be open.
    fn skip(&mut self, limit: usize, record: bool) -> Result;

    /// Returns the offset of the cursor, at the end of the object that was scanned.
    fn end_passing(&mut self, record: bool) -> usize;

    /// Moves to an offset.
    fn go(&mut self, offset: usize);

    /// Moves to the value of a recorded key, which was requested by its name.
    fn ask(&mut self, index: usize);

    /// Moves to the value of a recorded key, and returns its name.
    fn list(&mut self, index: usize) -> Result<Self::Name>;

    /// Returns the position of a recorded key.
    fn position(&self, index: usize) -> Position;

    /// Drops the recorded keys from an index on, because their object is closed.
    fn forget(&mut self, rest: &Self::Rest, from: usize);

    /// Creates the error for a recorded key whose name occurs for the second time.
    #[cold]
    fn twice(&self, index: usize) -> Result<Error> {
        Ok(Error::twice(&String::from_utf8_lossy(&self.name(index)?)).at(self.position(index)))
    }
}

/// An open object. `R` represents the members that come next.
#[derive(Debug)]
pub struct Object<R> {
    /// The members that come next.
    pub rest: R,
    /// The number of nested levels that are still allowed inside.
    pub limit: usize,
    /// The number of recorded keys that belong to the objects around this one.
    base: usize,
    /// Whether members were requested by name. Duplicates are then an error.
    asked: bool,
    /// Whether names were returned to the caller without being compared with requested ones.
    listed: bool,
    /// Set once the rest of the object was scanned to find a member that does not come next.
    passed: Option<Box<Passed>>,
}

/// The state of an object after all its keys were recorded.
#[derive(Debug)]
struct Passed {
    /// The end of the object.
    end: usize,
    /// The search among the keys, from the first one that was not the requested one.
    search: Search,
}

impl<R> Object<R> {
    /// Creates an object inside others, which have `base` recorded keys.
    #[inline]
    pub fn open(rest: R, base: usize, limit: usize) -> Self {
        Object { rest, limit, base, asked: false, listed: false, passed: None }
    }

    /// Moves to the value of a member.
    ///
    /// # Errors
    /// Returns an error if the input is malformed, as does every method here.
    #[inline]
    pub fn member<M: Members<Rest = R>>(&mut self, mut at: M, name: &str) -> Result<bool> {
        Ok(self.next_is(&mut at, name)? || self.search(at, name)?)
    }

    /// Moves to the value of a member if its key comes next. Does not search.
    #[inline(always)]
    pub fn next_is<M: Members<Rest = R>>(&mut self, at: &mut M, name: &str) -> Result<bool> {
        self.asked = true;
        Ok(self.passed.is_none() && at.next(&mut self.rest)? && at.take(&mut self.rest, name)?)
    }

    /// Moves to the value of a member if its key comes next: `take` does so, and returns whether it
    /// did.
    #[inline(always)]
    pub fn next_is_by(&mut self, take: impl FnOnce(&mut R) -> bool) -> bool {
        let taken = self.passed.is_none() && take(&mut self.rest);
        self.asked |= taken;
        taken
    }

    /// Moves to the value of a member whose key does not come next.
    #[inline(never)]
    fn search<M: Members<Rest = R>>(&mut self, mut at: M, name: &str) -> Result<bool> {
        if self.passed.is_none() {
            if !at.next(&mut self.rest)? {
                return Ok(false);
            }
            self.pass_all(&mut at)?;
        }
        let Some(passed) = &mut self.passed else { return Ok(false) };
        let Some(index) = passed.search.find(&at, name.as_bytes())? else { return Ok(false) };
        at.ask(index);
        Ok(true)
    }

    /// Moves to the value of the next member that was not read yet, and returns its name.
    #[inline]
    pub fn next_key<M: Members<Rest = R>>(&mut self, mut at: M) -> Result<Option<M::Name>> {
        if let Some(passed) = &mut self.passed {
            let Some(index) = passed.search.next_unread(&at) else { return Ok(None) };
            self.listed = true;
            return at.list(index).map(Some);
        }
        if !at.next(&mut self.rest)? {
            return Ok(None);
        }
        self.listed |= self.asked;
        at.list_next(&mut self.rest, self.asked).map(Some)
    }

    /// Moves to the end of the object, and passes the names of members that were not read to
    /// `unknown`.
    #[inline]
    pub fn close<M: Members<Rest = R>>(
        &mut self,
        mut at: M,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        if self.passed.is_some() || at.next(&mut self.rest)? || self.listed {
            return self.close_checked(at, unknown);
        }
        at.forget(&self.rest, self.base);
        Ok(())
    }

    /// Like [`close`](Object::close), for an object with members that were not requested by name.
    #[cold]
    fn close_checked<M: Members<Rest = R>>(
        &mut self,
        mut at: M,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        if self.passed.is_none() && at.next(&mut self.rest)? {
            self.pass_all(&mut at)?;
        }
        if self.asked
            && let Some(index) = duplicate(&at, self.base)?
        {
            return Err(at.twice(index)?);
        }
        if let Some(passed) = &self.passed {
            at.go(passed.end);
            for index in (self.base..at.count()).filter(|index| at.state(*index) == State::Unread) {
                let name = at.name(index)?;
                let known = unknown(&String::from_utf8_lossy(&name));
                known.map_err(|error| error.at(at.position(index)))?;
            }
        }
        at.forget(&self.rest, self.base);
        Ok(())
    }

    /// Drops the recorded keys of this object and of all objects inside it.
    #[inline]
    pub fn forget<M: Members<Rest = R>>(&self, mut at: M) {
        at.forget(&self.rest, self.base);
    }

    /// Records the keys from the one at the cursor to the end of the object.
    #[inline(never)]
    fn pass_all<M: Members<Rest = R>>(&mut self, at: &mut M) -> Result {
        let search = Search::new(at.count());
        let record = at.begin_passing(&mut self.rest);
        while at.next(&mut self.rest)? {
            at.pass(&mut self.rest)?;
            at.skip(self.limit, record).map_err(|error| match at.name(at.count() - 1) {
                Ok(name) => error.in_member(&String::from_utf8_lossy(&name)),
                Err(_) => error,
            })?;
        }
        self.passed = Some(Box::new(Passed { end: at.end_passing(record), search }));
        Ok(())
    }
}
