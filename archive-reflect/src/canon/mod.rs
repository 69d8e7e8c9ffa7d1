//! The canonical form of a value: one sequence of bytes for equal values, in every run and on every
//! machine. [`hash`] is its hash, and [`equal`] compares it.
//!
//! The form is a sequence of *pieces*. A piece is a tag, which is one byte, and a content, whose
//! numbers are little-endian:
//!
//! | tag | content | |
//! |---|---|---|
//! | `n` `f` `t` | | null (also an option without a value, and a null pointer), false, true |
//! | `u` `i` | 8 bytes | an integer from 0 on, a negative integer |
//! | `d` | 8 bytes | a float as `f64`; all NaNs are one |
//! | `s` | length in 8 bytes, UTF-8 | text, a character, a unit variant, an integer beyond 64 bits |
//! | `b` | length in 8 bytes, bytes | bytes |
//! | `[` … `]` | | a sequence; a map is a sequence of pairs, sorted by key |
//! | `{` … `}` | | an object, whose members are each an `m` and a value |
//! | `m` | length in 8 bytes, UTF-8 | the name of a member |
//!
//! Everything else is composed of these as in JSON: an enum with data is an object with one member,
//! and a pointer to a shared object is an object with `$id`, the number of the object in the order
//! of the visit. The versions of types are left out.

mod compared;
mod encoder;
mod hashed;

use archive_core::field::Sorted;
use archive_core::shape::Shape;
use archive_core::{Archive, Body, Encoder, Options, Polymorphic, Result, Saving, Session, Source};

pub use compared::{Difference, difference, equal};
pub use hashed::hash;

use encoder::Canonical;

/// Receives the pieces.
trait Pieces {
    /// Receives a piece. `sized` says whether the length comes before the content.
    fn piece(&mut self, tag: u8, content: &[u8], sized: bool) -> Result;
}

/// Writes a value in the canonical form.
fn write(value: &dyn Polymorphic, options: &Options<'_>, pieces: &mut dyn Pieces) -> Result {
    let options = options.clone().provide(Sorted);
    let mut encoder = Canonical(pieces);
    let encoder: &mut dyn Encoder = &mut encoder;
    Saving::new(encoder, &mut Session::new(), &options).root(&mut Root(value))
}

/// A root of any type.
pub(crate) struct Root<'a>(pub &'a dyn Polymorphic);

impl Body for Root<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.__archive_save(&mut ar.erased())
    }
}

impl Source for Root<'_> {
    fn shape(&self) -> &'static Shape {
        &Shape::Any
    }
}
