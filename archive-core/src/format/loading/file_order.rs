//! Loads the members of an object in file order.
// Why: docs/decisions/members-and-evolution.md#derived-types-are-loaded-in-file-order

use super::Loading;
use crate::format::decoder::Decoder;
use crate::model::error::Result;
use crate::model::mark::Mark;
use crate::model::reserved;
use crate::model::shape::Class;
use crate::visit::body::Body;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Returns whether the object at `start` has a version that is not its first member. Moves to
    /// the object.
    #[cold]
    pub(super) fn has_late_version(&mut self, class: &'static Class, start: Mark) -> Result<bool> {
        self.decoder.recover(start);
        self.decoder.begin_object(class)?;
        let found = self.decoder.member(reserved::VERSION);
        self.decoder.recover(start);
        found
    }

    /// Loads over an old value, on the assumption that the file has all members of the value and of
    /// the values inside it. Returns `false` if it does not.
    #[inline]
    pub(super) fn try_in_place<B: Body>(&mut self, body: &mut B) -> Result<bool> {
        if self.session.looks() || self.options.strict || !self.session.attempt.begin() {
            return Ok(false);
        }
        let at = self.decoder.mark();
        let (levels, elements) = (self.session.levels(), self.session.budget.elements);
        let result = body.run(self);
        if self.session.attempt.end() {
            return match result {
                Ok(()) => Ok(true),
                Err(error) => Err(error),
            };
        }
        self.decoder.recover(at);
        self.session.set_levels(levels);
        self.session.budget.elements = elements;
        Ok(false)
    }
}
