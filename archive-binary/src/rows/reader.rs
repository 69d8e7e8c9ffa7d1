//! [`Reader`]: loads rows of the same types, one after the other.

use archive_core::backend::{New, over};
use archive_core::{Body, Element, Options, Report, Result, Serialize, Session, Shape};

use super::RowTypes;
use crate::{Decoder, fast_path};

/// Loads rows of the same types, one after the other.
pub struct Reader {
    types: RowTypes,
}

impl Reader {
    /// Creates a reader of rows of these types.
    pub fn new(types: &RowTypes) -> Self {
        Reader { types: types.clone() }
    }

    /// Returns the types of the rows.
    pub fn types(&self) -> &RowTypes {
        &self.types
    }

    /// Loads a new value.
    ///
    /// # Errors
    /// Those of the row and of the value.
    pub fn load<T: Element>(&mut self, row: &[u8], options: &Options<'_>) -> Result<T> {
        let mut new = New(None);
        self.root(&mut new, T::SHAPE, row, &mut Session::new(), options)?;
        new.take()
    }

    /// Loads into an existing value, as [`load_into`](super::load_into) does.
    ///
    /// # Errors
    /// Those of the row and of the value. After an error the content of the value is unspecified
    /// but valid, and the reader can be used again.
    pub fn load_into<T: Serialize + ?Sized>(
        &mut self,
        value: &mut T,
        row: &[u8],
        options: &Options<'_>,
    ) -> Result {
        over(value, options, |mut value| {
            self.root(&mut value, T::SHAPE, row, &mut Session::new(), options)
        })
    }

    /// Loads into an existing value, and returns a report of the load.
    ///
    /// # Errors
    /// As [`load_into`](Reader::load_into).
    pub fn load_into_report<T: Serialize + ?Sized>(
        &mut self,
        value: &mut T,
        row: &[u8],
        options: &Options<'_>,
    ) -> Result<Report> {
        let mut session = Session::reporting();
        over(value, options, |mut value| {
            self.root(&mut value, T::SHAPE, row, &mut session, options)
        })?;
        Ok(session.take_report())
    }

    fn root<B: Body>(
        &mut self,
        body: &mut B,
        shape: &'static Shape,
        row: &[u8],
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let mut decoder = Decoder::of_row(row, &self.types, options)?;
        fast_path::load_root(&mut decoder, shape, body, session, options)?;
        decoder.end().inspect_err(|_| session.loaded.abandon(options))
    }
}
