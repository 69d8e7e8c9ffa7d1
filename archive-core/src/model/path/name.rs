//! [`Name`]: a step's name, which knows where it was found the last time.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::ptr::from_ref;
use std::sync::atomic::{self, AtomicPtr};

use crate::model::shape::Member;

/// The name in a [`Step`](super::Step).
#[derive(Default)]
pub struct Name {
    text: Box<str>,
    /// The address of the description of the member that the name was found to be the last time. It
    /// is compared with those of other members, and nothing is read from it.
    found: AtomicPtr<Member>,
}

impl Name {
    /// Creates a step's name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Name { text: name.into(), found: AtomicPtr::default() }
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    #[inline]
    pub(crate) fn found(&self) -> *const Member {
        self.found.load(atomic::Ordering::Relaxed)
    }

    pub(crate) fn find(&self, member: &'static Member) {
        self.found.store(from_ref(member).cast_mut(), atomic::Ordering::Relaxed);
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Clone for Name {
    fn clone(&self) -> Self {
        Name { text: self.text.clone(), found: AtomicPtr::new(self.found().cast_mut()) }
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
impl Eq for Name {}
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}
