//! The head of a pointer, which comes before the pointee: the object that it refers to.

use std::borrow::Cow;

use crate::model::error::{Error, ErrorKind, Found};
use crate::model::shape::Shape;

/// The kind of data that is stored for a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerKind {
    /// Null, including a `Weak` whose target no longer exists.
    Null,
    /// An object that occurs for the first time, and is stored here.
    Stored,
    /// An object that is stored elsewhere.
    Seen,
    /// An object that occurs for the first time and is deferred.
    Later,
    /// A weak pointer: its object is never stored with it.
    Weak,
    /// A trait object in a `Box`, which is stored here without an id.
    Owned,
    /// No pointer but a value, which was a `Box<T>` or a `T` when it was saved.
    Plain,
}

impl PointerKind {
    /// Returns whether the pointee follows.
    pub fn has_pointee(self) -> bool {
        matches!(self, PointerKind::Stored | PointerKind::Owned | PointerKind::Plain)
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
    /// The shape of the pointee.
    pub shape: &'static Shape,
}

impl PointerHead<'_> {
    /// Returns whether the pointee follows.
    pub fn has_pointee(&self) -> bool {
        self.kind.has_pointee()
    }

    /// Creates a head without a type.
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
    /// Returns the error for a pointer that has neither a pointee nor the id of an object.
    #[cold]
    #[doc(hidden)]
    pub fn lacks_pointee_and_id(&self) -> Error {
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
    /// The pointee is at the cursor and is needed: call
    /// [`LoadPointer::load`](crate::pointer::LoadPointer::load).
    Load,
    /// The pointee is at the cursor and was read before: skip it.
    Skip,
    /// The object is not known yet: search the input for it.
    Find,
}

/// Returns the error for a pointer to an object that the input does not have.
#[cold]
pub(crate) fn not_stored(id: u64) -> Error {
    Error::new(
        ErrorKind::BadPointer,
        format_args!("object {id} is not in the file, but a pointer refers to it"),
    )
}

/// Returns the error for a method that is not available for this kind of pointee.
#[cold]
pub fn wrong_pointee() -> Error {
    Error::custom("internal error: pointer operation does not match the pointee")
}
