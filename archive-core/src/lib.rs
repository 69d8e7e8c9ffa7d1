//! The core of `archive`: the traits, the session and the impls for types of the standard library.
//! It contains no format, and accesses neither files nor clocks.
//!
//! A type that implements [`Serialize`] is a data structure. A type that implements [`Archive`] is
//! a destination or a source of data structures. Formats implement [`Encoder`] and [`Decoder`],
//! which [`Saving`] and [`Loading`] turn into archives; [`Backend`] combines them into a format.

mod archive;
pub mod backend;
mod blank;
pub mod block;
mod body;
#[doc(hidden)]
pub mod bridge;
mod compiled;
pub mod decoder;
mod derive;
mod describe;
mod dismantle;
pub mod encoder;
mod entry_points;
mod erased;
mod error;
pub mod field;
pub mod foreign;
mod impls;
mod key;
mod loading;
mod macros;
mod members;
mod number;
mod opaque;
mod options;
pub mod path;
pub mod pointer;
mod probe;
mod proxy;
#[doc(hidden)]
pub mod put;
mod registry;
pub mod reserved;
mod restore;
mod roots;
mod saving;
mod scalar;
mod serialize;
pub mod session;
pub mod shape;
mod tagged;
pub mod time;
mod unknown;
mod value;
mod visitor;

pub use archive::{Archive, Body, Keyed, LoadAny, Members, PayloadOf, SavedMembers, Variants};
pub use backend::Backend;
pub use blank::{Blank, Element};
#[doc(hidden)]
pub use compiled::{Blocks, Elsewhere, Facts, Room, Step};
pub use decoder::{Decoder, Kind, LoadedHead, MapForm, Mark, OptionForm, VariantHead};
pub use describe::{Description, describe, describe_with, signature};
pub use dismantle::dismantle;
pub use encoder::Encoder;
pub use erased::Erased;
#[doc(hidden)]
pub use erased::{DynBody, ErasedBody, run_step};
pub use erased::{Either, Loads, Saves, Way};
pub use error::{Error, ErrorKind, Found, Known, Position, Result};
pub use loading::Loading;
#[doc(hidden)]
pub use members::name;
pub use members::spans;
pub use number::{Integer, Number};
pub use opaque::Unknown;
pub use options::{Indent, Limits, Options, Targets};
pub use pointer::{PointerHead, PointerKind};
#[doc(hidden)]
pub use registry::AddBodies;
pub use registry::{Polymorphic, Registry};
pub use roots::{ROOTS, Reader, RootFormat, Writer};
pub use saving::Saving;
#[doc(hidden)]
pub use saving::check_name;
pub use scalar::Scalar;
#[doc(hidden)]
pub use serialize::Reference;
pub use serialize::{Save, Serialize, Source};
pub use session::{Note, NoteKind, Report, Session};
pub use shape::{Class, Enum, Member, Payload, Primitive, Shape, Variant};
pub use time::{Clock, Restored, Time};
pub use unknown::{KeepUnknown, keep_unknown};
pub use value::{Value, ValueDecoder, ValueEncoder};
pub use visitor::{Begun, OuterState, Visitor};

/// For formats that find members by name: the table of the members that a class has, and a search
/// among the keys of an object that were passed.
pub mod lookup {
    pub use crate::members::{
        Key, Keys, Lookup, SEARCHES, Search, Seen, State, VersionAt, duplicate,
    };
}

/// Items that macros refer to; not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::blank::{Element, Exchange, Fresh, ends, exchange, load_over, unwrap_blank};
    pub use crate::block::{Raw, Size, raw, tuple_size};
    pub use crate::derive::*;
    pub use crate::describe::{
        Carried, Content, Explorer, Form, Guide, Members, Place, Survey, Text, Types, Variation,
        fnv1a, quoted, signature_of, signature_of_shape,
    };
    pub use crate::error::{empty_input, looks_like};
    pub use crate::field::derived::*;
    #[cfg(feature = "slotmap")]
    pub use crate::foreign::keys;
    pub use crate::impls::{InPlainCell, tuple_item};
    pub use crate::key::name as key_name;
    pub use crate::lookup::Lookup;
    pub use crate::members::{Table, slots_for};
    pub use crate::pointer::Identity;
    pub use crate::probe::*;
    pub use crate::registry::{HasSupertrait, Holds, Interface, Visited};
    pub use crate::restore::{Restore, attempt, guarded, load_element_item, load_item};
    /// The functions that `stored_as!` uses.
    pub mod proxy {
        pub use crate::proxy::{save, save_value, saves_null, serialize, value};
    }
    pub use crate::session::nested;
    pub use crate::shape::plain_name;
    pub use crate::unknown::{save_unknown, unknown};
    pub use crate::value::{InShape, Marked, Shapes};
    pub use crate::visitor::Visitor;

    /// The items that `polymorphic!` and `register!` use.
    pub mod polymorphic {
        pub use std::any::type_name;
        pub use std::boxed::Box;
        pub use std::cell::RefCell;
        pub use std::option::Option;
        pub use std::rc::{Rc, Weak as RcWeak};
        pub use std::result::Result::{Err, Ok};
        pub use std::sync::{Arc, Mutex, RwLock, Weak as ArcWeak};

        pub use crate::archive::Archive;
        pub use crate::decoder::Mark;
        pub use crate::error::Result;
        pub use crate::options::Options;
        pub use crate::pointer::{
            ArcFlavor, Boxed, BoxedSave, CellKind, Created, Flavor, Identity, Inner, Pointee,
            RcFlavor, load_dyn, load_dyn_over, save_dyn,
        };
        pub use crate::registry::{Cast, CastBox, Interface, dynamic};
        pub use crate::session::Entry;
        pub use crate::shape::{About, Shape, TypeInfo};

        pub use crate::pointer::wrong_pointee;

        /// Returns the given id, or the type's own; `written` is the type's name in the source.
        pub fn id<T: crate::Serialize>(written: &str, given: &[&str]) -> String {
            if let Some(id) = given.first() {
                return (*id).to_owned();
            }
            let plain = crate::shape::plain_name(written);
            let arguments = plain.find('<').unwrap_or(plain.len());
            let name = if T::NAME.is_empty() { &plain[..arguments] } else { T::NAME };
            format!("{name}{}", &plain[arguments..])
        }
    }
}
