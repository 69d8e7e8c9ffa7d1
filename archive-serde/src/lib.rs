//! serde and `archive`, both ways.
//!
//! - **A serde format under the program's types**: a [`SerdeFormat`] is a few lines, and
//!   [`SerdeBackend`] makes a [`Backend`](archive_core::Backend) of it, with pointers, trait objects,
//!   versions, reports and limits. Saving streams into the serializer, with lengths known; loading runs
//!   the functions of types inside serde's visitors.
//! - **A serde type as a member**: [`Serde`], or `#[archive(serde)]` on a field, in every format.
//! - **The program's types in serde code**: [`AsSerde`], and [`as_serde`](mod@as_serde) for fields.
//!
//! # What stands in the file
//!
//! Where a format describes itself: objects are structs (maps, where a name is no identifier and the
//! format is text), or maps if they have a version (`$version` comes first), a hand-written function or
//! members left out; sequences and tuples are what they are; maps with text keys are maps, others
//! sequences of pairs; an option is null or the value, in a sequence of one if the value may be null
//! itself; a variant is its name, or a map with the name and what it carries; pointers are maps with
//! `$id`, `$type` and `$value`, as in JSON. Floats that are no numbers are text in text formats,
//! and integers of more than 64 bits are text.
//!
//! Where it does not, everything stands where its type puts it. Members of hand-written functions are a
//! sequence, all others a tuple, after the version if the type has versions; variants are those of serde;
//! a pointer is a tuple of a kind (0 null, 1 with its body, 2 seen, 3 later, 4 weak, 5 owned), an id, the
//! type id as an option, the body and, behind the body of a shared object, bodies that waited, each
//! after a `true`, until a `false`. A tree is an enum of what it may be.
//!
//! # What is tested, and what formats cannot do
//!
//! `serde_json`, `rmp-serde` (with names, and as arrays) and `ciborium` pass the tests of all formats: every type,
//! pointers and cycles, trait objects, reports; those with names also the table of changed types. Some
//! formats cannot do all of it:
//!
//! - `rmp-serde` as arrays and `postcard` have no names: `postcard` takes nothing but the type that was saved,
//!   and `rmp-serde` as arrays types that grew or shrank at their end.
//! - `ciborium` is read as a tree ([`Whole`]), so its errors have no position, and it does not tell `f32` from `f64`.
//! - `ron` loses the names of variants where it is asked for any value, so enums are text and maps, and
//!   enums that serde wrote do not load. It has a recursion limit of its own. It is
//!   tested with values of all types, and not with the rest.
//! - `postcard` is read once, forwards: errors have no position, a weak pointer to an object without a cell must
//!   stand behind it, and objects of unknown types are not kept. It is tested as `ron` is.
//! - `toml` has no null: a member that is null is left out, and any other null is an error; so are integers of more
//!   than 63 bits, and a root that is no struct. Its serializer for text serializes some values twice, so
//!   [`SerdeFormat::write`] makes a `toml::Value` first.

mod backend;
mod decoder;
mod encoder;
mod format;
mod load;
mod member;
mod ours;
mod save;
mod shared;
mod tree;
mod value;

pub use backend::SerdeBackend;
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use format::{Failure, SerdeFormat};
pub use member::Serde;
pub use ours::{AsSerde, as_serde, load_with, save_with};
pub use value::{Refused, Whole, from_value, to_value};
