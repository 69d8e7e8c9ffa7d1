//! The core of `archive`: the traits, the session and the impls for types of the standard library.
//! It contains no format, and accesses neither files nor clocks.
//!
//! A type that implements [`Serialize`] is a data structure. A type that implements [`Walk`] is
//! an [`Archive`]: a destination or a source of data structures. Formats implement [`Encoder`] and [`Decoder`],
//! which [`Saving`] and [`Loading`] turn into archives; [`Backend`] combines them into a format.
// Why: docs/decisions/archives-and-bodies.md#the-core-has-eight-layers

mod entry;
mod format;
mod model;
pub mod pointer;
mod state;
mod tree;
mod types;
mod visit;

pub use crate::entry::backend;
#[doc(hidden)]
pub use crate::entry::bridge;
#[doc(hidden)]
pub use crate::format::nodes;
pub use crate::format::{decoder, encoder};
pub use crate::model::reserved;
pub use crate::types::{field, foreign};
pub use crate::visit::{block, session, time};

pub use crate::entry::backend::Backend;
pub use crate::entry::roots::{ROOTS, Reader, Writer};
pub use crate::format::decoder::{Decoder, Kind, MapForm, OptionForm, VariantHead};
pub use crate::format::encoder::Encoder;
pub use crate::format::loading::Loading;
pub use crate::format::saving::Saving;
pub use crate::model::error::{Error, ErrorKind, Found, Known, Position, Result};
pub use crate::model::head::{LoadedHead, PointerHead, PointerKind};
pub use crate::model::mark::Mark;
#[doc(hidden)]
pub use crate::model::members::name;
pub use crate::model::members::spans;
pub use crate::model::number::{Integer, Number};
#[doc(hidden)]
pub use crate::model::put;
#[doc(hidden)]
pub use crate::model::reserved::check_name;
pub use crate::model::scalar::Scalar;
pub use crate::model::shape::{Class, Enum, Member, Payload, Primitive, Shape, Variant};
pub use crate::pointer::dismantle::dismantle;
#[doc(hidden)]
pub use crate::pointer::registry::AddFunctions;
pub use crate::state::options::{Indent, Limits, Options, Settings, Targets};
pub use crate::state::registry::Registry;
pub use crate::tree::opaque::Unknown;
pub use crate::tree::unknown::{KeepUnknown, keep_unknown};
pub use crate::tree::value::{Value, ValueDecoder, ValueEncoder};
pub use crate::types::impls::map::{BorrowedMap, EachEntry};
pub use crate::visit::archive::Archive;
pub use crate::visit::blank::{Blank, Element};
pub use crate::visit::body::{Body, Keyed, LoadAny, PayloadOf, Variants};
#[doc(hidden)]
pub use crate::visit::erased::{DynBody, ErasedBody, run_step};
pub use crate::visit::erased::{Either, Erased, Loads, Saves, Way};
pub use crate::visit::facts::BodyFacts;
#[doc(hidden)]
pub use crate::visit::facts::Step;
pub use crate::visit::guide::Begun;
pub use crate::visit::polymorphic::Polymorphic;
#[doc(hidden)]
pub use crate::visit::serialize::Reference;
pub use crate::visit::serialize::{Members, Save, SavedMembers, Serialize, Source};
pub use crate::visit::session::reporting::Watch;
pub use crate::visit::session::{Note, NoteKind, Report, Session};
pub use crate::visit::time::{Clock, Restored, Time};
pub use crate::visit::visitor::{OuterState, Visitor};
pub use crate::visit::walk::Walk;
#[doc(hidden)]
pub use crate::visit::walk::{ArchiveKind, Blocks, Elsewhere, Room, SaveRoom};

/// Paths to values inside a value, as [errors](crate::Error::path) print them:
/// `world.units[3].orders[0].target`, `inventory["two words"]`, `$7.hp`.
///
/// [`Path`](path::Path) names one place, [`Pattern`](path::Pattern) all places that it matches.
pub mod path {
    pub use crate::model::path::*;
    #[doc(hidden)]
    pub use crate::visit::guide::{Guide, ListChange, Route};
}

/// Values that are saved in columns, several at once. For the functions of types.
#[doc(hidden)]
pub mod columns {
    pub use crate::model::columns::*;
    pub use crate::visit::columns::*;
    pub use crate::visit::serialize::bodies::{Fill, Takes, columns};
    pub use crate::visit::visitor::TakeRows;
}

/// Shapes: descriptions of types, known at compile time or created at run time.
///
/// Shapes are used by formats that store types together with their data (such as the class table of
/// the binary format), by tools and by error messages. A shape refers to other shapes through
/// [`ShapeOf`](shape::ShapeOf), so recursive types are possible, and a shape is computed only when
/// it is needed.
pub mod shape {
    pub use crate::model::shape::*;
    pub use crate::visit::serialize::of_type::shape_of;
}

