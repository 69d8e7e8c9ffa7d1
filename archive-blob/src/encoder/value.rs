//! Writing a value in the form that its place requires.

use archive_core::{Error, ErrorKind, Result};

use super::frame::{Array, Frame, List};
use super::{Encoder, Place};
use crate::types::DataType;

impl Encoder {
    /// Opens the blob that wraps a root that is not an object: one datum with the empty name.
    #[cold]
    pub(super) fn wrap(&mut self) {
        self.wrapped = Some((self.place_here(), self.frames.len()));
        self.put_i32(0);
        self.put_i32(1);
        self.out.extend_from_slice(&[1, 0, 0, 0, 0]);
        self.place = Place::Datum;
        self.name = None;
    }

    /// Completes a value.
    #[inline]
    pub(super) fn end_value(&mut self) -> Result {
        match self.wrapped {
            Some((at, frames)) if frames == self.frames.len() => {
                self.wrapped = None;
                self.patch(at.at, self.since(at) - 4, "the size of a root")
            }
            _ => Ok(()),
        }
    }

    /// Writes what comes before every value, except before an object at a root.
    #[inline]
    pub(super) fn begin_value(&mut self, kind: DataType, scalar: bool) -> Result {
        match self.place {
            Place::Root => self.wrap(),
            Place::Datum => {}
            Place::Element(array) => return Err(not_as_announced(array, kind)),
        }
        if let Some(Frame::List(list)) = self.frames.last_mut() {
            list.note(kind, scalar);
        }
        Ok(())
    }

    /// Writes a scalar of a fixed size.
    #[inline]
    pub(super) fn scalar(&mut self, kind: DataType, bytes: &[u8]) -> Result {
        if self.place == Place::Element(kind) {
            self.out.extend_from_slice(bytes);
            return Ok(());
        }
        self.begin_value(kind, true)?;
        self.put_header(kind, 1)?;
        self.out.extend_from_slice(bytes);
        self.end_value()
    }

    /// Writes a value whose elements are bytes.
    pub(super) fn block(&mut self, kind: DataType, bytes: &[u8], end: &[u8]) -> Result {
        self.begin_value(kind, false)?;
        self.put_header(kind, bytes.len() + end.len())?;
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(end);
        self.end_value()
    }

    /// Opens a sequence whose items all have that type, which is of a fixed size.
    pub(super) fn begin_array(&mut self, kind: DataType) -> Result {
        self.begin_value(kind, false)?;
        let name = self.name.take();
        let header = self.here();
        self.put_header(kind, 0)?;
        self.frames.push(Frame::Array(Array { header, name, kind }));
        Ok(())
    }

    pub(super) fn begin_list(&mut self, untyped: bool) -> Result {
        self.begin_value(DataType::List, false)?;
        let name = self.name.take();
        let header = self.place_here();
        self.put_header(DataType::List, 0)?;
        self.put_i32(0);
        self.frames.push(Frame::List(List::new(header, name, untyped)));
        Ok(())
    }
}

#[cold]
fn not_as_announced(array: DataType, found: DataType) -> Error {
    let message = format_args!("found {found} in a sequence that its shape declares as {array}");
    Error::new(ErrorKind::Unsupported, message)
}

/// Creates the error for a value that is too large for the format.
#[cold]
pub(crate) fn too_large(value: usize, what: &str) -> Error {
    let most = i32::MAX;
    let message = format_args!("{what} is {value}; this format allows at most {most}");
    Error::new(ErrorKind::Unsupported, message)
}
