//! [`Datum`]: one value of a blob, without its name.

use archive_core::bridge::New;
use archive_core::{Element, Error, ErrorKind, Loading, Options, Result, Saving, Session, Source};
use byteorder::{ByteOrder, LittleEndian};

use crate::cursor::{HEADER, Header, Input, word};
use crate::types::DataType;
use crate::{Decoder, Encoder};

/// A datum: a type, an element size, an element count and the data, little-endian.
///
/// ```
/// use archive::blob::{DataType, Datum};
///
/// let datum = Datum::new(DataType::Int, 4, &[1, 0, 0, 0, 2, 0, 0, 0])?;
/// assert_eq!((datum.data_type(), datum.element_size(), datum.len()), (DataType::Int, 4, 2));
/// assert_eq!(datum.to::<Vec<u8>>()?, [1, 2]); // numbers are converted
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Datum {
    /// The bytes as in a file, with the header.
    raw: Vec<u8>,
}

impl Datum {
    /// Creates a datum of that type, which this library need not know.
    ///
    /// # Errors
    /// [`ErrorKind::WrongLength`] if the data is not a whole number of elements, or if the elements
    /// of a known type have another size; [`ErrorKind::Unsupported`] if there are too many.
    pub fn new(kind: DataType, element_size: usize, data: &[u8]) -> Result<Datum> {
        let expected = kind.element_size().unwrap_or(element_size);
        if expected != element_size {
            let message = format_args!("an element of {kind} has {expected} bytes");
            return Err(wrong_length(message, element_size));
        }
        let count = data.len().checked_div(element_size).unwrap_or(0);
        if count * element_size != data.len() {
            let message = format_args!("elements of {element_size} bytes");
            return Err(wrong_length(message, data.len()));
        }
        let mut raw = Vec::with_capacity(HEADER + data.len());
        raw.extend_from_slice(&word(kind.code()));
        raw.extend_from_slice(&length(element_size, "the size of an element")?);
        raw.extend_from_slice(&length(count, "the number of elements")?);
        length(data.len(), "the size of a datum")?;
        raw.extend_from_slice(data);
        Ok(Datum { raw })
    }

    /// Creates a datum from a value, in the form of a member of an object: `&value` of a type with
    /// `Save`, or `&mut value` of any type with `Serialize`.
    pub fn of<S: Source>(value: S) -> Result<Datum> {
        Datum::of_with(value, &Options::new())
    }

    /// As [`of`](Datum::of), with options.
    pub fn of_with<S: Source>(mut value: S, options: &Options<'_>) -> Result<Datum> {
        let mut encoder = Encoder::datum();
        Saving::new(&mut encoder, &mut Session::new(), options).root(&mut value)?;
        Ok(Datum { raw: encoder.finish()? })
    }

    /// Loads the value, with the conversions that apply to members of objects: numbers are
    /// converted if the value is preserved.
    ///
    /// # Errors
    /// If the datum does not fit the type. Offsets count from the datum's header.
    pub fn to<T: Element>(&self) -> Result<T> {
        self.to_with(&Options::new())
    }

    /// As [`to`](Datum::to), with options.
    ///
    /// # Errors
    /// If the datum does not fit the type.
    pub fn to_with<T: Element>(&self, options: &Options<'_>) -> Result<T> {
        let mut decoder = Decoder::datum(&self.raw, options.settings().limits().nesting())?;
        let mut new = New(None);
        Loading::new(&mut decoder, &mut Session::new(), options).root(T::SHAPE, &mut new)?;
        new.0.ok_or_else(|| Error::custom("no value was loaded"))
    }

    /// Returns the type.
    pub fn data_type(&self) -> DataType {
        DataType::new(self.field(0))
    }

    /// Returns the size of one element in bytes.
    pub fn element_size(&self) -> usize {
        self.field(4) as usize
    }

    /// Returns the number of elements.
    #[allow(clippy::len_without_is_empty)] // below
    pub fn len(&self) -> usize {
        self.field(8) as usize
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of all elements.
    pub fn data(&self) -> &[u8] {
        &self.raw[HEADER..]
    }

    /// Reads a datum at `at`. Returns it with the offset after it.
    pub(crate) fn read(input: &Input<'_>, at: usize, end: usize) -> Result<(Datum, usize)> {
        let header: Header = input.header(at, end)?;
        Ok((Datum { raw: input.0[at..header.end].to_vec() }, header.end))
    }

    /// Returns the header and the data.
    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    fn field(&self, at: usize) -> i32 {
        LittleEndian::read_i32(&self.raw[at..])
    }
}

/// Returns the bytes of a length or count in the format.
pub(crate) fn length(value: usize, what: &str) -> Result<[u8; 4]> {
    match i32::try_from(value) {
        Ok(value) => Ok(word(value)),
        Err(_) => Err(crate::encoder::too_large(value, what)),
    }
}

#[cold]
fn wrong_length(expected: impl std::fmt::Display, found: usize) -> Error {
    Error::new(ErrorKind::WrongLength, format_args!("{expected}, found {found} bytes"))
}
