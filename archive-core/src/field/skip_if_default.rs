//! `#[archive(skip_if_default)]`: a member that is left out where it has its default.

use crate::archive::{Archive, Body};
use crate::error::Result;

/// Whether a member is written: it differs from its default, or the format has a place for it
/// anyway.
#[inline]
pub fn is_written<A: Archive, T: PartialEq>(
    ar: &A,
    value: &T,
    default: impl FnOnce() -> T,
) -> bool {
    ar.fixed_members() || *value != default()
}

/// The body of a member being loaded, which notices whether the member is there.
pub struct Noticed<B> {
    body: B,
    found: bool,
    notes: usize,
}

impl<B: Body> Noticed<B> {
    /// Nothing was loaded yet.
    #[inline]
    pub fn new<A: Archive>(ar: &A, body: B) -> Self {
        Noticed { body, found: false, notes: ar.session().report.notes.len() }
    }

    /// Whether the member was not there; if so, that is nothing to report.
    #[inline]
    pub fn is_absent<A: Archive>(self, ar: &mut A) -> bool {
        if !self.found {
            ar.session_mut().report.notes.truncate(self.notes);
        }
        !self.found
    }
}

impl<B: Body> Body for Noticed<B> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.found = true;
        self.body.run(ar)
    }
}
