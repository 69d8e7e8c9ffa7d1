//! What engines build reflection systems for, out of the one `serialize` function of a type.
//!
//! ```
//! use archive::Serialize;
//! use archive::reflect::Meta;
//!
//! /// What can be seen.
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
//! [`Meta`] describes a type: its name, size and kind, and its members with their offsets, also the
//! private ones. [`Metas`] finds the types of a registry by id and by name. [`Meta::json_schema`] is
//! for editors that complete files which people write.

mod any_value;
pub mod canon;
mod factory;
pub mod handle;
mod heap;
mod meta;
mod schema;

pub use any_value::{AnyValue, Anything, register_std};
pub use archive_core::shape::Facts;
pub use canon::{Difference, difference, equal, hash};
pub use factory::Factory;
pub use handle::{Handle, HandleMap};
pub use heap::{HeapSize, heap_size};
pub use meta::{Kind, MemberMeta, Meta, Metas, PropertyMeta, VariantMeta};
