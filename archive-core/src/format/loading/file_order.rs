//! Loads the members of an object in file order.
// Why: docs/decisions/members-and-evolution.md#derived-types-are-loaded-in-file-order

use super::Loading;
use crate::format::decoder::Decoder;
use crate::model::error::Result;
use crate::model::mark::Mark;
use crate::model::reserved;
use crate::model::shape::Class;

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
}
