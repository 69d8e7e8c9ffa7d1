//! Open objects: finding members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the next member is nearly
//! always the requested one. The rest is searched only if it is not.

use std::borrow::Cow;

use super::layout::{Node, siblings};
use crate::model::error::{Error, Result};
use crate::model::members::{Keys, Search, State, duplicate};

/// An open object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) node: usize,
    /// Used while `rest` is `None`: the members before this one were read, the others were not.
    next: usize,
    /// The members that had not been read when one was requested out of order.
    rest: Option<(Vec<Member>, Search)>,
    /// Whether members were requested by name, and whether any were returned in file order.
    asked: bool,
    listed: bool,
}

/// The node of a member, and its state.
type Member = (usize, State);

/// Members, and the nodes of the tree that they refer to.
struct Among<'a>(&'a [Member], &'a [Node<'a>]);

impl Keys for Among<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        self.0[index].1
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.1[self.0[index].0].name.as_bytes() == name
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.1[self.0[index].0].name.as_bytes().into())
    }
}

impl Object {
    pub(super) fn open(node: usize) -> Self {
        Object { node, next: node + 1, rest: None, asked: false, listed: false }
    }

    /// Returns the node of the member of that name.
    pub(super) fn member(&mut self, nodes: &[Node<'_>], name: &str) -> Result<Option<usize>> {
        self.asked = true;
        let end = nodes[self.node].end;
        if self.rest.is_none() && self.next < end && nodes[self.next].name == name {
            return Ok(self.advance(nodes));
        }
        let next = self.next;
        let (rest, search) = self.rest.get_or_insert_with(|| {
            let unread = |node| (node, State::Unread);
            (siblings(nodes, next, end).map(unread).collect(), Search::new(0))
        });
        let found = search.find(&Among(rest, nodes), name.as_bytes())?;
        Ok(found.map(|index| take(rest, index, State::Asked)))
    }

    /// Returns the node of the next member that was not read.
    pub(super) fn next(&mut self, nodes: &[Node<'_>]) -> Option<usize> {
        self.listed = true;
        match &mut self.rest {
            Some((rest, search)) => {
                let index = search.next_unread(&Among(rest, nodes))?;
                Some(take(rest, index, State::Listed))
            }
            None if self.next < nodes[self.node].end => self.advance(nodes),
            None => None,
        }
    }

    fn advance(&mut self, nodes: &[Node<'_>]) -> Option<usize> {
        let at = self.next;
        self.next = nodes[at].end;
        Some(at)
    }

    /// Calls `unknown` with the name of each member that was not read, and checks for duplicates.
    pub(super) fn close(
        mut self,
        nodes: &[Node<'_>],
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        let listed = self.listed;
        let mut unread = self.next(nodes);
        if self.asked && (unread.is_some() || listed) {
            let members = siblings(nodes, self.node + 1, nodes[self.node].end);
            let all: Vec<Member> = members.map(|node| (node, State::Listed)).collect();
            if let Some(second) = duplicate(&Among(&all, nodes), 0)? {
                return Err(Error::twice(&nodes[all[second].0].name));
            }
        }
        while let Some(at) = unread {
            unknown(&nodes[at].name)?;
            unread = self.next(nodes);
        }
        Ok(())
    }
}

/// Marks a member as read, and returns its node.
fn take(members: &mut [Member], index: usize, state: State) -> usize {
    members[index].1 = state;
    members[index].0
}
