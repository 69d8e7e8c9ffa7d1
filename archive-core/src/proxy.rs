//! Types that are stored as another type, their *proxy*: a `NonZero<u8>` as a `u8`, an address as
//! text, a moment as an object of seconds and nanoseconds.
//!
//! A proxy is given by two functions: `save` makes it from the value, `load` makes the value from
//! it and may refuse. [`value`](fn@value) and its companions visit a value through them, and
//! [`stored_as!`] writes whole implementations. Types whose proxy is text have
//! [`save_text`] and [`load_text`], which do without the proxy's memory, and [`stored_as_text!`].

use std::fmt::{self, Display, Write};

use crate::archive::{Archive, loads};
use crate::error::{Error, Found, Result};
use crate::scalar::Scalar;
use crate::{Save, Serialize};

/// Visits the members of a value: the [`Serialize::serialize`] of its proxy.
///
/// While loading, the proxy is made from the value first: members that are absent in the file keep
/// what they were.
///
/// # Errors
/// Those of the archive and of both functions.
#[inline]
pub fn serialize<T, R: Serialize, A: Archive>(
    value: &mut T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
    load: impl FnOnce(R) -> Result<T>,
) -> Result {
    let mut proxy = save(value)?;
    proxy.serialize(ar)?;
    if loads!(A, ar) {
        *value = load(proxy)?;
    }
    Ok(())
}

/// As [`serialize`], of the value as it sits in its slot: the [`Serialize::value`] of its proxy.
///
/// # Errors
/// As [`serialize`].
#[inline]
pub fn value<T, R: Serialize, A: Archive>(
    value: &mut T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
    load: impl FnOnce(R) -> Result<T>,
) -> Result {
    let mut proxy = save(value)?;
    proxy.value(ar)?;
    if loads!(A, ar) {
        *value = load(proxy)?;
    }
    Ok(())
}

/// Saves the members of a value behind a shared reference: the [`Save::save`] of its proxy.
///
/// # Errors
/// Those of the archive and of the function.
#[inline]
pub fn save<T: ?Sized, R: Save, A: Archive>(
    value: &T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
) -> Result {
    save(value)?.save(ar)
}

/// As [`save`](fn@save), of the value as it sits in its slot.
///
/// # Errors
/// As [`save`](fn@save).
#[inline]
pub fn save_value<T: ?Sized, R: Save, A: Archive>(
    value: &T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
) -> Result {
    save(value)?.save_value(ar)
}

/// Saves a value as the text that it displays. Up to 96 bytes take no memory from the heap.
///
/// # Errors
/// Those of the archive; [`ErrorKind::Custom`](crate::ErrorKind::Custom) if the value does not
/// display.
pub fn save_text<T: Display + ?Sized, A: Archive>(value: &T, ar: &mut A) -> Result {
    let mut text = Text { short: [0; 96], len: 0, long: String::new() };
    write!(text, "{value}").map_err(|_| Error::custom("the value cannot be displayed"))?;
    ar.scalar(Scalar::Str(text.as_str()))
}

