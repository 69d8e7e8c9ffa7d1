//! Types that are stored as another type, their *proxy*: a `NonZero<u8>` as a `u8`, an address as
//! text, a point in time as an object with seconds and nanoseconds.
//!
//! A proxy is defined by two functions: `save` converts the value to the proxy; `load` converts the
//! proxy back and may refuse it. [`value`](fn@value) and its companions visit a value through these
//! functions, and [`stored_as!`](crate::stored_as) writes whole implementations. Types whose proxy
//! is text use [`save_text`] and [`load_text`], which do not allocate a proxy, and
//! [`stored_as_text!`].

use std::fmt::{self, Display, Write};

use crate::model::error::{Error, Found, Result};
use crate::model::scalar::Scalar;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

/// Visits the members of a value: calls [`Serialize::serialize`] of its proxy.
///
/// While loading, the proxy is first created from the value, so members that the file does not have
/// keep their values.
#[inline]
pub fn serialize<T, R: Serialize + Save, A: Archive>(
    value: &mut T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
    load: impl FnOnce(R) -> Result<T>,
) -> Result {
    let mut proxy = save(value)?;
    if !loads!(A, ar) {
        // The proxy is a copy, so nothing may be written to it.
        return proxy.save(ar);
    }
    proxy.serialize(ar)?;
    *value = load(proxy)?;
    Ok(())
}

/// Like [`serialize`], for the value in its slot: calls [`Serialize::value`] of its proxy.
#[inline]
pub fn value<T, R: Serialize + Save, A: Archive>(
    value: &mut T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
    load: impl FnOnce(R) -> Result<T>,
) -> Result {
    let mut proxy = save(value)?;
    if !loads!(A, ar) {
        return proxy.save_value(ar);
    }
    proxy.value(ar)?;
    *value = load(proxy)?;
    Ok(())
}

/// Saves the members of a value through a shared reference: calls [`Save::save`] of its proxy.
#[inline]
pub fn save<T: ?Sized, R: Save, A: Archive>(
    value: &T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
) -> Result {
    save(value)?.save(ar)
}

/// Like [`save`](fn@save), for the value in its slot.
#[inline]
pub fn save_value<T: ?Sized, R: Save, A: Archive>(
    value: &T,
    ar: &mut A,
    save: impl FnOnce(&T) -> Result<R>,
) -> Result {
    save(value)?.save_value(ar)
}

/// Returns whether the proxy of a value is null: [`Serialize::saves_null`]. If the proxy cannot be
/// created, it is not null; saving it is an error.
#[doc(hidden)]
pub fn saves_null<T: ?Sized, R: Serialize>(
    value: &T,
    save: impl FnOnce(&T) -> Result<R>,
    options: &Options<'_>,
    levels: u32,
) -> bool {
    R::NULLABLE && save(value).is_ok_and(|proxy| proxy.saves_null(options, levels))
}

/// Saves a value as the text that it displays. A text of up to 96 bytes is not allocated on the
/// heap.
///
/// # Errors
/// Errors of the archive; [`ErrorKind::Custom`](crate::ErrorKind::Custom) if the value cannot be
/// displayed.
pub fn save_text<T: Display + ?Sized, A: Archive>(value: &T, ar: &mut A) -> Result {
    let mut text = Text { short: [0; 96], len: 0, long: String::new() };
    write!(text, "{value}").map_err(|_| Error::custom("the value cannot be displayed"))?;
    ar.scalar(Scalar::Str(text.as_str()))
}

