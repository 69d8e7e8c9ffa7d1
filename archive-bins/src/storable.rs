//! [`Storable`]: values that can be a variable of an [`Object`](crate::Object).

use std::borrow::Cow;

use archive_core::{Error, ErrorKind, Result};

/// A value that can be a variable: plain data of a named type.
///
/// Implemented for numbers, `bool`, `char`, arrays and tuples of those, `String`, and `Vec` of
/// anything of fixed size ([`Plain`]). `usize` and `isize` are stored as `u64` and `i64`. All
/// numbers are little-endian.
///
/// Implement it for a type of your own with a name, a size and two functions:
///
/// ```
/// use std::borrow::Cow;
/// use archive::bins::{Storable, Object};
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Colour(u8, u8, u8);
///
/// impl Storable for Colour {
///     const SIZE: Option<usize> = Some(3);
///     fn type_name() -> Cow<'static, str> {
///         "Colour".into()
///     }
///     fn store(&self, out: &mut Vec<u8>) {
///         out.extend_from_slice(&[self.0, self.1, self.2]);
///     }
///     fn restore(bytes: &[u8]) -> archive::Result<Self> {
///         Ok(Colour(bytes[0], bytes[1], bytes[2]))
///     }
/// }
///
/// let mut lamp = Object::new("Lamp");
/// lamp.export("Lamp", "colour", &Colour(255, 200, 0))?;
/// assert_eq!(lamp.get::<Colour>("Lamp", "colour")?, Colour(255, 200, 0));
/// # Ok::<(), archive::Error>(())
/// ```
///
/// An address means nothing in a file, so pointers and references cannot be variables:
///
/// ```compile_fail
/// use archive::bins::Object;
///
/// let target = 7_u32;
/// let mut object = Object::new("Handle");
/// object.export("Handle", "target", &std::ptr::from_ref(&target)).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a variable of an object",
    label = "is not plain data",
    note = "variables are numbers, `bool`, `char`, arrays and tuples of those, `String`, and `Vec` of those",
    note = "raw pointers, references and smart pointers are not among them, since an address means nothing in a file: store what it points to as a child object (`Object::add`), or its key",
    note = "a type with `Serialize` becomes a whole object by `Object::of`"
)]
pub trait Storable: Sized {
    /// The number of bytes that every value takes, or `None` if it differs from value to value. It
    /// may differ only for types named `String`, `bytes` and `Vec<…>`; see
    /// [`Object::signature`](crate::Object::signature).
    const SIZE: Option<usize>;

    /// Returns the name of the type in the file: `u16`, `[f32; 3]`, `Vec<u8>`.
    fn type_name() -> Cow<'static, str>;

    /// Appends the value's bytes.
    fn store(&self, out: &mut Vec<u8>);

    /// Returns the value with these bytes. If [`SIZE`](Storable::SIZE) is known, the caller passes
    /// exactly so many.
    ///
    /// # Errors
    /// If the bytes are not those of a value.
    fn restore(bytes: &[u8]) -> Result<Self>;
}

/// A [`Storable`] of fixed size, which can be an item of an array, a tuple or a `Vec`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be inside an array, a tuple or a `Vec` that is a variable",
    label = "is not plain data of fixed size",
    note = "items are numbers, `bool`, `char`, and arrays and tuples of those; others go into child objects, by hand or by `Object::of`"
)]
pub trait Plain: Storable {
    /// The size in bytes.
    const BYTES: usize;
}

/// Implements `Storable` for numbers, stored as their bytes.
macro_rules! numbers {
    ($($ty:ty)*) => { $(
        impl Storable for $ty {
            const SIZE: Option<usize> = Some(Self::BYTES);

            fn type_name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($ty))
            }
            fn store(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn restore(bytes: &[u8]) -> Result<Self> {
                bytes.try_into().map(<$ty>::from_le_bytes).map_err(|_| size(Self::BYTES, bytes))
            }
        }

        impl Plain for $ty {
            const BYTES: usize = size_of::<$ty>();
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

/// Implements `Storable` for types that are stored as another type.
macro_rules! stored_as {
    ($($ty:ty as $other:ty: $to:expr, $from:expr;)*) => { $(
        impl Storable for $ty {
            const SIZE: Option<usize> = Some(Self::BYTES);

            fn type_name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($ty))
            }
            fn store(&self, out: &mut Vec<u8>) {
                let to: fn($ty) -> $other = $to;
                to(*self).store(out);
            }
            fn restore(bytes: &[u8]) -> Result<Self> {
                let from: fn($other) -> Option<$ty> = $from;
                let value = <$other>::restore(bytes)?;
                from(value).ok_or_else(|| no_value(stringify!($ty), value))
            }
        }

        impl Plain for $ty {
            const BYTES: usize = size_of::<$other>();
        }
    )* };
}
stored_as! {
    bool as u8: u8::from, |byte| match byte { 0 => Some(false), 1 => Some(true), _ => None };
    char as u32: u32::from, char::from_u32;
}

/// Implements `Storable` for integers whose width depends on the machine.
macro_rules! machine_sized {
    ($($ty:ty as $other:ty;)*) => { $(
        impl Storable for $ty {
            const SIZE: Option<usize> = Some(Self::BYTES);

            fn type_name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($other))
            }
            fn store(&self, out: &mut Vec<u8>) {
                (*self as $other).store(out);
            }
            fn restore(bytes: &[u8]) -> Result<Self> {
                let value = <$other>::restore(bytes)?;
                <$ty>::try_from(value).map_err(|_| {
                    let message = format_args!("{value} does not fit {}", stringify!($ty));
                    Error::new(ErrorKind::OutOfRange, message)
                })
            }
        }

        impl Plain for $ty {
            const BYTES: usize = size_of::<$other>();
        }
    )* };
}
machine_sized! { usize as u64; isize as i64; }

