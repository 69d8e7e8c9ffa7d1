//! Rows that are written one after the other by one encoder.

use archive_core::Options;
use archive_core::session::EmptyElements;

use super::Encoder;
use crate::container::Profile;

impl Encoder<'_> {
    /// Begins a row of a type that determines all of its data, after the bytes that `out` already
    /// has.
    pub(crate) fn begin_row(&mut self, out: Vec<u8>, options: &Options<'_>) {
        self.part.bytes = out;
        Profile::Rows.put_plain_start(&mut self.part.bytes);
        (self.open, self.has_output) = (0, false);
        self.outer.clear();
        self.empty = EmptyElements::new(options);
    }

    /// Returns whether anything was written that does not follow from the type of the root.
    pub(crate) fn needs_tables(&self) -> bool {
        self.last_object > 0
            || !self.layouts.classes().is_empty()
            || !self.pointee_types.list().is_empty()
            || !self.other.bytes.is_empty()
    }
}
