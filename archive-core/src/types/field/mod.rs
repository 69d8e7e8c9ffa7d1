//! The traits that attributes of fields require of the fields' types: `#[archive(bytes)]` is for
//! containers of bytes, `#[archive(as_object)]` for maps and containers of maps, and
//! `#[archive(unordered)]` for hash maps and hash sets.
//!
//! Implement [`Bytes`], [`Map`] or [`Unordered`] to use these attributes on types of your own.
// Why: docs/decisions/archives-and-bodies.md#attributes-of-fields-are-bodies

mod after_load;
mod bytes;
mod facts;
mod map;
mod property;
mod skip_if_default;
mod unordered;
mod unsaved;
mod with;

pub use bytes::Bytes;
pub use map::Map;
pub(crate) use map::{inside, maps};
pub use unordered::{SavedUnordered, Sorted, Unordered};

/// Items used by the derive.
pub(crate) mod derived {
    pub use super::after_load::{
        AfterLoad, AfterLoadUnversioned, Outcome, after_load, after_load_unversioned,
    };
    pub use super::bytes::{BytesField, BytesOf, SavedBytesOf, bytes_shape};
    pub use super::facts::{
        COLOR, EMPTY_RANGE, MULTILINE, NO_STEP, RANGE, STEP, check_facts, is_color, is_number,
        is_text,
    };
    pub use super::map::{Objects, object_shape, unordered_object_shape};
    pub use super::property::{
        Access, get_property, properties, property_shape, property_value, saved_properties,
        set_property, show_object, shown,
    };
    pub use super::skip_if_default::{Noticed, is_written};
    pub use super::unordered::{SavedUnorderedOf, UnorderedOf, unordered_shape};
    pub use super::unsaved::{saved_unsaved, unsaved};
    pub use super::with::{LoadWith, SaveWith, SavedWithOf, With, WithOf, with, with_time};
}
