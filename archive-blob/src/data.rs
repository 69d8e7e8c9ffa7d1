//! [`ToDatum`] and [`FromDatum`]: values that can be converted to and from a [`Datum`].

use archive_core::{Error, ErrorKind, Result};

use crate::datum::Datum;
use crate::object_blob::ObjectBlob;
use crate::types::DataType;

/// A value that can be converted to a datum: scalars, text, arrays and vectors of scalars, blobs,
/// data.
pub trait ToDatum {
    /// Converts the value to a datum.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the value is too large.
    fn to_datum(&self) -> Result<Datum>;
}

/// A value that can be extracted from a datum of exactly its type. Nothing is converted;
/// [`ObjectBlob::get_value`] converts.
pub trait FromDatum: Sized {
    /// Extracts the value.
    ///
    /// # Errors
    /// [`ErrorKind::WrongType`] and [`ErrorKind::WrongLength`]; the message says what was expected
    /// and what was found.
    fn from_datum(datum: &Datum) -> Result<Self>;
}

/// A scalar of a fixed size, which can be an element of an array.
pub trait DatumElement: Copy {
    /// The type of data with such elements.
    const TYPE: DataType;

    /// Appends the bytes.
    #[doc(hidden)]
    fn put(self, out: &mut Vec<u8>);
    /// Returns the value of the bytes, if there are as many as it takes and they are valid.
    #[doc(hidden)]
    fn take(bytes: &[u8]) -> Option<Self>;
}

macro_rules! elements {
    ($($ty:ident $TYPE:ident: $put:expr, $take:expr;)*) => {$(
        impl DatumElement for $ty {
            const TYPE: DataType = DataType::$TYPE;

            fn put(self, out: &mut Vec<u8>) {
                let put: fn($ty) -> _ = $put;
                out.extend_from_slice(&put(self));
            }
            fn take(bytes: &[u8]) -> Option<Self> {
                let take: fn(_) -> Option<$ty> = $take;
                take(bytes.first_chunk().copied()?)
            }
        }
        impl ToDatum for $ty {
            fn to_datum(&self) -> Result<Datum> {
                array(&[*self])
            }
        }
        impl FromDatum for $ty {
            fn from_datum(datum: &Datum) -> Result<Self> {
                expect::<$ty>(datum, &DataType::$TYPE)?;
                if datum.len() != 1 {
                    return Err(wrong_type(&DataType::$TYPE, datum));
                }
                element(datum.data())
            }
        }
    )*};
}

macro_rules! numbers {
    ($($ty:ident $TYPE:ident;)*) => {
        elements! { $($ty $TYPE: $ty::to_le_bytes, |bytes| Some($ty::from_le_bytes(bytes));)* }
    };
}

numbers! {
    i8 I8; i16 I16; i32 Int; i64 I64; i128 I128;
    u8 U8; u16 U16; u32 U32; u64 U64; u128 U128;
    f32 Float; f64 Double;
}

elements! {
    bool Bool: |value| [u8::from(value)], |byte: [u8; 1]| (byte[0] < 2).then_some(byte[0] == 1);
    char Character: |value| u32::from(value).to_le_bytes(),
        |bytes| char::from_u32(u32::from_le_bytes(bytes));
}

fn array<T: DatumElement>(values: &[T]) -> Result<Datum> {
    let size = T::TYPE.element_size().unwrap_or(1);
    let mut data = Vec::with_capacity(size * values.len());
    values.iter().for_each(|value| value.put(&mut data));
    Datum::new(T::TYPE, size, &data)
}

fn element<T: DatumElement>(bytes: &[u8]) -> Result<T> {
    T::take(bytes).ok_or_else(|| {
        Error::new(ErrorKind::Syntax, format_args!("{bytes:02x?} is not a valid {}", T::TYPE))
    })
}

fn expect<T: DatumElement>(datum: &Datum, expected: &dyn std::fmt::Display) -> Result {
    if datum.data_type() == T::TYPE { Ok(()) } else { Err(wrong_type(expected, datum)) }
}

fn elements<'a, T: DatumElement + 'a>(
    datum: &'a Datum,
) -> Result<impl Iterator<Item = Result<T>> + 'a> {
    expect::<T>(datum, &format_args!("an array of {}", T::TYPE))?;
    Ok(datum.data().chunks_exact(datum.element_size().max(1)).map(element))
}

#[cold]
fn wrong_type(expected: &dyn std::fmt::Display, found: &Datum) -> Error {
    let (kind, count) = (found.data_type(), found.len());
    match count {
        1 => Error::wrong_type(expected, kind),
        _ if kind == DataType::Char => Error::wrong_type(expected, "text"),
        _ => Error::wrong_type(expected, format_args!("an array of {count} {kind}")),
    }
}

impl<T: ToDatum + ?Sized> ToDatum for &T {
    fn to_datum(&self) -> Result<Datum> {
        (**self).to_datum()
    }
}

impl<T: DatumElement> ToDatum for [T] {
    fn to_datum(&self) -> Result<Datum> {
        array(self)
    }
}

impl<T: DatumElement, const N: usize> ToDatum for [T; N] {
    fn to_datum(&self) -> Result<Datum> {
        array(self)
    }
}

impl<T: DatumElement> ToDatum for Vec<T> {
    fn to_datum(&self) -> Result<Datum> {
        array(self)
    }
}

impl<T: DatumElement> FromDatum for Vec<T> {
    fn from_datum(datum: &Datum) -> Result<Self> {
        elements(datum)?.collect()
    }
}

impl<T: DatumElement, const N: usize> FromDatum for [T; N] {
    fn from_datum(datum: &Datum) -> Result<Self> {
        let elements: Vec<T> = Vec::from_datum(datum)?;
        elements.try_into().map_err(|found: Vec<T>| {
            let message = format_args!("expected {N} elements, found {}", found.len());
            Error::new(ErrorKind::WrongLength, message)
        })
    }
}

impl ToDatum for str {
    /// Converts text to the type `char` of the original program, or to the type `text` if it
    /// contains a NUL.
    fn to_datum(&self) -> Result<Datum> {
        Datum::of(self)
    }
}

impl ToDatum for String {
    fn to_datum(&self) -> Result<Datum> {
        Datum::of(&**self)
    }
}

impl FromDatum for String {
    fn from_datum(datum: &Datum) -> Result<Self> {
        match datum.data_type() {
            DataType::Char | DataType::Text => datum.to(),
            _ => Err(wrong_type(&"text", datum)),
        }
    }
}

impl ToDatum for ObjectBlob {
    fn to_datum(&self) -> Result<Datum> {
        Datum::new(DataType::Object, 1, &self.to_vec()?)
    }
}

impl FromDatum for ObjectBlob {
    fn from_datum(datum: &Datum) -> Result<Self> {
        match datum.data_type() {
            DataType::Object => ObjectBlob::from_slice(datum.data()),
            _ => Err(wrong_type(&"an object", datum)),
        }
    }
}

impl ToDatum for Datum {
    fn to_datum(&self) -> Result<Datum> {
        Ok(self.clone())
    }
}

impl FromDatum for Datum {
    fn from_datum(datum: &Datum) -> Result<Self> {
        Ok(datum.clone())
    }
}