impl<T: Plain, const N: usize> Storable for [T; N] {
    const SIZE: Option<usize> = Some(Self::BYTES);

    fn type_name() -> Cow<'static, str> {
        Cow::Owned(format!("[{}; {N}]", T::type_name()))
    }
    fn store(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.store(out));
    }
    fn restore(bytes: &[u8]) -> Result<Self> {
        let items = items::<T>(bytes)?;
        items.try_into().map_err(|_| size(Self::BYTES, bytes))
    }
}

impl<T: Plain, const N: usize> Plain for [T; N] {
    const BYTES: usize = N * T::BYTES;
}

impl<T: Plain> Storable for Vec<T> {
    const SIZE: Option<usize> = None;

    fn type_name() -> Cow<'static, str> {
        Cow::Owned(format!("Vec<{}>", T::type_name()))
    }
    fn store(&self, out: &mut Vec<u8>) {
        out.reserve(self.len() * T::BYTES);
        self.iter().for_each(|item| item.store(out));
    }
    fn restore(bytes: &[u8]) -> Result<Self> {
        items(bytes)
    }
}

/// Stored as UTF-8, without a length.
impl Storable for String {
    const SIZE: Option<usize> = None;

    fn type_name() -> Cow<'static, str> {
        Cow::Borrowed("String")
    }
    fn store(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
    fn restore(bytes: &[u8]) -> Result<Self> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                Err(Error::new(ErrorKind::Syntax, format_args!("text is not UTF-8: {error}")))
            }
        }
    }
}

macro_rules! tuples {
    ($($($T:ident $index:tt),+;)*) => { $(
        impl<$($T: Plain),+> Storable for ($($T,)+) {
            const SIZE: Option<usize> = Some(Self::BYTES);

            fn type_name() -> Cow<'static, str> {
                let names = [$($T::type_name()),+];
                Cow::Owned(match &names[..] {
                    [only] => format!("({only},)"),
                    several => format!("({})", several.join(", ")),
                })
            }
            fn store(&self, out: &mut Vec<u8>) {
                $(self.$index.store(out);)+
            }
            fn restore(bytes: &[u8]) -> Result<Self> {
                if bytes.len() != Self::BYTES {
                    return Err(size(Self::BYTES, bytes));
                }
                let mut rest = bytes;
                Ok(($({
                    let (item, after) = rest.split_at($T::BYTES);
                    rest = after;
                    let _ = rest;
                    $T::restore(item)?
                },)+))
            }
        }

        impl<$($T: Plain),+> Plain for ($($T,)+) {
            const BYTES: usize = 0 $(+ $T::BYTES)+;
        }
    )* };
}
tuples! {
    T0 0;
    T0 0, T1 1;
    T0 0, T1 1, T2 2;
    T0 0, T1 1, T2 2, T3 3;
    T0 0, T1 1, T2 2, T3 3, T4 4;
    T0 0, T1 1, T2 2, T3 3, T4 4, T5 5;
    T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6;
    T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7;
}

/// Restores items of fixed size that are stored one after another.
fn items<T: Plain>(bytes: &[u8]) -> Result<Vec<T>> {
    const { assert!(T::BYTES > 0, "items that take no bytes cannot be counted") };
    let chunks = bytes.chunks_exact(T::BYTES);
    if !chunks.remainder().is_empty() {
        let message =
            format_args!("expected a multiple of {} bytes, found {}", T::BYTES, bytes.len());
        return Err(Error::new(ErrorKind::WrongLength, message));
    }
    chunks.map(T::restore).collect()
}

#[cold]
fn size(expected: usize, found: &[u8]) -> Error {
    let found = found.len();
    Error::new(ErrorKind::WrongLength, format_args!("expected {expected} bytes, found {found}"))
}

#[cold]
fn no_value(what: &str, found: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Syntax, format_args!("{found} is not a valid {what}"))
}
