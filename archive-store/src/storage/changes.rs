//! [`Changes`]: the changes of one commit.

use std::ops::Range;

/// A change of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// Sets the value of a key.
    Put(&'a [u8], &'a [u8]),
    /// Removes a key.
    Delete(&'a [u8]),
}

/// The changes of one commit, in the order in which they are made. All bytes are in one buffer, so
/// a change costs no allocation.
#[derive(Debug, Default)]
pub struct Changes {
    bytes: Vec<u8>,
    ends: Vec<End>,
}

/// Where the key and the value of a change end; without a value, the key is deleted.
#[derive(Clone, Copy, Debug)]
struct End {
    key: usize,
    value: Option<usize>,
}

impl Changes {
    /// Creates an empty list.
    pub fn new() -> Self {
        Changes::default()
    }

    /// Returns the number of changes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a key and its value.
    pub fn put(&mut self, key: &[u8], value: &[u8]) {
        self.bytes.extend_from_slice(key);
        let key = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.ends.push(End { key, value: Some(self.bytes.len()) });
    }

    /// Adds the deletion of a key.
    pub fn delete(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(End { key: self.bytes.len(), value: None });
    }

    /// Adds all changes of another list.
    pub(crate) fn append(&mut self, other: Changes) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(
            other.ends.into_iter().map(|end| End {
                key: start + end.key,
                value: end.value.map(|value| start + value),
            }),
        );
    }

    /// Returns the changes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Change<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let key = self.part(start..end.key);
            start = end.value.unwrap_or(end.key);
            match end.value {
                Some(value) => Change::Put(key, self.part(end.key..value)),
                None => Change::Delete(key),
            }
        })
    }

    fn part(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[range]
    }
}
