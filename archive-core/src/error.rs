//! The one error type: what went wrong, where in the value and where in the input.

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
pub use looks::looks_like;
pub use near::Known;
pub(crate) use near::nearest;
use path::Shown;
pub(crate) use path::{prefix_item, prefix_member, prefix_object};
pub use position::Position;

use crate::shape::{Class, Enum, Variant};

/// The result of everything in this library.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// What went wrong, where in the value ([`path`](Error::path)) and where in the input
/// ([`position`](Error::position)). One word wide.
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    path: String,
    /// The class, and its type; empty if none is known.
    class: String,
    class_type: &'static str,
    position: Option<Position>,
    /// Whether it was met before the value that it is about was read.
    unread: bool,
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
            class: String::new(),
            class_type: "",
            position: None,
            unread: false,
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

    /// The error as one of the object of that class, unless it is known to be one of an object
    /// inside of it.
    #[cold]
    #[must_use]
    pub fn in_class(mut self, class: &'static Class) -> Self {
        self.set_class(class);
        self
    }

    /// As [`in_class`](Error::in_class).
    pub(crate) fn set_class(&mut self, class: &'static Class) {
        if self.0.class.is_empty() {
            self.0.class = class.name().to_owned();
            self.0.class_type = class.type_name.get();
        }
    }

    /// The error as seen from the enum that holds the variant: the class of a struct variant is
    /// called by both names.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn in_variant(mut self, info: &'static Enum, variant: &'static Variant) -> Self {
        self.set_variant(info, variant);
        self
    }

    /// As [`in_variant`](Error::in_variant).
    pub(crate) fn set_variant(&mut self, info: &'static Enum, variant: &'static Variant) {
        if self.0.class == variant.name && self.0.class_type == info.type_name.get() {
            self.0.class = format!("{}::{}", info.name(), variant.name);
        }
    }

    /// The error as seen from the object with that id, wherever it stands.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn in_object(mut self, id: u64) -> Self {
        prefix_object(&mut self.0.path, id);
        self
    }

    /// The error as one that was met before the value that it is about was read.
    #[cold]
    #[must_use]
    pub(crate) fn unread(mut self) -> Self {
        self.0.unread = true;
        self
    }

    /// Whether the value that it is about still stands at the cursor.
    pub(crate) fn is_unread(&self) -> bool {
        self.0.unread
    }

    /// How many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        let Inner { message, path, class, .. } = &*self.0;
        size_of::<Inner>() + message.capacity() + path.capacity() + class.capacity()
    }

    pub(crate) fn prefix(&mut self, prefix: impl FnOnce(&mut String)) {
        prefix(&mut self.0.path);
    }

    /// The error with something added to its message.
    #[cold]
    pub(crate) fn with_note(mut self, note: impl fmt::Display) -> Self {
        self.0.message = format!("{}; {note}", self.0.message);
        self
    }

    /// "expected u32" in the place of "expected a number": what was asked for in truth.
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

    /// What is behind a shared reference cannot be loaded.
    #[cold]
    #[doc(hidden)]
    pub fn read_only() -> Self {
        Error::custom("text behind a shared reference cannot be loaded")
    }

    /// The error in the words of another one, which knows more about it: path and class stay.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn in_words_of(mut self, other: Error) -> Self {
        (self.0.kind, self.0.message) = (other.0.kind, other.0.message);
        self
    }

    /// Something nests deeper than so many levels.
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

    /// A member of that name stands twice.
    #[cold]
    #[doc(hidden)]
    pub fn twice(name: &str) -> Self {
        let message = format_args!("member {} stands twice", Found::Text(name));
        Error::new(ErrorKind::DuplicateMember, message)
    }

    /// There are more than so many of something: "elements", and the method of
    /// [`Options`](crate::Options) that allows for more.
    #[cold]
    #[doc(hidden)]
    pub fn too_many(limit: u64, what: &str, method: &str) -> Self {
        let what = if limit == 1 { what.strip_suffix('s').unwrap_or(what) } else { what };
        Error::new(
            ErrorKind::SizeLimit,
            format_args!("more than {limit} {what} (`Options::{method}` raises the limit)"),
        )
    }

    /// More items are announced than the `left` bytes of the input can hold.
    #[cold]
    #[doc(hidden)]
    pub fn cut_short(count: u64, left: usize) -> Self {
        let items = if count == 1 { "item" } else { "items" };
        let remain = if left == 1 { "remains" } else { "remain" };
        let left = Found::Bytes(left);
        let message = format_args!(
            "{count} {items} announced where {left} {remain}: the input is cut short or damaged"
        );
        Error::new(ErrorKind::UnexpectedEnd, message)
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where in the value: `world.units[3].orders[0].target`. Empty for the root. `Display` leaves out the
    /// middle of a path of more than 200 bytes.
    ///
    /// Members stand by their names in the file, items by their index, entries of a map that is an
    /// object by their key, what a variant carries by the variant's name. A name that is more than
    /// letters, digits, `_`, `-`, `:` and `$` is quoted, so that no two places have one path: `items["a.b"]`,
    /// `[""].x`.
    ///
    /// `$7` is the shared object that the file calls 7. A path begins with it if the object is read at
    /// another place than where it is referred to: its body stands in a member that nobody asked for,
    /// in a later root, or in a list of bodies that had to wait.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The class of the innermost object that was being saved or loaded: `Unit`, or `State::Attacking`
    /// for a variant with named members. Messages name it where the position is a byte offset, which says little to
    /// people.
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

    /// Where in the input, if the error came from it.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// What was expected and what was found, without path and position.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
