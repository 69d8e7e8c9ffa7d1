//! The head of a pointer, which comes before its body.

use std::borrow::Cow;

use crate::model::error::{Error, ErrorKind, Found};
use crate::model::shape::Shape;

/// The kind of data that is stored for a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerKind {
    /// Null: a `Weak` whose target no longer exists.
    Null,
    /// An object that occurs for the first time, with its body.
    Body,
    /// An object whose body is stored elsewhere.
    Seen,
    /// An object that occurs for the first time, and whose body is deferred.
    Later,
    /// A pointer that never has a body.
    Weak,
    /// A trait object in a `Box`: it has a body and no id.
    Owned,
    /// Not a pointer but a value, which was a `Box<T>` or a `T` when it was saved.
    Plain,
}

impl PointerKind {
    /// Returns whether a body follows.
    pub fn has_body(self) -> bool {
        matches!(self, PointerKind::Body | PointerKind::Owned | PointerKind::Plain)
    }
}

/// The head of a pointer that is saved.
#[derive(Clone, Copy, Debug)]
pub struct PointerHead<'a> {
    /// The kind of the pointer.
    pub kind: PointerKind,
    /// The object's id, from 1 in order of appearance; 0 if it has none.
    pub id: u64,
    /// The registered id of the object's type, if it is registered.
    pub type_name: Option<&'a str>,
    /// The shape of the body.
    pub shape: &'static Shape,
}

impl PointerHead<'_> {
    /// Returns whether a body follows.
    pub fn has_body(&self) -> bool {
        self.kind.has_body()
    }

    /// Creates a head without a type and a body.
    #[doc(hidden)]
    pub fn bare(kind: PointerKind, id: u64, shape: &'static Shape) -> Self {
        PointerHead { kind, id, type_name: None, shape }
    }
}

/// The head of a pointer found by [`Decoder::begin_pointer`](crate::Decoder::begin_pointer).
#[derive(Debug)]
pub struct LoadedHead<'a> {
    /// The kind of the pointer.
    pub kind: PointerKind,
    /// The object's id, or 0 if it has none.
    pub id: u64,
    /// The registered type id, if the file has it.
    pub type_name: Option<Cow<'a, str>>,
}

impl LoadedHead<'_> {
    /// Returns the error for a pointer that has neither a body nor an id that says which object it
    /// refers to.
    #[cold]
    #[doc(hidden)]
    pub fn lacks_body_and_id(&self) -> Error {
        const NEEDS: &str = "an owned trait object needs `$value`, a shared one `$id`";
        let message = match (&self.type_name, self.kind) {
            (_, PointerKind::Later) => "`$later` requires `$id`".to_owned(),
            (Some(name), _) => {
                format!("`$type` {} has no `$value`: {NEEDS}", Found::Text(name))
            }
            (None, _) => format!("a pointer without `$id` and `$value`: {NEEDS}"),
        };
        Error::new(ErrorKind::BadPointer, message)
    }
}

/// The next step after the head of a pointer was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The pointer is complete.
    Done,
    /// The body is at the cursor and is needed: call [`LoadPointer::load`](crate::pointer::LoadPointer::load).
    Load,
    /// The body is at the cursor and was read before: skip it.
    Skip,
    /// The object is not known yet: find its body elsewhere.
    Find,
}

/// Returns the error for a pointer to an object that the input does not have.
#[cold]
pub(crate) fn no_body(id: u64) -> Error {
    Error::new(
        ErrorKind::BadPointer,
        format_args!("object {id} is not in the file, but a pointer refers to it"),
    )
}

/// Returns the error for a method that does not exist for this kind of pointee.
#[cold]
pub fn wrong_pointee() -> Error {
    Error::custom("internal error: pointer operation does not match the pointee")
}
