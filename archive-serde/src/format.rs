//! [`SerdeFormat`]: what a serde format is to this crate.

use archive_core::{Error, ErrorKind, Options, Position, Result};
use serde::Serialize;
use serde::de::DeserializeSeed;

use crate::shared::without_position;

/// A serde format, as a back end for the program's types: `Format::of::<SerdeBackend<Yours>>()`.
///
/// ```
/// use archive::backend::Backend;
/// use archive::serde::{Failure, SerdeBackend, SerdeFormat};
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
///     fn read<'de, S: serde::de::DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
///         let mut from = serde_json::Deserializer::from_slice(input);
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
    /// The name, for people and for choosing.
    const NAME: &'static str;
    /// File name extensions, without the dot.
    const EXTENSIONS: &'static [&'static str];

    /// Whether the input says what it holds, so that `deserialize_any` works. Otherwise everything
    /// stands where its type puts it: the format takes nothing but the type that was saved, members
    /// that are [trees](archive_core::Value) describe themselves, there is no going on after an
    /// error ([`Options::keep_going`]), and objects of types that are not registered are errors. The
    /// input is read once and forwards: what a weak pointer cannot do without stands with it, for which
    /// some values are saved twice.
    const DESCRIBES: bool = true;

    /// Whether structs may be written as sequences, without names: they are then loaded from both.
    const ARRAYS: bool = false;

    /// Whether `deserialize_any` forgets the names of variants, but for serde's untagged enums, as `ron`
    /// does. Enums are then read through such a one: in the form that they are saved in, and in the
    /// format's own.
    const FORGETS_VARIANTS: bool = false;

    /// Whether a file with these first bytes may be in this format.
    fn detect(start: &[u8]) -> bool {
        let _ = start;
        false
    }

    /// Writes a value. A serializer that serializes a part of it twice is out of the question: pointers
    /// are counted on the way. Let such a format make a tree of its own first.
    ///
    /// # Errors
    /// Those of the format, as a [`Failure`]. One that passed through `Serializer::Error::custom` is
    /// replaced by the error that it stands for.
    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>>;

    /// Reads a value, and checks that nothing stands after it. How much stack a level of nesting takes
    /// is for the most part the format's affair, so its own recursion limit should be one that threads
    /// of the program can bear; values of the program, and what is passed over, end at [`Options`]' limit of the
    /// depth. `docs/COMING_FROM_SERDE.md` has what the formats need at the default one.
    ///
    /// # Errors
    /// As [`write`](SerdeFormat::write). An error of ours on its way through the format gets its place. One
    /// of the format gets the path at which it was met, and keeps the kind and the words that the
    /// [`Failure`] has.
    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value>;
}

/// The error of a serde format: what it says, and where.
#[derive(Debug)]
pub struct Failure {
    message: String,
    kind: ErrorKind,
    position: Position,
}

impl Failure {
    /// An error that says what the format's own says.
    pub fn new(theirs: impl std::fmt::Display) -> Self {
        Failure {
            message: without_position(&theirs.to_string()).to_owned(),
            kind: ErrorKind::Syntax,
            position: Position::Unknown,
        }
    }

    /// An error of that kind, where the format tells it from the others: that the input ends too soon,
    /// that something stands after it.
    #[must_use]
    pub fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// An error at that line and column, counted from 1; it has none at line 0.
    #[must_use]
    pub fn at_line(mut self, line: usize, column: usize) -> Self {
        if line > 0 {
            self.position = Position::Line { line, column };
        }
        self
    }

    /// An error at that byte.
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
