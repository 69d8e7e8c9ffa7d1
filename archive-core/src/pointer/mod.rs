//! Pointers: shared ones are saved once and come back shared, trait objects carry the id of their
//! type, cycles and weak pointers are restored.
//!
//! Everything about `Rc` and `Arc` is written once over [`Flavor`], everything about `RefCell`,
//! `Mutex` and `RwLock` once over [`CellKind`]. A pointer with a cell is made and entered into the
//! session's table *before* its body is read, so that the body may refer to it; a bare one is
//! built around a weak pointer to itself.
//!
//! Chains of objects in cells need no stack while they are saved and loaded. Whoever drops a long one
//! needs [`dismantle`](crate::dismantle()).

mod boxed;
mod cell;
mod flavor;
mod head;
mod incell;
mod inner;
mod object;
mod pointee;
mod strong;
mod weak;

pub use boxed::{Boxed, BoxedSave, load_dyn, save_dyn};
pub use cell::{CellKind, Content, MutexKind, RefCellKind, RwLockKind};

pub use flavor::{ArcFlavor, Flavor, Kept, RcFlavor};
pub use head::{Filler, LoadPointer, PointerHead, PointerKind, Step};
pub use incell::{InCell, save_cell_mut};
pub use inner::Inner;
pub(crate) use object::WeakHandle;
#[doc(hidden)]
pub use object::fill;
pub use object::{Handle, Object};
pub use pointee::not_here;
pub use pointee::{Created, Fill, Identity, Pointee};
pub(crate) use pointee::{OnArchive, build};
pub(crate) use strong::{no_body, strong_cycle};
