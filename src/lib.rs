//! Saves and loads the data of games and simulations, in any format. Most programs use these:
//!
//! - [`Serialize`](derive@Serialize): the derive of a type that is saved and loaded.
//! - [`json`]: readable text, by functions such as [`json::to_string`] and [`json::from_str`].
//! - [`binary`]: compact bytes that still load when the types have changed.
//! - [`Format`]: a format that is picked at run time, by a file's name or by its content.
//! - [`Options`]: how a value is saved and loaded, and what the program provides for it.
//! - [`Registry`]: the types of trait objects.
//! - [`Archive`]: where a `serialize` function that is written by hand puts its members.
//! - [`Error`]: what went wrong, with the path to the value and its position in the file.
//!
// The targets of the links of pages in the documentation. The first definition of a link is used.
#![doc = include_str!("links.md")]
#![doc = include_str!("../README.md")]
// The page of an item says which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod compiled;
pub mod format;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tool;

#[cfg(any(doc, doctest))]
pub mod documentation;

/// Makes a crate a module of this one. The compiler names the items of a crate that is renamed by
/// `use` by the name of the crate (`archive::archive_json::from_str`), and those of a module as
/// users write them. Documentation needs the crate itself, since its page is that of the module.
macro_rules! modules {
    ($($(#[$attribute:meta])* $feature:literal: $crate_name:ident as $name:ident;)*) => { $(
        $(#[$attribute])*
        #[cfg(all(doc, feature = $feature))]
        #[cfg_attr(docsrs, doc(cfg(feature = $feature)))]
        #[doc(inline)]
        pub use $crate_name as $name;
        #[cfg(all(not(doc), feature = $feature))]
        #[doc = concat!("The crate `", stringify!($crate_name), "`.")]
        pub mod $name {
            #[doc(inline)]
            pub use $crate_name::*;
        }
    )* };
}

modules! {
    "json": archive_json as json;
    "binary": archive_binary as binary;
    "msgpack": archive_msgpack as msgpack;
    "blob": archive_blob as blob;
    "bins": archive_bins as bins;
    "save": archive_save as save;
    "store": archive_store as store;
    "reflect": archive_reflect as reflect;
    "types": archive_types as types;
    /// serde formats for the program's types, serde types as members, and the program's types in serde
    /// code.
    "serde": archive_serde as serde_formats;
}

#[cfg(feature = "slotmap")]
#[doc(inline)]
pub use archive_core::slotmap_keys;
#[doc(inline)]
pub use archive_core::{
    Archive, Blank, Element, Error, ErrorKind, KeepUnknown, Limits, Options, Polymorphic, Registry,
    Report, Result, Save, Serialize, Unknown, Value, blank, dismantle, field, keep_unknown,
    members, path, polymorphic, save_by_clone, shape, stored_as, time,
};
#[cfg(feature = "derive")]
#[doc(hidden)]
pub use archive_derive::Deserialize;
#[cfg(feature = "derive")]
pub use archive_derive::Serialize;
#[cfg(feature = "describe")]
#[doc(inline)]
pub use archive_describe::{describe, signature};
#[doc(inline)]
pub use archive_format::Format;

/// Descriptions of the files of a type, as text.
#[cfg(feature = "describe")]
pub mod describe {
    #[doc(inline)]
    pub use archive_describe::{Description, describe, describe_with, signature};
}

/// Errors in detail.
pub mod error {
    #[doc(inline)]
    pub use archive_core::{Error, ErrorKind, Found, Known, Position, Result};
}

/// What a load reports beside the value.
pub mod report {
    #[doc(inline)]
    pub use archive_core::{Note, NoteKind, Report};
}

/// Data without a type of the program.
pub mod value {
    #[doc(inline)]
    pub use archive_core::{Integer, Number, Value};
}

/// Items that macros refer to; not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use archive_core::__private::*;

    pub use crate::compiled::Compiled;
}
