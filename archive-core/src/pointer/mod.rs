//! Pointers. Shared objects are saved once and are shared again after loading. Trait objects are
//! saved with the id of their type. Cycles and weak pointers are restored.
//!
//! The code for `Rc` and `Arc` is written once, in terms of [`Flavor`]. The code for objects
//! without a cell, and in a `RefCell`, `Mutex`, `RwLock` or `Cell`, is written once, in terms of
//! [`Contains`]. Objects whose type is known at compile time and trait objects have separate code:
//! both implement [`Objects`]. A pointer to a cell is created and added to the session's table
//! *before* its object is read, so that the object may refer to it. A pointer without a cell is
//! built around a weak pointer to itself.
//!
//! Chains of objects in cells need no stack while they are saved and loaded. To drop a long one,
//! use [`dismantle`](crate::dismantle()).

mod boxed;
mod contains;
pub(crate) mod dismantle;
mod flavor;
mod incell;
mod loading;
mod object;
mod pointee;
pub(crate) mod registry;
pub(crate) mod shaped;
mod strong;
mod type_ids;
mod weak;

pub use crate::model::head::{PointerHead, PointerKind, Step, wrong_pointee};
pub use crate::model::identity::Identity;
pub use crate::visit::body::{Filler, LoadPointer};
pub use crate::visit::object::{Handle, Object, Retained};
#[doc(hidden)]
pub use crate::visit::restore::fill;
pub use boxed::{Boxed, BoxedSave, load_dyn, save_dyn, visit_dyn};
pub use contains::{Contains, Content};
pub use flavor::{ArcFlavor, Flavor, RcFlavor};
pub use incell::{InCell, save_cell_mut};
pub use pointee::{Created, Fill, LoadObjects, Objects, Pointee};
pub(crate) use pointee::{OnArchive, build};
