//! Self-describing values. The encoder writes them, and has the output buffer while it does.

use archive_core::{Archive, Body, Result};

use super::Saving;
use crate::Encoder;

impl<'w> Saving<'_, 'w> {
    /// Passes the output to the encoder. It is passed back when the next byte is written here.
    pub(super) fn pass_output(&mut self) {
        self.encoder.receive_output(&mut self.out);
    }

    /// Returns the archive over the encoder, for values that this archive does not write.
    pub(super) fn over_encoder(&mut self) -> archive_core::Saving<'_, Encoder<'w>> {
        archive_core::Saving::new(&mut *self.encoder, self.session, self.options)
    }

    /// Saves a self-describing value.
    #[inline(never)]
    pub(super) fn any<B: Body>(&mut self, body: &mut B) -> Result {
        self.pass_output();
        self.encoder.go_into_any();
        body.run(&mut self.over_encoder().erased().saving())
    }

    /// Saves a value that may be self-describing. It is if `any` returns `true`.
    #[inline(always)]
    pub(super) fn any_or<B: Body>(&mut self, any: impl FnOnce() -> bool, body: &mut B) -> Result {
        if const { !B::FACTS.typed } && any() { self.any(body) } else { body.run(self) }
    }
}
