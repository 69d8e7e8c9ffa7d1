//! Finding members by name in the input, and finding names that occur twice.
//!
//! A [`Lookup`] is a table of the members of a class, made at compile time; a [`Seen`] records
//! which of them an object had. If a requested member does not come next, a format records the keys
//! that it skips ([`Keys`]). A [`Search`] finds members among them, and [`duplicate`] finds names
//! that occur twice. [`Spans`] bound the cost of skipping nested objects.

mod duplicates;
pub mod name;
mod search;
mod seen;
pub mod spans;
mod table;
mod token;

pub use duplicates::duplicate;
pub use search::{Keys, SEARCHES, Search, State};
pub use seen::{Seen, VersionAt};
pub use table::{Key, Lookup, Named, Table, slots_for};
pub use token::Token;
