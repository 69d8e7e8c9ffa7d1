//! Open objects: finding members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the next member is nearly
//! always the requested one. The rest is passed and searched only if it is not.

use std::borrow::Cow;
use std::fmt::{self, Debug};

use super::Nodes;
use crate::model::error::{Error, Result};
use crate::model::members::{Keys, Search, State, duplicate};

/// An open object.
pub struct Object<T: Nodes + ?Sized> {
    /// The object.
    pub node: T::Node,
    /// All members, and those that were not reached.
    all: T::Rest,
    rest: T::Rest,
    /// The members that had not been read when one was requested out of order.
    passed: Option<Box<Passed<T::Node>>>,
    /// Whether members were requested by name, and whether any were returned in the order of the tree.
    asked: bool,
    listed: bool,
}

/// Members that were passed over, with their states, and the search among them.
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

/// Returns the members that were not reached, with a state.
fn collect<T: Nodes + ?Sized>(
    tree: &T,
    rest: &mut T::Rest,
    state: State,
) -> Result<Vec<(T::Node, State)>> {
    let mut members = Vec::new();
    while let Some(member) = tree.next_member(rest)? {
        members.push((member, state));
    }
    Ok(members)
}

impl<T: Nodes + ?Sized> Object<T> {
    pub(super) fn open(node: T::Node, rest: T::Rest) -> Self {
        Object { node, all: rest, rest, passed: None, asked: false, listed: false }
    }

    /// Returns the member with that name if it comes next; does not search.
    #[inline]
    pub(super) fn next_is(&mut self, tree: &T, name: &[u8]) -> Result<Option<T::Node>> {
        self.asked = true;
        if self.passed.is_some() {
            return Ok(None);
        }
        let mut rest = self.rest;
        match tree.next_member(&mut rest)? {
            Some(member) if tree.name(member) == name => {
                self.rest = rest;
                Ok(Some(member))
            }
            _ => Ok(None),
        }
    }

    /// Returns the member with that name.
    #[inline]
    pub(super) fn member(&mut self, tree: &T, name: &[u8]) -> Result<Option<T::Node>> {
        match self.next_is(tree, name)? {
            None => self.find(tree, name, |_| true),
            found => Ok(found),
        }
    }

    /// Returns the member with that name, wherever it is, if it is accepted. Otherwise the member stays
    /// unread.
    ///
    /// # Errors
    /// If the object is malformed.
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

    /// Passes over all members that were not reached.
    fn pass_all(&mut self, tree: &T) -> Result<&mut Passed<T::Node>> {
        let passed = match self.passed.take() {
            Some(passed) => passed,
            None => {
                let members = collect(tree, &mut self.rest, State::Unread)?;
                Box::new(Passed { members, search: Search::new(0) })
            }
        };
        Ok(self.passed.insert(passed))
    }

    /// Returns the next member that was not read.
    pub(super) fn next(&mut self, tree: &T) -> Result<Option<T::Node>> {
        self.listed = true;
        let Some(passed) = &mut self.passed else { return tree.next_member(&mut self.rest) };
        let Passed { members, search } = &mut **passed;
        Ok(search.next_unread(&Among(members, tree)).map(|index| {
            members[index].1 = State::Listed;
            members[index].0
        }))
    }

    /// Closes the object. Calls `unknown` with each member that was not read, and checks for
    /// duplicates.
    pub(super) fn close(mut self, tree: &T, mut unknown: impl FnMut(T::Node) -> Result) -> Result {
        let listed = self.listed;
        let mut unread = self.next(tree)?;
        if unread.is_none() {
            tree.end(&self.rest)?;
        }
        if self.asked && (unread.is_some() || listed) {
            let all = collect(tree, &mut self.all, State::Listed)?;
            tree.end(&self.all)?;
            if let Some(second) = duplicate(&Among(&all, tree), 0)? {
                let second = all[second].0;
                return Err(Error::twice(&tree.text(second)?).at(tree.position_of_name(second)));
            }
        }
        while let Some(member) = unread {
            unknown(member)?;
            unread = self.next(tree)?;
        }
        tree.end(&self.rest)
    }
}

impl<T: Nodes + ?Sized> Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("node", &self.node).finish_non_exhaustive()
    }
}
