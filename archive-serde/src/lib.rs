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
//! sequences of pairs; an option is null or the value, as the one member `$some` of a map if the value is
//! null itself; a variant is its name, or a map with the name and what it carries; pointers are maps with
//! `$id`, `$type` and `$value`, as in JSON. Floats that are no numbers are text in text formats,
//! and integers of more than 64 bits are text.
//!
//! Where it does not, everything stands where its type puts it. Members of hand-written functions are a
//! sequence, all others a tuple, after the version if the type has versions; variants are those of serde;
//! a pointer is a tuple of a kind (0 null, 1 with its body, 2 seen, 3 later, 4 weak, 5 owned), an id, the
//! type id as an option, the body and, after the body of a shared object, bodies that waited, each
//! after a `true`, until a `false`. A tree is an enum of what it may be.
//!
//! # Errors
//!
//! An error has its path in the value, and the position that the format tells. What the format refuses
//! itself keeps its words and its kind: a [`Failure`] says whether the input ended, goes on after the
//! value or nests too deep. Where the input is read as a tree (see [`SerdeBackend`]), the place is looked for
//! by the path.
//!
//! # What is tested, and what formats cannot do
//!
//! All of these but `toml` pass the tests of all formats: values of every type, attributes, errors, pointers, cycles
//! and trait objects; those with names also the table of changed types. Golden files pin what is
//! written. Some formats cannot do all of it:
//!
//! | format | is read | truncated input | position | what it cannot do |
//! |---|---|---|---|---|
//! | `serde_json` | on the way | is told | line and column | |
//! | `rmp-serde`, named | on the way | is told | byte | |
//! | `rmp-serde`, arrays | on the way | is told | byte, but not in trees | types change by members at the end |
//! | `ron` | on the way | is told, but for what is left of a word or a number | line and column | stream enums: it loses the names of variants where it is asked for any value, so they are saved as text and maps, and loaded from these and from its own form through a tree ([`SerdeFormat::FORGETS_VARIANTS`]). `()` is a value where an option is wanted. It has a recursion limit of its own |
//! | `ciborium` | as a tree ([`Whole`]), since it takes no seeds | is told | byte, of what is no CBOR; none of values | tell `f32` from `f64` |
//! | `toml` | as the tree of its own parser | where the text is no document any more | byte | null: a member that is null is left out, any other is an error; integers of more than 63 bits; a root that is no struct. Its serializer for text serializes some values twice, so [`SerdeFormat::write`] makes a `toml::Value` first |
//! | `postcard` | on the way, once | is told | byte | types that changed in any way: it takes what was saved. Trees of files, going on after an error, objects of unknown types (an [`UnknownType`](archive_core::ErrorKind::UnknownType)) |

mod backend;
mod decoder;
mod encoder;
mod format;
mod load;
mod locate;
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
