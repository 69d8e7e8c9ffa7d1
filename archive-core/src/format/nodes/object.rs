//! Open objects: finds members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the next member is nearly
//! always the requested one. Only if it is not, the remaining members are recorded and searched.

use std::borrow::Cow;
use std::fmt::{self, Debug};

use super::Nodes;
use crate::model::error::{Error, Result};
use crate::model::members::{Keys, Search, State, duplicate};

/// An open object.
pub struct Object<T: Nodes + ?Sized> {
    /// The object.
    pub node: T::Node,
    /// All members, the members that were not reached yet, and the number of members that were read
    /// in order.
    all: T::Rest,
    rest: T::Rest,
    read: usize,
    /// The recorded members, once one was requested out of order.
    passed: Option<Box<Passed<T::Node>>>,
    /// Whether members were requested by name, and whether any were returned in the order of the
    /// tree.
    asked: bool,
    listed: bool,
}

/// Members with their states, and the search among them.
#[derive(Debug)]
struct Passed<N> {
    members: Vec<(N, State)>,
    search: Search,
}

/// Members, and the tree that they are in.
struct Among<'a, T: Nodes + ?Sized>(&'a [(T::Node, State)], &'a T);

impl<T: Nodes + ?Sized> Keys for Among<'_, T> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        self.0[index].1
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.1.name(self.0[index].0) == name
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.1.name(self.0[index].0).into())
    }
}

impl<T: Nodes + ?Sized> Object<T> {
    pub(super) fn open(node: T::Node, rest: T::Rest) -> Self {
        Object { node, all: rest, rest, read: 0, passed: None, asked: false, listed: false }
    }

    /// Returns the member with that name if it comes next. Does not search.
    #[inline(always)]
    pub(super) fn next_is(&mut self, tree: &T, name: &[u8]) -> Result<Option<T::Node>> {
        self.asked = true;
        if self.passed.is_some() {
            return Ok(None);
        }
        let found = tree.next_named(&mut self.rest, name)?;
        self.read += usize::from(found.is_some());
        Ok(found)
    }

    /// Returns the member with that name.
    #[inline]
    pub(super) fn member(&mut self, tree: &T, name: &[u8]) -> Result<Option<T::Node>> {
        match self.next_is(tree, name)? {
            None => self.find(tree, name, |_| true),
            found => Ok(found),
        }
    }

    /// Returns the member with that name, at any place, if it is accepted. Otherwise the member
    /// remains unread.
    ///
    /// # Errors
    /// An error if the object is malformed.
    pub fn find(
        &mut self,
        tree: &T,
        name: &[u8],
        accepts: impl FnOnce(T::Node) -> bool,
    ) -> Result<Option<T::Node>> {
        let Passed { members, search } = self.pass_all(tree)?;
        let Some(index) = search.find(&Among(members, tree), name)? else { return Ok(None) };
        let (member, state) = &mut members[index];
        if !accepts(*member) {
            return Ok(None);
        }
        *state = State::Asked;
        Ok(Some(*member))
    }

    /// Records all members.
    fn pass_all(&mut self, tree: &T) -> Result<&mut Passed<T::Node>> {
        let passed = match self.passed.take() {
            Some(passed) => passed,
            None => {
                let read = if self.listed { State::Listed } else { State::Asked };
                let mut members = Vec::with_capacity(tree.count(&self.all));
                self.rest = self.all;
                while let Some(member) = tree.next_member(&mut self.rest)? {
                    let state = if members.len() < self.read { read } else { State::Unread };
                    members.push((member, state));
                }
                Box::new(Passed { members, search: Search::new(0) })
            }
        };
        Ok(self.passed.insert(passed))
    }

    /// Returns the next member that was not read yet.
    pub(super) fn next(&mut self, tree: &T) -> Result<Option<T::Node>> {
        self.listed = true;
        match &mut self.passed {
            Some(passed) => Ok(passed.next(tree)),
            None => {
                self.read += 1;
                tree.next_member(&mut self.rest)
            }
        }
    }

    /// Closes the object. Checks for duplicates, and calls `unknown` with each member that was not read.
    pub(super) fn close(mut self, tree: &T, mut unknown: impl FnMut(T::Node) -> Result) -> Result {
        let (asked, listed) = (self.asked, self.listed);
        if self.passed.is_none() && !(asked && listed) {
            let mut rest = self.rest;
            if tree.next_member(&mut rest)?.is_none() {
                return tree.end(&rest);
            }
        }
        self.pass_all(tree)?;
        tree.end(&self.rest)?;
        let Some(mut passed) = self.passed else { return Ok(()) };
        let Passed { members, search } = &mut *passed;
        let has_unread = search.next_unread(&Among(members, tree)).is_some();
        if asked
            && (has_unread || listed)
            && let Some(second) = duplicate(&Among(members, tree), 0)?
        {
            let second = members[second].0;
            return Err(Error::twice(&tree.text(second)?).at(tree.position_of_name(second)));
        }
        while let Some(member) = passed.next(tree) {
            unknown(member)?;
        }
        Ok(())
    }
}

impl<N: Copy> Passed<N> {
    fn next<T: Nodes<Node = N> + ?Sized>(&mut self, tree: &T) -> Option<N> {
        let index = self.search.next_unread(&Among(&self.members, tree))?;
        let (member, state) = &mut self.members[index];
        *state = State::Listed;
        Some(*member)
    }
}

impl<T: Nodes + ?Sized> Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("node", &self.node).finish_non_exhaustive()
    }
}
