//! Types that are made outside of the source: a [`Schema`] is a file that describes types, and a
//! [`Record`] is a value of one of them. Mods add types to a game with it, and tools handle files
//! whose types they do not have.
//!
//! What a modder writes, in any format:
//!
//! ```json
//! {
//!   "types": {
//!     "Spell": {
//!       "doc": "What a wizard casts.",
//!       "members": [
//!         { "name": "title", "type": "String", "default": "Spark" },
//!         { "name": "power", "type": "u16", "default": 10, "range": [0, 100], "unit": "mana" },
//!         { "name": "at", "type": "Option<[f32; 2]>" },
//!         { "name": "element", "type": "Element" },
//!         { "name": "combo", "type": "Vec<Spell>" }
//!       ]
//!     },
//!     "Element": {
//!       "variants": [
//!         { "name": "Fire" },
//!         { "name": "Ice", "items": ["u8"] },
//!         { "name": "Storm", "members": [{ "name": "wind", "type": "f32" }] }
//!       ]
//!     }
//!   }
//! }
//! ```
//!
//! What the program does with it:
//!
//! ```
//! use archive::types::{Record, Schema};
//! use archive::{Options, Value, json};
//!
//! # let file = br#"{ "types": {
//! #   "Spell": { "doc": "What a wizard casts.", "members": [
//! #     { "name": "title", "type": "String", "default": "Spark" },
//! #     { "name": "power", "type": "u16", "default": 10, "range": [0, 100], "unit": "mana" },
//! #     { "name": "at", "type": "Option<[f32; 2]>" },
//! #     { "name": "element", "type": "Element" },
//! #     { "name": "combo", "type": "Vec<Spell>" } ] },
//! #   "Element": { "variants": [ { "name": "Fire" }, { "name": "Ice", "items": ["u8"] },
//! #     { "name": "Storm", "members": [{ "name": "wind", "type": "f32" }] } ] } } }"#;
//! let schema = Schema::from_slice(file)?;
//! let spell = schema.get("Spell")?;
//!
//! let mut storm = Record::new(spell);
//! storm.set("power", 35)?;
//! storm.set("element", Value::from(vec![("Ice".to_owned(), 3.into())]))?;
//! assert_eq!(storm.get_as::<u16>("power")?, 35);
//! let error = storm.set("power", 101).unwrap_err();
//! assert_eq!(error.to_string(), "power: 101 is not in the range from 0 to 100");
//!
//! // A record is saved as a compiled type with the same members, in every format.
//! let text = json::to_string(&storm)?;
//! assert_eq!(text, r#"{"title":"Spark","power":35,"at":null,"element":{"Ice":3},"combo":[]}"#);
//! let loaded: Record = json::from_str_with(&text, &Options::new().provide(spell))?;
//! assert_eq!(loaded, storm);
//! # Ok::<(), archive::Error>(())
//! ```

#![allow(clippy::mutable_key_type, reason = "values with pointers are refused as keys")]

mod blank;
mod check;
mod compare;
mod defaults;
mod errors;
mod file;
mod keys;
mod limits;
mod loaded;
mod made;
mod make;
mod methods;
mod object;
mod of;
mod of_defaults;
#[cfg(feature = "binary")]
mod of_file;
mod of_steps;
mod parse;
mod plan;
mod record;
mod register;
mod saved;
mod schema;
mod shared;
mod sizes;
mod slot;
mod spelling;
mod tag;
mod typed;

pub use compare::{Difference, Effect, check};
pub use errors::Errors;
pub use file::{Given, MemberFile, SchemaFile, Text, TypeFile, VariantFile};
pub use made::Made;
pub use methods::{Call, Methods};
pub use record::Record;
pub use register::RegisterSchema;
pub use schema::{Schema, Type};
pub use typed::{Fixed, Typed};
