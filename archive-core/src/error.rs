//! The one error type: what went wrong, where in the value and where in the input.

use std::fmt;

/// The result of everything in this library.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input does not follow the format's grammar.
    Syntax,
    /// The input ends in the middle of a value.
    UnexpectedEnd,
    /// Something stands after the value.
    TrailingData,
    /// The value is of another type than the one asked for.
    WrongType,
    /// A number does not fit the type asked for.
    OutOfRange,
    /// A sequence has another number of items than the type.
    WrongLength,
    /// A member that the type does not have, under [`Options::strict`](crate::Options::strict).
    UnknownMember,
    /// A trait object that the file does not have, and that has no default.
    MissingMember,
    /// A member, or a map key, that stands twice.
    DuplicateMember,
    /// A member name that is reserved (it starts with `$`).
    ReservedName,
    /// An enum variant that the type does not have.
    UnknownVariant,
    /// A type id that is not registered.
    UnknownType,
    /// A type id or a type that is registered already.
    DuplicateType,
    /// A trait object whose type is not registered.
    Unregistered,
    /// The file was written by a newer version of the type.
    NewerVersion,
    /// A pointer id without a body, with two bodies, or of another type.
    BadPointer,
    /// A cycle of strong pointers that cannot be built: bare `Rc` or `Arc`.
    StrongCycle,
    /// A cell that is borrowed, locked or poisoned.
    Borrowed,
    /// Nested deeper than the limit.
    DepthLimit,
    /// More elements, pointers or bytes than the limit.
    SizeLimit,
    /// A value that the caller must [provide](crate::Options::provide): the clock of a
    /// [`Time`](crate::Time).
    MissingContext,
    /// The format is not known, or cannot express the value.
    Unsupported,
    /// Reading or writing failed.
    Io,
    /// An error of a type's own function.
    Custom,
}

/// Where in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// In text: line and column, both from 1; the column counts characters.
    Line {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// In bytes, from 0.
    Offset(u64),
    /// Not known, or not to be had: in a tree, or inside a name.
    Unknown,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line { line, column } => write!(f, "line {line} column {column}"),
            Position::Offset(offset) => write!(f, "byte {offset}"),
            Position::Unknown => f.write_str("an unknown place"),
        }
    }
}

/// What went wrong, where in the value ([`path`](Error::path)) and where in the input
/// ([`position`](Error::position)). One word wide.
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    path: String,
    position: Option<Position>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of the given kind. Archives add path and position.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.to_string(),
            path: String::new(),
            position: None,
            source: None,
        }))
    }

    /// An error of a type's own function.
    #[cold]
    pub fn custom(message: impl fmt::Display) -> Self {
        Error::new(ErrorKind::Custom, message)
    }

    /// "expected …, found …".
    #[cold]
    pub fn wrong_type(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Error::new(ErrorKind::WrongType, format_args!("expected {expected}, found {found}"))
    }

    /// An error that another one caused.
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

    /// An error of reading or writing.
    #[cold]
    pub fn io(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Error::with_source(ErrorKind::Io, source.to_string(), source)
    }

    /// The error with a position, unless it has one or the position is unknown.
    #[cold]
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        if position != Position::Unknown {
            self.0.position.get_or_insert(position);
        }
        self
    }

    /// The error as seen from the object that holds the member.
    #[cold]
    #[must_use]
    pub fn in_member(mut self, name: &str) -> Self {
        prefix_member(&mut self.0.path, name);
        self
    }

    /// The error as seen from the sequence that holds the item.
    #[cold]
    #[must_use]
    pub fn in_item(mut self, index: usize) -> Self {
        prefix_item(&mut self.0.path, index);
        self
    }

    pub(crate) fn prefix(&mut self, prefix: impl FnOnce(&mut String)) {
        prefix(&mut self.0.path);
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where in the value: `world.units[3].orders[0].target`. Empty for the root.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Where in the input, if the error came from it.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// What was expected and what was found, without path and position.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

/// Puts a member's name in front of a path.
pub(crate) fn prefix_member(path: &mut String, name: &str) {
    if !path.is_empty() && !path.starts_with('[') {
        path.insert(0, '.');
    }
    path.insert_str(0, name);
}

/// Puts an item's index in front of a path.
pub(crate) fn prefix_item(path: &mut String, index: usize) {
    if !path.is_empty() && !path.starts_with('[') {
        path.insert(0, '.');
    }
    path.insert_str(0, &format!("[{index}]"));
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(f, "{}: ", self.0.path)?;
        }
        f.write_str(&self.0.message)?;
        match self.0.position {
            Some(position) => write!(f, " at {position}"),
            None => Ok(()),
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

/// A list of names for a message: `a, b, c`, cut short when it is long.
pub(crate) struct List<'a>(pub(crate) &'a [&'a str]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 24;
        for (i, name) in self.0.iter().take(MOST).enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "`{name}`")?;
        }
        if self.0.len() > MOST {
            write!(f, " and {} more", self.0.len() - MOST)?;
        }
        if self.0.is_empty() { f.write_str("none") } else { Ok(()) }
    }
}