/// Loads text and makes a value of it; `expected` names what the text should be: "an IPv4 address".
///
/// # Errors
/// Those of the archive; [`ErrorKind::WrongType`](crate::ErrorKind::WrongType) if `parse` gives
/// nothing.
pub fn load_text<T, A: Archive>(
    ar: &mut A,
    expected: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T> {
    let mut text = String::new();
    text.serialize(ar)?;
    parse(&text).ok_or_else(|| Error::wrong_type(expected, Found::Text(&text)))
}

/// Text being written: in place while it is short.
struct Text {
    short: [u8; 96],
    len: usize,
    long: String,
}

impl Text {
    fn as_str(&self) -> &str {
        // Whole pieces of text were put there, so it is UTF-8.
        if self.long.is_empty() { self.start() } else { &self.long }
    }

    fn start(&self) -> &str {
        std::str::from_utf8(&self.short[..self.len]).unwrap_or_default()
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let end = self.len + piece.len();
        match self.short.get_mut(self.len..end) {
            Some(place) if self.long.is_empty() => {
                place.copy_from_slice(piece.as_bytes());
                self.len = end;
            }
            _ => {
                if self.long.is_empty() {
                    self.long = self.start().to_owned();
                }
                self.long.push_str(piece);
            }
        }
        Ok(())
    }
}

/// Implements [`Serialize`], [`Save`] and [`Blank`](crate::Blank) for types that are stored as
/// another type.
///
/// ```ignore
/// stored_as! {
///     Type as Proxy {
///         save: |value| Ok(proxy_of(value)),
///         load: |proxy| Type::try_from(proxy).map_err(refuse),
///         blank: |options| Type::default(),
///         shape: &Shape::Class(…), // an object's own name; the proxy's shape if left out
///     }
/// }
/// ```
macro_rules! stored_as {
    ($($Type:ty as $Proxy:ty {
        save: $save:expr,
        load: $load:expr,
        blank: |$options:pat_param| $blank:expr
        $(, shape: $shape:expr)? $(,)?
    })*) => { $(
        impl $crate::Serialize for $Type {
            const SHAPE: &'static $crate::Shape =
                $crate::proxy::first!($($shape,)? <$Proxy as $crate::Serialize>::SHAPE);
            const NULLABLE: bool = <$Proxy as $crate::Serialize>::NULLABLE;

            #[inline]
            fn serialize<A: $crate::Archive>(&mut self, ar: &mut A) -> $crate::Result {
                $crate::proxy::serialize::<$Type, $Proxy, A>(self, ar, $save, $load)
            }
            $crate::proxy::as_value!(load $Type, $Proxy, $save, $load $(, $shape)?);
        }
        impl $crate::Save for $Type {
            #[inline]
            fn save<A: $crate::Archive>(&self, ar: &mut A) -> $crate::Result {
                $crate::proxy::save::<$Type, $Proxy, A>(self, ar, $save)
            }
            $crate::proxy::as_value!(save $Type, $Proxy, $save $(, $shape)?);
        }
        impl $crate::Blank for $Type {
            #[inline]
            fn blank($options: &$crate::Options<'_>) -> Self {
                $blank
            }
        }
    )* };
}
pub(crate) use stored_as;

/// The value in its slot is that of the proxy, unless the type has a shape of its own: then it is an
/// object of that shape around the proxy's members.
macro_rules! as_value {
    (load $Type:ty, $Proxy:ty, $save:expr, $load:expr) => {
        #[inline]
        fn value<A: $crate::Archive>(&mut self, ar: &mut A) -> $crate::Result {
            $crate::proxy::value::<$Type, $Proxy, A>(self, ar, $save, $load)
        }
    };
    (save $Type:ty, $Proxy:ty, $save:expr) => {
        #[inline]
        fn save_value<A: $crate::Archive>(&self, ar: &mut A) -> $crate::Result {
            $crate::proxy::save_value::<$Type, $Proxy, A>(self, ar, $save)
        }
    };
    ($($own_shape:tt)*) => {};
}
pub(crate) use as_value;

/// The first of several expressions.
macro_rules! first {
    ($first:expr $(, $rest:expr)* $(,)?) => {
        $first
    };
}
pub(crate) use first;

/// Implements [`Serialize`], [`Save`] and [`Blank`](crate::Blank) for types that are stored as text.
///
/// ```ignore
/// stored_as_text! {
///     Ipv4Addr: "an IPv4 address" {
///         save: |value| value,                // something with `Display`
///         load: |text| text.parse().ok(),
///         blank: |options| Ipv4Addr::UNSPECIFIED,
///     }
/// }
/// ```
macro_rules! stored_as_text {
    ($($Type:ty: $expected:literal {
        save: |$value:ident| $save:expr,
        load: $load:expr,
        blank: |$options:pat_param| $blank:expr $(,)?
    })*) => { $(
        impl $crate::Serialize for $Type {
            const SHAPE: &'static $crate::Shape = <str as $crate::Serialize>::SHAPE;

            fn serialize<A: $crate::Archive>(&mut self, ar: &mut A) -> $crate::Result {
                if $crate::archive::loads!(A, ar) {
                    *self = $crate::proxy::load_text(ar, $expected, $load)?;
                    Ok(())
                } else {
                    $crate::Save::save(self, ar)
                }
            }
        }
        impl $crate::Save for $Type {
            fn save<A: $crate::Archive>(&self, ar: &mut A) -> $crate::Result {
                let $value = self;
                $crate::proxy::save_text(&$save, ar)
            }
        }
        impl $crate::Blank for $Type {
            fn blank($options: &$crate::Options<'_>) -> Self {
                $blank
            }
        }
    )* };
}
pub(crate) use stored_as_text;