/// For formats that find members by name: the table of the members of a class, and a search among
/// the keys of an object that were recorded.
pub mod lookup {
    #[doc(hidden)]
    pub use crate::format::members::{Members, Object};
    pub use crate::model::members::{
        Key, Keys, Lookup, SEARCHES, Search, Seen, State, VersionAt, duplicate,
    };
}

/// Items that macros refer to; not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::{
        __raw, __register, Archive, Blank, Body, BodyFacts, Options, Result, Save, Scalar,
        Serialize, Walk, lookup, shape,
    };

    pub use core::option::Option::{self, None, Some};
    pub use core::primitive::{bool, f64, str, u8, u32, usize};
    pub use core::result::Result::{Err, Ok};

    pub use crate::format::key::name as key_name;
    pub use crate::model::block_size::{BlockSize, tuple_size};
    pub use crate::model::error::{empty_input, looks_like, opened_elsewhere};
    pub use crate::model::hash::{Fnv1a, fnv1a};
    pub use crate::model::identity::Identity;
    pub use crate::model::members::{Lookup, Table, slots_for};
    pub use crate::model::os_error;
    pub use crate::pointer::registry::ops::Holds;
    pub use crate::pointer::registry::visited::Visited;
    pub use crate::state::blank_search::ends;
    pub use crate::types::derive::*;
    pub use crate::types::field::derived::*;
    #[cfg(feature = "slotmap")]
    pub use crate::types::foreign::keys;
    pub use crate::types::impls::InPlainCell;
    /// What types that are made at run time have in common with those of the program.
    pub mod made {
        pub use crate::format::key::load_body as load_key;
        pub use crate::model::block_size::members_size;
        pub use crate::pointer::BoxedSave;
        pub use crate::pointer::shaped::{
            load_shared, load_weak, other_shape, save_shared, save_weak,
        };
        pub use crate::state::registry::MadeType;
        pub use crate::types::impls::{duplicate_key, ranks_of};
        pub use crate::visit::guide::null;
        pub use crate::visit::serialize::{OwnShape, OwnTypeId};
        pub use crate::visit::serialize::{shape_of_new, shape_of_value};
        pub use crate::visit::walk::check_whole;
    }
    pub use crate::columns;
    pub use crate::types::probe::*;
    pub use crate::visit::blank::{Element, Exchange, Fresh, exchange, unwrap_blank};
    pub use crate::visit::block::{Raw, raw};
    pub use crate::visit::polymorphic::{HasSupertrait, Interface};
    pub use crate::visit::restore::{Restore, attempt, guarded, load_element_item, load_item};
    pub use crate::visit::serialize::bodies::tuple_item;
    /// The functions that `stored_as!` uses.
    pub mod proxy {
        pub use crate::types::proxy::{save, save_value, saves_null, serialize, value};
    }
    pub use crate::model::shape::plain_name;
    pub use crate::tree::unknown::{save_unknown, unknown};
    pub use crate::tree::value::put_scalar;
    pub use crate::visit::serialize::bodies::nested;
    pub use crate::visit::visitor::Visitor;

    /// The items that `polymorphic!` and `register!` use.
    pub mod polymorphic {
        pub use std::boxed::Box;
        pub use std::cell::RefCell;
        pub use std::option::Option;
        pub use std::rc::{Rc, Weak as RcWeak};
        pub use std::result::Result::{Err, Ok};
        pub use std::sync::{Arc, Mutex, RwLock, Weak as ArcWeak};

        pub use crate::model::error::Result;
        pub use crate::model::shape::{About, Shape, TypeInfo};
        pub use crate::pointer::registry::dynamic;
        pub use crate::pointer::registry::ops::{Cast, CastBox, ContainsDyn};
        pub use crate::pointer::{
            ArcFlavor, Boxed, BoxedSave, Pointee, RcFlavor, load_dyn, save_dyn, visit_dyn,
        };
        pub use crate::state::options::Options;
        pub use crate::visit::archive::Archive;
        pub use crate::visit::polymorphic::Interface;

        /// Returns the given id, or the type's own; `written` is the type's name in the source.
        pub fn id<T: crate::visit::serialize::Serialize>(written: &str, given: &[&str]) -> String {
            if let Some(id) = given.first() {
                return (*id).to_owned();
            }
            let plain = crate::model::shape::plain_name(written);
            let arguments = plain.find('<').unwrap_or(plain.len());
            let name = if T::NAME.is_empty() { &plain[..arguments] } else { T::NAME };
            format!("{name}{}", &plain[arguments..])
        }
    }
}
