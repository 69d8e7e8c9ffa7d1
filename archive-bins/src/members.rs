//! Open objects: finding members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the next member is nearly
//! always the requested one. At the first one that differs, the rest is sorted by the numbers of
//! the names.

use crate::flat::Flat;

/// An open object.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) object: usize,
    /// While `rest` is `None`: the members before this one were read, the others were not.
    next: usize,
    rest: Option<Rest>,
}

impl Members {
    pub(crate) fn open(object: usize) -> Self {
        Members { object, next: object + 1, rest: None }
    }

    /// Returns the member with that name, if it comes next.
    pub(crate) fn next_is(&mut self, flat: &Flat<'_>, name: &str) -> Option<usize> {
        let node = flat.nodes.get(self.next).filter(|_| self.rest.is_none())?;
        let end = flat.nodes[self.object].end;
        if self.next < end && flat.text(node.name) == name { self.advance(flat) } else { None }
    }

    /// Returns the member whose name has that number.
    pub(crate) fn find(&mut self, flat: &Flat<'_>, name: u32) -> Option<usize> {
        self.find_if(flat, name, |_| true)
    }

    /// Returns the member whose name has that number if it is accepted; otherwise the member stays
    /// unread.
    pub(crate) fn find_if(
        &mut self,
        flat: &Flat<'_>,
        name: u32,
        accepts: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (next, end) = (self.next, flat.nodes[self.object].end);
        let rest = self.rest.get_or_insert_with(|| Rest::new(flat, next, end));
        rest.place(name)?.take_if(|member| accepts(*member))
    }

    /// Returns the next member that was not read.
    pub(crate) fn next(&mut self, flat: &Flat<'_>) -> Option<usize> {
        match &mut self.rest {
            Some(rest) => rest.next(),
            None if self.next < flat.nodes[self.object].end => self.advance(flat),
            None => None,
        }
    }

    fn advance(&mut self, flat: &Flat<'_>) -> Option<usize> {
        let at = self.next;
        self.next = flat.nodes[at].end;
        Some(at)
    }
}

/// The members that were unread when one was first requested out of order.
#[derive(Debug)]
struct Rest {
    /// In the order of the object; `None` once they are read.
    members: Vec<Option<usize>>,
    /// The names of the members, and their indices in `members`, sorted.
    sorted: Vec<(u32, usize)>,
    /// All members before this index have been read.
    unread: usize,
}

impl Rest {
    fn new(flat: &Flat<'_>, first: usize, end: usize) -> Self {
        let (mut members, mut sorted, mut at) = (Vec::new(), Vec::new(), first);
        while at < end {
            sorted.push((flat.nodes[at].name, members.len()));
            members.push(Some(at));
            at = flat.nodes[at].end;
        }
        sorted.sort_unstable();
        Rest { members, sorted, unread: 0 }
    }

    /// Returns the entry of the member with that name.
    fn place(&mut self, name: u32) -> Option<&mut Option<usize>> {
        let at = self.sorted.partition_point(|(other, _)| *other < name);
        let (_, place) = self.sorted.get(at).filter(|(other, _)| *other == name)?;
        self.members.get_mut(*place)
    }

    fn next(&mut self) -> Option<usize> {
        let rest = &mut self.members[self.unread..];
        let skipped = rest.iter().take_while(|member| member.is_none()).count();
        self.unread += skipped;
        rest.get_mut(skipped)?.take()
    }
}
