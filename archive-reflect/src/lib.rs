//! Works on values whose types a tool does not know: lists their members, reads and changes them by
//! path, undoes changes and describes types, using only the type's `serialize` function.
//!
//! ```
//! use archive::Serialize;
//! use archive::reflect::Meta;
//!
//! /// A visible object.
//! #[derive(Default, Serialize)]
//! struct Sprite {
//!     /// The file of the texture.
//!     texture: String,
//!     #[archive(unit = "m/s", range = 0.0..=30.0)]
//!     speed: f32,
//!     children: Vec<Sprite>,
//! }
//!
//! let meta = Meta::of::<Sprite>();
//! assert_eq!((meta.name().as_str(), meta.size()), ("Sprite", Some(size_of::<Sprite>())));
//! let speed = meta.member("speed").unwrap();
//! assert_eq!(speed.offset(), Some(std::mem::offset_of!(Sprite, speed)));
//! assert_eq!((speed.facts().unit, speed.facts().max), ("m/s", Some(30.0)));
//! let children = meta.member("children").unwrap();
//! assert_eq!(children.meta().name(), "Vec<Sprite>");
//! assert_eq!(children.meta().item().unwrap(), meta);
//! ```
//!
//! [`Meta`] describes a type: its name, size and kind, and its members with their offsets,
//! including private ones. [`Metas`] finds the types of a registry by id and by name.
//! [`Meta::json_schema`] is for editors that complete files while people write them.
//!
//! [`get`], [`list`] and [`complete`] read values along paths, and [`apply`] changes them in place,
//! with an [`Edit`], and returns the edit that undoes it.

mod any_value;
pub mod canon;
mod clone;
mod edit;
mod factory;
pub mod handle;
mod heap;
mod holders;
mod look;
mod meta;
mod schema;
mod tree;

pub use any_value::{AnyValue, Anything, register_std};
pub use archive_core::shape::Facts;
pub use canon::{Difference, difference, equal, hash};
pub use clone::deep_clone;
pub use edit::{Change, Content, Edit, apply, merge, set};
pub use factory::Factory;
pub use handle::{Handle, HandleMap, Stale, stale_handles};
pub use heap::{HeapSize, heap_size};
pub use holders::{Holder, holders, holders_at};
pub use look::{Leaf, Peek, Row, SharedPath, children, complete, get, get_as, list, peek, visit};
pub use meta::{Kind, MemberMeta, Meta, Metas, Numbers, PropertyMeta, VariantMeta};

use archive_core::path::{Path, Step};
use archive_core::{Error, Options, Result};

/// Prepends a path to an error's path.
fn within(error: Error, path: &[Step]) -> Error {
    path.iter().rev().fold(error, |error, step| match step {
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(_) => error,
    })
}

/// Prepends the last step of a path to an error's path.
fn within_last(error: Error, path: &[Step]) -> Error {
    within(error, &path[path.len().saturating_sub(1)..])
}

/// Checks that a path is not longer than the depth limit, because following it needs stack.
fn check_length(path: &Path, options: &Options<'_>) -> Result {
    let limit = options.settings().limits().depth;
    if path.len() > limit && path.len().div_ceil(4) > limit {
        Err(Error::too_deep(limit))
    } else {
        Ok(())
    }
}
