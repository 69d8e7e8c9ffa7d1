//! Open objects: finding members by name, in whatever order they stand.
//!
//! A type asks for its members in the order in which it writes them, so the next one is nearly
//! always the one that is wanted. Only when another one is, the rest is sorted by name.

use super::layout::{Node, siblings};
use crate::error::{Error, Result};

/// After so many names that an object does not have, its members are sorted.
const SEARCHES: usize = 8;

/// An open object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) node: usize,
    /// Without `rest`: members before this one were read, the others were not.
    next: usize,
    rest: Option<Rest>,
    /// How often a name was looked for in vain.
    searches: usize,
    /// Whether members were asked for by name, and whether any were handed out otherwise.
    asked: bool,
    listed: bool,
}

impl Object {
    pub(super) fn open(node: usize) -> Self {
        let next = node + 1;
        Object { node, next, rest: None, searches: 0, asked: false, listed: false }
    }

    /// The member of that name.
    pub(super) fn member(&mut self, nodes: &[Node<'_>], name: &str) -> Option<usize> {
        self.asked = true;
        let end = nodes[self.node].end;
        if let Some(rest) = &mut self.rest {
            return rest.member(nodes, name);
        }
        if self.next < end && nodes[self.next].name == name {
            return self.advance(nodes);
        }
        if self.searches < SEARCHES {
            self.searches += 1;
            siblings(nodes, self.next, end).find(|at| nodes[*at].name == name)?;
        }
        self.rest.insert(Rest::new(nodes, self.next, end)).member(nodes, name)
    }

    /// The next member that was not read.
    pub(super) fn next(&mut self, nodes: &[Node<'_>]) -> Option<usize> {
        self.listed = true;
        match &mut self.rest {
            Some(rest) => rest.next(),
            None if self.next < nodes[self.node].end => self.advance(nodes),
            None => None,
        }
    }

    fn advance(&mut self, nodes: &[Node<'_>]) -> Option<usize> {
        let at = self.next;
        self.next = nodes[at].end;
        Some(at)
    }

    /// Tells the members that were not read.
    pub(super) fn close(
        mut self,
        nodes: &[Node<'_>],
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        let listed = self.listed;
        let mut unread = self.next(nodes);
        if self.asked && (unread.is_some() || listed) {
            no_duplicates(nodes, self.node)?;
        }
        while let Some(at) = unread {
            unknown(&nodes[at].name)?;
            unread = self.next(nodes);
        }
        Ok(())
    }
}

fn no_duplicates(nodes: &[Node<'_>], object: usize) -> Result {
    let members = siblings(nodes, object + 1, nodes[object].end);
    let mut names: Vec<&str> = members.map(|at| &*nodes[at].name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::twice(pair[0])),
        None => Ok(()),
    }
}

/// The members that were not read when one was asked for out of order.
#[derive(Debug)]
struct Rest {
    /// In the order of the object; `None` once they are read.
    members: Vec<Option<usize>>,
    /// Places in `members`, sorted by name.
    sorted: Vec<usize>,
    /// The node of each of `sorted`.
    nodes: Vec<usize>,
    /// The one looked at first: after the one found last.
    likely: usize,
    /// None before this one is unread.
    unread: usize,
}

impl Rest {
    fn new(nodes: &[Node<'_>], first: usize, end: usize) -> Self {
        let order: Vec<usize> = siblings(nodes, first, end).collect();
        let mut sorted: Vec<usize> = (0..order.len()).collect();
        sorted.sort_by(|a, b| nodes[order[*a]].name.cmp(&nodes[order[*b]].name));
        let by_name = sorted.iter().map(|place| order[*place]).collect();
        let members = order.into_iter().map(Some).collect();
        Rest { members, sorted, nodes: by_name, likely: 0, unread: 0 }
    }

    fn member(&mut self, nodes: &[Node<'_>], name: &str) -> Option<usize> {
        let place = match self.members.get(self.likely) {
            Some(Some(at)) if nodes[*at].name == name => self.likely,
            _ => {
                let at = self.nodes.partition_point(|at| *nodes[*at].name < *name);
                self.nodes.get(at).filter(|at| nodes[**at].name == name)?;
                self.sorted[at]
            }
        };
        self.likely = place + 1;
        self.members[place].take()
    }

    fn next(&mut self) -> Option<usize> {
        let rest = &mut self.members[self.unread..];
        let skipped = rest.iter().take_while(|member| member.is_none()).count();
        self.unread += skipped;
        rest.get_mut(skipped)?.take()
    }
}
