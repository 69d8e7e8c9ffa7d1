//! Members and their names: finding them in the input, and telling which stand there twice.
//!
//! What a class has is a [`Lookup`], a table made when the program is compiled; [`Seen`] notes which of it an
//! object had. Where a member is asked for that does not come next, a format notes the keys that it passes
//! ([`Keys`]), a [`Search`] finds members among them, and [`duplicate`] names that stand twice. [`Spans`]
//! bound what passing over nested objects costs.

mod duplicates;
pub mod name;
mod only;
mod search;
mod seen;
pub mod spans;
mod table;
mod token;

pub use duplicates::duplicate;
pub(crate) use only::visit;
pub use search::{Keys, SEARCHES, Search, State};
pub use seen::Seen;
pub use table::{Key, Lookup, Table, slots_for};
pub use token::Token;
