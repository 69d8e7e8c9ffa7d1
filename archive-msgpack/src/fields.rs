//! [`Fields`]: an object that is stored as an array, with its members in the order of the class.

use archive_core::{Class, Error, ErrorKind, Member, Result};

use crate::cursor::Cursor;

/// An open object that is stored as an array.
#[derive(Debug)]
pub(crate) struct Fields {
    class: &'static Class,
    members: &'static [Member],
    /// The index of the member at the cursor, or the number of members.
    next: usize,
    len: usize,
}

impl Fields {
    /// Opens an object of `len` members, if its class lists them. Classes with flattened members
    /// are written as maps, because these may have any number of members.
    pub(crate) fn open(class: &'static Class, len: usize) -> Option<Self> {
        let members = class.members?;
        if members.iter().any(|member| member.flatten) {
            return None;
        }
        Some(Fields { class, members, next: 0, len })
    }

    /// Returns whether the value at the cursor belongs to that member.
    pub(crate) fn member(&mut self, name: &str) -> Result<bool> {
        match self.members.get(self.next) {
            Some(member) if member.name == name => {
                let there = self.next < self.len;
                self.next += usize::from(there);
                Ok(there)
            }
            _ if self.next >= self.len => Ok(false),
            // An alias of a missing member, or a name that is not a member's.
            _ if !self.members[self.next..].iter().any(|member| member.name == name) => Ok(false),
            _ => {
                let message = format_args!(
                    "`{}` is an array here, so its members must be read in order: `{name}` is not the \
                     next one",
                    self.class.name()
                );
                Err(Error::new(ErrorKind::Unsupported, message))
            }
        }
    }

    /// Moves to the next member of the class. Returns `false` if there is none.
    pub(crate) fn next_field(&mut self) -> bool {
        let there = self.next < self.len.min(self.members.len());
        self.next += usize::from(there);
        there
    }

    /// Checks that no items are left.
    pub(crate) fn close(&self, cursor: &Cursor<'_>) -> Result {
        if self.next >= self.len {
            return Ok(());
        }
        let (name, known, len) = (self.class.name(), self.next, self.len);
        let message = format_args!("`{name}` has {known} members, but the array has {len} items");
        Err(cursor.error(ErrorKind::WrongLength, message))
    }
}
