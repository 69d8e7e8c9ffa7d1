//! What a pointer says of itself before its body, and the protocol of loading one.

use crate::archive::Archive;
use crate::decoder::{LoadedHead, Mark};
use crate::error::Result;
use crate::options::Options;
use crate::session::Session;
use crate::shape::Shape;

/// What stands where a pointer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerKind {
    /// Nothing: a `Weak` whose target is gone.
    Null,
    /// An object met for the first time, with its body.
    Body,
    /// An object whose body stands elsewhere.
    Seen,
    /// An object met for the first time, whose body comes with the deferred ones.
    Later,
    /// A pointer that never carries the body.
    Weak,
    /// A trait object in a `Box`: it has no id, and its body.
    Owned,
    /// No pointer at all, but a value (it was a `Box<T>` or a `T` when it was saved).
    Plain,
}

impl PointerKind {
    /// Whether a body follows.
    pub fn has_body(self) -> bool {
        matches!(self, PointerKind::Body | PointerKind::Owned | PointerKind::Plain)
    }
}

/// A pointer being written.
#[derive(Clone, Copy, Debug)]
pub struct PointerHead<'a> {
    /// What is written.
    pub kind: PointerKind,
    /// The object's id, from 1 in order of appearance; 0 where there is none.
    pub id: u64,
    /// The registered id of the object's type, if it is registered.
    pub type_name: Option<&'a str>,
    /// What the body looks like.
    pub shape: &'static Shape,
}

impl PointerHead<'_> {
    /// Whether a body follows.
    pub fn has_body(&self) -> bool {
        self.kind.has_body()
    }

    /// A head without type and body.
    pub(crate) fn bare(kind: PointerKind, id: u64, shape: &'static Shape) -> Self {
        PointerHead { kind, id, type_name: None, shape }
    }
}

/// What to do after the head of a pointer was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The pointer is complete.
    Done,
    /// The body is at the cursor and wanted: call [`LoadPointer::load`].
    Load,
    /// The body is at the cursor and was read before: skip it.
    Skip,
    /// The object is not known yet: look for its body elsewhere.
    Find,
}

/// Loads the content of the object of that id, which was made already, from its body.
pub type Filler<A> = fn(u64, &mut A) -> Result;

/// A pointer being loaded.
pub trait LoadPointer {
    /// Whether the object is known to stand behind a trait object.
    const DYN: bool = false;

    /// What the pointer looks like.
    fn shape(&self) -> &'static Shape;

    /// Takes the head that was found at `at`.
    ///
    /// # Errors
    /// Ids that denote another type, bodies that stand twice, unknown type ids.
    fn begin(
        &mut self,
        head: &LoadedHead<'_>,
        at: Mark,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<Step>;

    /// Loads the body that is in the current slot.
    ///
    /// # Errors
    /// Those of the body.
    fn load<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// Makes the object, to be filled later, now that its type is known from the head of its body
    /// elsewhere. `false` says that it must be loaded at once.
    ///
    /// # Errors
    /// Unknown type ids.
    fn prepare(
        &mut self,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool>;

    /// What fills an object that is made before its body is loaded.
    #[doc(hidden)]
    fn filler<A: Archive>() -> Option<Filler<A>> {
        None
    }

    /// There is no body for that id anywhere.
    ///
    /// # Errors
    /// Unless the pointer can do without.
    fn missing(&mut self, id: u64, session: &mut Session, options: &Options<'_>) -> Result;
}
