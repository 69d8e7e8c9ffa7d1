//! [`SerdeFormat`]: the trait that connects a serde format to this crate.

use archive_core::{Error, ErrorKind, Options, Position, Result};
use serde::Serialize;
use serde::de::DeserializeSeed;

use crate::shared::without_position;
use crate::tree::MORE_LEVELS;
use crate::value::WholeLevels;

/// A serde format, used as a back end for the program's types:
/// `Format::of::<SerdeBackend<Yours>>()`.
///
/// ```
/// use archive::format::Backend;
/// use archive::serde_formats::{Failure, SerdeBackend, SerdeFormat};
/// use archive::{ErrorKind, Options, Result, Serialize};
///
/// struct Json;
///
/// impl SerdeFormat for Json {
///     const NAME: &'static str = "serde_json";
///     const EXTENSIONS: &'static [&'static str] = &["json"];
///
///     fn write<T: serde::Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
///         serde_json::to_vec(value).map_err(|error| Failure::new(error).into())
///     }
///
///     fn read<'de, S: serde::de::DeserializeSeed<'de>>(
///         input: &'de [u8],
///         seed: S,
///         _: &Options<'_>,
///     ) -> Result<S::Value> {
///         let mut from = serde_json::Deserializer::from_slice(input);
///         // With the feature `unbounded_depth` of serde_json. The limit of serde_json is a few levels less
///         // than the default of `Options::max_depth`.
///         from.disable_recursion_limit();
///         let failed = |error: serde_json::Error| {
///             let failure = Failure::new(&error).at_line(error.line(), error.column());
///             if error.is_eof() { failure.of_kind(ErrorKind::UnexpectedEnd) } else { failure }
///         };
///         let value = seed.deserialize(&mut from).map_err(failed)?;
///         from.end().map_err(failed)?;
///         Ok(value)
///     }
/// }
///
/// #[derive(Default, PartialEq, Debug, Serialize)]
/// struct Unit { name: String, hp: u32 }
///
/// let unit = Unit { name: "Ann".into(), hp: 7 };
/// let bytes = SerdeBackend::<Json>::to_vec(&unit)?;
/// assert_eq!(bytes, br#"{"name":"Ann","hp":7}"#);
/// assert_eq!(SerdeBackend::<Json>::from_slice::<Unit>(&bytes)?, unit);
///
/// let error = SerdeBackend::<Json>::from_slice::<Unit>(br#"{"name":"Ann","hp":-7}"#).unwrap_err();
/// assert_eq!(error.path(), "hp");
/// assert_eq!(error.message(), "-7 does not fit u32");
/// let error = SerdeBackend::<Json>::from_slice::<Unit>(br#"{"name":"An"#).unwrap_err();
/// assert_eq!((error.kind(), error.path()), (ErrorKind::UnexpectedEnd, "name"));
/// # Ok::<(), archive::Error>(())
/// ```
pub trait SerdeFormat: Sized + 'static {
    /// The name, shown to people and used to choose the format.
    const NAME: &'static str;
    /// File name extensions, without the dot.
    const EXTENSIONS: &'static [&'static str];

    /// Whether the format describes itself, so that `deserialize_any` works.
    ///
    /// Otherwise the type determines the place of every value. The format then loads only the type
    /// that was saved, members that are [trees](archive_core::Value) store their own types, a load
    /// cannot continue after an error ([`Options::keep_going`]), and objects of types that are not
    /// registered are errors. The input is read once and forwards. So an object that a weak pointer
    /// needs is stored with that pointer, and some values are saved twice for that.
    const DESCRIBES: bool = true;

    /// Whether structs may be written as sequences, without names. If so, they are loaded from both
    /// forms.
    const ARRAYS: bool = false;

    /// Whether `deserialize_any` loses the names of variants except for serde's untagged enums, as
    /// `ron` does. Enums are then read through an untagged enum, both in the form in which they are
    /// saved and in the format's own form.
    const FORGETS_VARIANTS: bool = false;

    /// Returns whether a file with these first bytes may be in this format.
    fn detect(start: &[u8]) -> bool {
        let _ = start;
        false
    }

    /// Writes a value. The serializer must not serialize any part of it twice, because pointers are
    /// counted during the save. A format that does so must build a tree of its own first.
    ///
    /// # Errors
    /// Errors of the format, as a [`Failure`]. An error that passed through
    /// `Serializer::Error::custom` is replaced by the original error.
    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>>;

    /// Reads a value, and checks that nothing follows it.
    ///
    /// Seeds enforce the depth limit of the [`Options`] for values of the program, for trees and
    /// for skipped values. The format's own recursion limit must not be lower, or what was saved
    /// does not load: turn it off or set it to [`levels`]. A format whose limit is fixed checks in
    /// [`write`](SerdeFormat::write) whether it can read what it writes. The format mostly
    /// determines how much stack a level takes; `docs/COMING_FROM_SERDE.md` lists the stack that
    /// formats need at the default limit.
    ///
    /// # Errors
    /// As [`write`](SerdeFormat::write). An error of this library that passes through the format
    /// gets a position. An error of the format gets the path at which it occurred, and keeps the
    /// kind and the message of the [`Failure`].
    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        options: &Options<'_>,
    ) -> Result<S::Value>;
}

/// Returns the recursion limit that a format needs for values as deep as the options permit. One
/// level of a value is up to four levels of a format, and files add some of their own.
pub fn levels(options: &Options<'_>) -> usize {
    options.settings().limits().depth.saturating_mul(4).saturating_add(MORE_LEVELS)
}

/// Calls [`SerdeFormat::read`].
pub(crate) fn read<'de, F: SerdeFormat, S: DeserializeSeed<'de>>(
    input: &'de [u8],
    seed: S,
    options: &Options<'_>,
) -> Result<S::Value> {
    let depth = options.settings().limits().depth;
    let levels = WholeLevels::set(depth.saturating_add(MORE_LEVELS));
    F::read(input, seed, options).map_err(|error| {
        if !levels.are_exceeded() {
            return error;
        }
        Error::too_deep(depth).at(error.position().unwrap_or(Position::Unknown))
    })
}

/// The error of a serde format, with its position.
#[derive(Debug)]
pub struct Failure {
    message: String,
    kind: ErrorKind,
    position: Position,
}

impl Failure {
    /// Creates an error with the message of the format's own error, without the position at its
    /// end.
    pub fn new(theirs: impl std::fmt::Display) -> Self {
        Failure {
            message: without_position(&theirs.to_string()).to_owned(),
            kind: ErrorKind::Syntax,
            position: Position::Unknown,
        }
    }

    /// Sets the kind, if the format distinguishes it: for example, that the input ends too soon, or
    /// that something follows the value.
    #[must_use]
    pub fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the position to a line and a column, counted from 1. Line 0 means no position.
    #[must_use]
    pub fn at_line(mut self, line: usize, column: usize) -> Self {
        if line > 0 {
            self.position = Position::Line { line, column };
        }
        self
    }

    /// Sets the position to a byte offset.
    #[must_use]
    pub fn at_byte(mut self, offset: usize) -> Self {
        self.position = Position::Offset(offset as u64);
        self
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::new(failure.kind, failure.message).at(failure.position)
    }
}
