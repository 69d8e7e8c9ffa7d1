//! [`Error`]: the one error type. It has a message, the place in the value and the position in the
//! input.
// Why: docs/decisions/reports-and-errors.md#an-error-is-one-word-and-is-built-while-unwinding

mod found;
mod kind;
mod looks;
mod near;
mod path;
mod position;

use std::fmt;

pub use found::Found;
pub(crate) use found::Name;
pub use kind::ErrorKind;
#[doc(hidden)]
pub use looks::{empty_input, looks_like, opened_elsewhere};
pub use near::Known;
pub(crate) use near::nearest;
use path::Shown;
pub(super) use path::{is_of_object, is_plain, is_plain_char};
pub(crate) use path::{prefix_item, prefix_member, prefix_object};
pub use position::Position;

/// The result of all functions in this library.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// An error: a message, a place in the value ([`path`](Error::path)) and a position in the input
/// ([`position`](Error::position)). It is as large as a pointer.
pub struct Error(pub(super) Box<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    kind: ErrorKind,
    message: String,
    path: String,
    /// The file, which is shown first; empty if it is not known.
    file: String,
    /// The name of the class; empty if none is known.
    pub(super) class: String,
    pub(super) class_type: &'static str,
    position: Option<Position>,
    /// Whether the error occurred before the value that it is about was read.
    unread: bool,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Creates an error of the given kind. Archives add path and position.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.to_string(),
            path: String::new(),
            file: String::new(),
            class: String::new(),
            class_type: "",
            position: None,
            unread: false,
            source: None,
        }))
    }

    /// Creates an error of a type's own function.
    #[cold]
    pub fn custom(message: impl fmt::Display) -> Self {
        Error::new(ErrorKind::Custom, message)
    }

    /// Creates an error with the message "expected …, found …".
    #[cold]
    pub fn wrong_type(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Error::new(ErrorKind::WrongType, format_args!("expected {expected}, found {found}"))
    }

    /// Creates an error with another error as its source.
    #[cold]
    pub fn with_source(
        kind: ErrorKind,
        message: impl fmt::Display,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        let mut error = Error::new(kind, message);
        error.0.source = Some(source.into());
        error
    }

    /// Creates an error for a failure of reading or writing.
    #[cold]
    pub fn io(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Error::with_source(ErrorKind::Io, source.to_string(), source)
    }

    /// Adds a position to the error, unless it has one or the position is unknown.
    #[cold]
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        if position != Position::Unknown {
            self.0.position.get_or_insert(position);
        }
        self
    }

    /// Prepends the name of a member to the error's path.
    #[cold]
    #[must_use]
    pub fn in_member(mut self, name: &str) -> Self {
        prefix_member(&mut self.0.path, name);
        self
    }

    /// Prepends the index of an item to the error's path.
    #[cold]
    #[must_use]
    pub fn in_item(mut self, index: usize) -> Self {
        prefix_item(&mut self.0.path, index);
        self
    }

    /// Sets the file that the error is about, which is shown first.
    ///
    /// ```
    /// # use archive::Format;
    /// let error = Format::Json.from_slice::<Vec<u8>>(b"[1,300]").unwrap_err().in_file("quick.json");
    /// assert_eq!(error.to_string(), "quick.json: [1]: 300 does not fit u8 at line 1 column 4");
    /// assert_eq!((error.file(), error.path()), (Some("quick.json"), "[1]"));
    /// ```
    #[cold]
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.0.file = file.to_string();
        self
    }

    /// Makes the error's path begin at the object with that id.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn in_object(mut self, id: u64) -> Self {
        prefix_object(&mut self.0.path, id);
        self
    }

    /// Marks the error as one that occurred before the value that it is about was read.
    #[cold]
    #[must_use]
    pub(crate) fn unread(mut self) -> Self {
        self.0.unread = true;
        self
    }

    /// Returns whether the value that the error is about is still at the cursor.
    pub(crate) fn is_unread(&self) -> bool {
        self.0.unread
    }

    /// Returns the number of bytes that the error takes in memory.
    pub(crate) fn size(&self) -> usize {
        let Inner { message, path, file, class, .. } = &*self.0;
        let texts = [message, path, file, class];
        size_of::<Inner>() + texts.iter().map(|text| text.capacity()).sum::<usize>()
    }

    pub(crate) fn prefix(&mut self, prefix: impl FnOnce(&mut String)) {
        prefix(&mut self.0.path);
    }

    /// Adds a note to the error's message.
    #[cold]
    #[doc(hidden)]
    pub fn with_note(mut self, note: impl fmt::Display) -> Self {
        self.0.message = format!("{}; {note}", self.0.message);
        self
    }

    /// Replaces "expected a number" in the message by the type that was expected, such as "expected
    /// u32".
    #[cold]
    #[must_use]
    pub(crate) fn expecting(mut self, expected: &str) -> Self {
        if self.0.kind == ErrorKind::WrongType
            && let Some(rest) = self.0.message.strip_prefix("expected a number,")
        {
            self.0.message = format!("expected {expected},{rest}");
        }
        self
    }

    /// Creates the error for an attempt to change a value that is visited through a shared
    /// reference.
    #[cold]
    #[doc(hidden)]
    pub fn read_only() -> Self {
        Error::custom("this value is visited through a shared reference and cannot be changed")
    }

    /// Takes kind and message from another error, which is more precise. Path and class are kept.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn in_words_of(mut self, other: Error) -> Self {
        (self.0.kind, self.0.message) = (other.0.kind, other.0.message);
        self
    }

    /// Creates the error for a value that is nested deeper than `limit` levels.
    #[cold]
    #[doc(hidden)]
    pub fn too_deep(limit: usize) -> Self {
        Error::new(
            ErrorKind::DepthLimit,
            format_args!(
                "nested deeper than {limit} levels (`Options::max_depth` raises the limit)"
            ),
        )
    }

    /// Creates the error for a value that is nested inside `limit` others.
    #[cold]
    #[doc(hidden)]
    pub fn too_nested(limit: usize) -> Self {
        Error::new(
            ErrorKind::DepthLimit,
            format_args!(
                "more than {limit} values are nested (`Options::max_depth` raises the limit)"
            ),
        )
    }

    /// Creates the error for two members with the same name.
    #[cold]
    #[doc(hidden)]
    pub fn twice(name: &str) -> Self {
        let message = format_args!("duplicate member {}", Found::Text(name));
        Error::new(ErrorKind::DuplicateMember, message)
    }

    /// Creates the error for more than `limit` elements, or other things. `what` is a plural such
    /// as "elements", and `method` is the method of [`Options`](crate::Options) that raises the
    /// limit.
    #[cold]
    #[doc(hidden)]
    pub fn too_many(limit: u64, what: &str, method: &str) -> Self {
        let what = if limit == 1 { what.strip_suffix('s').unwrap_or(what) } else { what };
        Error::new(
            ErrorKind::SizeLimit,
            format_args!("more than {limit} {what} (`Options::{method}` raises the limit)"),
        )
    }

    /// Creates the error for `count` items when only `left` bytes of input are left.
    #[cold]
    #[doc(hidden)]
    pub fn cut_short(count: u64, left: usize) -> Self {
        let items = if count == 1 { "item" } else { "items" };
        let remain = if left == 1 { "remains" } else { "remain" };
        let left = Found::Bytes(left);
        let message = format_args!(
            "{count} {items} announced, but only {left} {remain}: the input is cut short or damaged"
        );
        Error::new(ErrorKind::UnexpectedEnd, message)
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the path to the value in the root: `world.units[3].orders[0].target`. Empty for the
    /// root itself. `Display` leaves out the middle of a path of more than 200 bytes.
    ///
    /// A member is shown by its name in the file, an item by its index, an entry of a map that is
    /// stored as an object by its key, and the payload of a variant by the variant's name. A name
    /// with characters other than letters, digits, `_`, `-`, `:` and `$` is quoted, so that
    /// different places have different paths: `items["a.b"]`, `[""].x`.
    ///
    /// `$7` is the shared object with the id 7 in the file. A path begins with it if the object is
    /// not read where it is referred to: it is stored in a member that the program does not have,
    /// in a later root, or in a list of deferred objects.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns the file, if it was [set](Error::in_file).
    pub fn file(&self) -> Option<&str> {
        Some(&*self.0.file).filter(|file| !file.is_empty())
    }

    /// Returns the class of the innermost object that was being saved or loaded: `Unit`, or
    /// `State::Attacking` for a variant with named members. Messages include it if the position is
    /// a byte offset, because an offset alone says little to a reader.
    ///
    /// ```
    /// # use archive::{Archive, Result, Serialize};
    /// #[derive(Default)]
    /// struct Unit { hp: u8 }
    /// impl Serialize for Unit {
    ///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
    ///         ar.serialize("hp", &mut self.hp)
    ///     }
    /// }
    /// archive::blank!(Unit);
    ///
    /// let value = archive::Value::Object(vec![("hp".into(), 300.into())]);
    /// let error = value.to::<Unit>().err().unwrap();
    /// assert_eq!(error.class(), Some("Unit"));
    /// assert_eq!(error.to_string(), "hp: 300 does not fit u8");
    /// ```
    pub fn class(&self) -> Option<&str> {
        Some(&*self.0.class).filter(|class| !class.is_empty())
    }

    /// Returns the position in the input, if the error has one.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the message, without path and position.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file() {
            write!(f, "{file}: ")?;
        }
        if !self.0.path.is_empty() {
            write!(f, "{}: ", Shown(&self.0.path))?;
        }
        f.write_str(&self.0.message)?;
        if let Some(position) = self.0.position {
            write!(f, " at {position}")?;
        }
        match (self.0.position, self.class()) {
            (Some(Position::Offset(_)), Some(class)) => write!(f, " in `{class}`"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|e| e as _)
    }
}

/// A list of names for a message: `a, b, c`. Long lists are cut short.
pub(crate) struct List<'a>(pub(crate) &'a [&'a str]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN: usize = 24;
        for (i, name) in self.0.iter().take(MAX_SHOWN).enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "`{name}`")?;
        }
        if self.0.len() > MAX_SHOWN {
            write!(f, " and {} more", self.0.len() - MAX_SHOWN)?;
        }
        if self.0.is_empty() { f.write_str("none") } else { Ok(()) }
    }
}
