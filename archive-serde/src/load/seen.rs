//! [`MembersSeen`]: members that were read before they were requested.

use std::borrow::Cow;

use archive_core::Result;
use archive_core::lookup::{Keys, Search, State};

use crate::shared::Tree;

/// Members that were read as trees because others were requested first, in the order of the input.
pub(super) struct MembersSeen {
    list: Vec<Member>,
    search: Search,
    /// How many of them were not taken yet.
    left: usize,
}

/// A name and its value; `None` after it was taken.
type Member = Option<(Cow<'static, str>, Tree)>;

struct Among<'p>(&'p [Member]);

impl Keys for Among<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        if self.0[index].is_some() { State::Unread } else { State::Asked }
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.0[index].as_ref().is_some_and(|(other, _)| other.as_bytes() == name)
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.0[index].as_ref().map_or(&[][..], |(name, _)| name.as_bytes()).into())
    }
}

impl Default for MembersSeen {
    fn default() -> Self {
        MembersSeen { list: Vec::new(), search: Search::new(0), left: 0 }
    }
}

impl MembersSeen {
    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    pub(super) fn push(&mut self, name: Cow<'static, str>, tree: Tree) {
        self.list.push(Some((name, tree)));
        self.left += 1;
    }

    /// Takes the member with that name, if it was not taken yet.
    pub(super) fn take(&mut self, name: &str) -> Result<Option<Tree>> {
        if self.is_empty() {
            return Ok(None);
        }
        let found = self.search.find(&Among(&self.list), name.as_bytes())?;
        Ok(self.take_at(found).map(|(_, tree)| tree))
    }

    /// Takes the first member that was not taken yet.
    pub(super) fn pop(&mut self) -> Member {
        let first = self.search.next_unread(&Among(&self.list));
        self.take_at(first)
    }

    fn take_at(&mut self, index: Option<usize>) -> Member {
        let taken = self.list.get_mut(index?)?.take();
        self.left -= 1;
        taken
    }
}
