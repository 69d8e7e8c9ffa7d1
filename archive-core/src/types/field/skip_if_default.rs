//! `#[archive(skip_if_default)]`: leaves out a member that has its default value.

use crate::model::error::Result;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::session::Extent;
use crate::visit::walk::stays;

/// Returns whether a member is written: whether it differs from its default, or the format needs
/// every member.
#[inline]
pub fn is_written<A: Archive, T: PartialEq>(
    ar: &A,
    value: &T,
    default: impl FnOnce() -> T,
) -> bool {
    ar.fixed_members() || *value != default()
}

/// The body of a member that is loaded. It records whether the file has the member.
pub struct Noticed<B> {
    body: B,
    found: bool,
    since: Extent,
}

impl<B: Body> Noticed<B> {
    /// Creates a body that has not loaded anything yet.
    #[inline]
    pub fn new<A: Archive>(ar: &A, body: B) -> Self {
        Noticed { body, found: false, since: ar.session().report().extent() }
    }

    /// Returns whether the file does not have the member. If so, removes the note about it.
    #[inline]
    pub fn is_absent<A: Archive>(self, ar: &mut A) -> bool {
        if !self.found {
            ar.session_mut().forget_notes(self.since);
        }
        !self.found && !stays(ar)
    }
}

impl<B: Body> Body for Noticed<B> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.found = true;
        self.body.run(ar)
    }
}
