//! [`Writer`]: appends rows of one type, one after the other.

use archive_core::{Backend, Options, Result, Save};

use super::Rows;

/// Appends rows, one after the other.
#[derive(Default)]
pub struct Writer {
    row: Vec<u8>,
}

impl Writer {
    /// Creates a writer.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Appends the row of a value to `out`.
    ///
    /// # Errors
    /// Those of the value. After an error `out` is as long as before, and the writer can be used
    /// again.
    pub fn append<T: Save + ?Sized>(
        &mut self,
        out: &mut Vec<u8>,
        value: &T,
        options: &Options<'_>,
    ) -> Result {
        Rows::save_into(&mut self.row, value, options)?;
        out.extend_from_slice(&self.row);
        Ok(())
    }
}
