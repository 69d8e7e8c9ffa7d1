//! serde and `archive`, both ways.
//!
//! - **A serde format for the program's types**: a [`SerdeFormat`] takes a few lines, and
//!   [`SerdeBackend`] makes a [`Backend`](archive_core::Backend) of it, with pointers, trait
//!   objects, versions, reports and limits. Saving streams into the serializer, with lengths known;
//!   loading runs the functions of types inside serde's visitors.
//! - **A serde type as a member**: [`Serde`], or `#[archive(serde)]` on a field, in every format.
//! - **The program's types in serde code**: [`AsSerde`], and [`as_serde`](mod@as_serde) for fields.
//!
//! # What is stored in the file
//!
//! In a format that describes itself:
//!
//! - Objects are structs (maps, if a name is not an identifier and the format is text). They are
//!   maps if they have a version (`$version` comes first), a hand-written function, or members left
//!   out.
//! - Sequences and tuples are sequences and tuples.
//! - Maps with text keys are maps, others are sequences of pairs.
//! - An option is null or the value. If the value itself is null, it is a map with one member,
//!   `$some`.
//! - A variant is its name, or a map with the name and the payload.
//! - Pointers are maps with `$id`, `$type` and `$value`, as in JSON.
//! - Floats that are not finite are text in text formats, and integers of more than 64 bits are
//!   text.
//!
//! In a format that does not describe itself, the type determines the place of every value. Members
//! of hand-written functions are a sequence, all others a tuple, after the version if the type has
//! versions. Variants are those of serde. A pointer is a tuple of a kind (0 null, 1 with its object,
//! 2 seen, 3 later, 4 weak, 5 owned), an id, the type id as an option, and the object. After a
//! shared object come deferred objects, each after a `true`, and a `false` after the last. A
//! tree is an enum of the types that it may contain.
//!
//! # Errors
//!
//! An error has its path in the value, and the position that the format reports. An error of the
//! format itself keeps its message and its kind: a [`Failure`] says whether the input ended,
//! continues after the value or nests too deep. If the input is read as a tree (see
//! [`SerdeBackend`]), the position is found by the path.
//!
//! # What is tested, and what formats cannot do
//!
//! All of these except `toml` pass the tests of all formats: values of every type, attributes,
//! errors, pointers, cycles and trait objects; formats with names also pass the table of changed
//! types. Golden files fix what is written. Some formats cannot do everything:
//!
//! | format | reads the input | truncated input | position | what it cannot do |
//! |---|---|---|---|---|
//! | `serde_json` | streaming | reported | line and column | |
//! | `rmp-serde`, named | streaming | reported | byte | |
//! | `rmp-serde`, arrays | streaming | reported | byte, but not in trees | types change by members at the end |
//! | `ron` | streaming | reported, except inside a word or a number | line and column | stream enums: it loses the names of variants in `deserialize_any`, so they are saved as text and maps, and loaded from these and from its own form through a tree ([`SerdeFormat::FORGETS_VARIANTS`]). `()` counts as a value where an option is expected. |
//! | `ciborium` | as a tree ([`Whole`]), since it accepts no seeds | reported | byte, for malformed CBOR; none for values | tell `f32` from `f64` |
//! | `toml` | as the tree of its own parser | reported if the rest is not a document | byte | null: a member that is null is left out, any other is an error; integers of more than 63 bits; a root that is not a struct. Its serializer for text serializes some values twice, so [`SerdeFormat::write`] makes a `toml::Value` first. More than about 80 levels, which its parser refuses, are refused when they are saved |
//! | `postcard` | streaming, once | reported | byte | types that changed in any way: it loads only what was saved. Trees of files, continuing after an error, objects of unknown types (an [`UnknownType`](archive_core::ErrorKind::UnknownType)) |

mod archives;
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
pub use format::{Failure, SerdeFormat, levels};
pub use member::Serde;
pub use ours::{AsSerde, as_serde, load_with, save_with};
pub use value::{Refused, Whole, from_value, to_value};