/// Loads text and converts it to a value. In messages, `expected` describes the text: "an IPv4
/// address".
///
/// # Errors
/// Errors of the archive; [`ErrorKind::WrongType`](crate::ErrorKind::WrongType) if `parse` returns
/// `None`.
pub fn load_text<T, A: Archive>(
    ar: &mut A,
    expected: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T> {
    let mut text = String::new();
    text.serialize(ar)?;
    parse(&text).ok_or_else(|| Error::wrong_type(expected, Found::Text(&text)))
}

/// Written text, which is on the stack while it is short.
struct Text {
    short: [u8; 96],
    len: usize,
    long: String,
}

impl Text {
    fn as_str(&self) -> &str {
        // Only whole pieces of text were written, so this is UTF-8.
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
            Some(room) if self.long.is_empty() => {
                room.copy_from_slice(piece.as_bytes());
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

/// Implements [`Serialize`](crate::Serialize), [`Save`](crate::Save) and [`Blank`](crate::Blank)
/// for types that are stored as another type, like serde's `from`, `into` and `try_from`.
///
/// `save` creates the other type from `&value`, and `load` creates the value from the other type.
/// Both return a [`Result`](crate::Result), so either may refuse. `blank` creates the value to load
/// into; it may be left out if the type has `Default`. Each is an expression: a closure or the name
/// of a function. `meaning: "a span"` at the end is the [meaning](crate::shape::Meaning), which
/// keeps packets of the type and of the other type apart.
///
/// ```
/// use archive::{Error, Value};
///
/// /// Always `from <= to`.
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Span { from: u32, to: u32 }
/// /// The form in files.
/// #[derive(Default)]
/// struct Stored { start: u32, length: u32 }
/// archive::members!(Stored { start, length });
/// archive::blank!(Stored);
///
/// archive::stored_as! {
///     Span as Stored {
///         save: |span| Ok(Stored { start: span.from, length: span.to - span.from }),
///         load: |Stored { start, length }| match start.checked_add(length) {
///             Some(to) => Ok(Span { from: start, to }),
///             None => Err(Error::custom("the span ends after the last number")),
///         },
///         blank: |_| Span { from: 0, to: 0 },
///     }
/// }
///
/// let spans = vec![Span { from: 3, to: 7 }];
/// let saved = Value::of(&spans)?;
/// assert_eq!(saved[0]["length"], Value::from(4));
/// assert_eq!(saved.to::<Vec<Span>>()?, spans);
///
/// let wrong = Value::of(&Stored { start: 1, length: u32::MAX })?;
/// let error = wrong.to::<Span>().unwrap_err();
/// assert_eq!(error.message(), "the span ends after the last number");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// One call may have several types. When a value is loaded over, members that the file does not
/// have keep the values that `save` returned for the old value. For a single field, use
/// `#[archive(with = module)]`; for a generic type, write the traits by hand.
#[macro_export]
macro_rules! stored_as {
    ($($Type:ty as $Proxy:ty {
        save: $save:expr,
        load: $load:expr
        $(, blank: |$options:pat_param| $blank:expr)?
        // Distinguishes the values from those of the proxy.
        $(, meaning: $meaning:literal)?
        // The shape of an object with a different name; the default is the proxy's shape.
        $(, shape: $shape:expr)? $(,)?
    })*) => { $(
        impl $crate::Serialize for $Type {
            const SHAPE: &'static $crate::Shape =
                $crate::__proxy!(first $($shape,)?
                    $(&<$Proxy as $crate::Serialize>::SHAPE.with_meaning($meaning),)?
                    <$Proxy as $crate::Serialize>::SHAPE);
            const ABOUT: &'static $crate::shape::About =
                &$crate::shape::About::named(::core::stringify!($Type));
            const NULLABLE: ::core::primitive::bool = <$Proxy as $crate::Serialize>::NULLABLE;

            fn saves_null(
                &self,
                options: &$crate::Options<'_>,
                levels: ::core::primitive::u32,
            ) -> ::core::primitive::bool {
                $crate::__private::proxy::saves_null::<$Type, $Proxy>(self, $save, options, levels)
            }
            #[inline]
            fn serialize<__A: $crate::Archive>(&mut self, ar: &mut __A) -> $crate::Result {
                $crate::__private::proxy::serialize::<$Type, $Proxy, __A>(self, ar, $save, $load)
            }
            #[inline]
            fn load_item<__A: $crate::Archive>(&mut self, ar: &mut __A) -> $crate::Result {
                $crate::__private::load_element_item(self, ar)
            }
            $crate::__proxy!(load $Type, $Proxy, $save, $load $(, $shape)?);
        }
        impl $crate::Save for $Type {
            #[inline]
            fn save<__A: $crate::Archive>(&self, ar: &mut __A) -> $crate::Result {
                $crate::__private::proxy::save::<$Type, $Proxy, __A>(self, ar, $save)
            }
            $crate::__proxy!(save $Type, $Proxy, $save $(, $shape)?);
        }
        impl $crate::Blank for $Type {
            $crate::__proxy!(blank $(|$options| $blank)?);
        }
    )* };
}

/// The parts of [`stored_as!`](crate::stored_as).
///
/// In its slot, the value is stored as the proxy, unless the type has a shape of its own: then it
/// is an object of that shape with the proxy's members.
#[doc(hidden)]
#[macro_export]
macro_rules! __proxy {
    (load $Type:ty, $Proxy:ty, $save:expr, $load:expr) => {
        #[inline]
        fn value<__A: $crate::Archive>(&mut self, ar: &mut __A) -> $crate::Result {
            $crate::__private::proxy::value::<$Type, $Proxy, __A>(self, ar, $save, $load)
        }
    };
    (load $($own_shape:tt)*) => {};
    (save $Type:ty, $Proxy:ty, $save:expr) => {
        #[inline]
        fn save_value<__A: $crate::Archive>(&self, ar: &mut __A) -> $crate::Result {
            $crate::__private::proxy::save_value::<$Type, $Proxy, __A>(self, ar, $save)
        }
    };
    (save $($own_shape:tt)*) => {};
    (blank |$options:pat_param| $blank:expr) => {
        #[inline]
        fn blank($options: &$crate::Options<'_>) -> Self {
            $blank
        }
    };
    (blank) => {
        #[inline]
        fn blank(_: &$crate::Options<'_>) -> Self {
            ::core::default::Default::default()
        }
    };
    (first $first:expr $(, $rest:expr)* $(,)?) => {
        $first
    };
}

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
            const SHAPE: &'static $crate::Shape =
                &<str as $crate::Serialize>::SHAPE.with_meaning($expected);
            const ABOUT: &'static $crate::shape::About =
                &$crate::shape::About::named(stringify!($Type));

            fn serialize<A: $crate::Archive>(&mut self, ar: &mut A) -> $crate::Result {
                if $crate::visit::erased::loads!(A, ar) {
                    *self = $crate::types::proxy::load_text(ar, $expected, $load)?;
                    Ok(())
                } else {
                    $crate::Save::save(self, ar)
                }
            }
            fn load_item<A: $crate::Archive>(&mut self, ar: &mut A) -> $crate::Result {
                $crate::visit::restore::load_element_item(self, ar)
            }
        }
        impl $crate::Save for $Type {
            fn save<A: $crate::Archive>(&self, ar: &mut A) -> $crate::Result {
                let $value = self;
                $crate::types::proxy::save_text(&$save, ar)
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
