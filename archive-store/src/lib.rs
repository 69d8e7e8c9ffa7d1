//! The object store of `archive`: a class is a table, and an object is a row with a key.
//!
//! A game names the classes of its types, keeps its objects in [`Pool`]s and [`Persistent`]s, and
//! refers to them by [`Ref`]s. A [`Store`] saves what changed, in one transaction. A new game and a
//! loaded game are made by the same code: [`Store::attach`] loads stored values over the ones that
//! the code has made, and does nothing in a new store.
//!
//! ```
//! use archive::Serialize;
//! use archive::store::{Persistent, Pool, Ref, Store};
//!
//! #[derive(Default, Serialize)]
//! struct Unit { kind: String, hp: u16, leader: Ref<Unit> }
//! #[derive(Default, Serialize)]
//! struct Camera { at: [f32; 2] }
//! #[derive(Default, Serialize)]
//! struct World { tick: u64, camera: Persistent<Camera>, units: Pool<Unit> }
//!
//! archive::store::persistent!(World = "world", Camera = "camera", Unit = "unit");
//!
//! fn start(store: &Store) -> archive::Result<World> {
//!     let mut world = World::default();
//!     let ann = world.units.insert(Unit { kind: "tank".into(), hp: 100, leader: Ref::NONE });
//!     world.units.insert(Unit { kind: "jeep".into(), hp: 60, leader: ann });
//!     store.attach(&mut world)?;
//!     let loaded = store.finish_load()?;
//!     assert!(loaded.is_clean(), "{loaded}");
//!     Ok(world)
//! }
//!
//! # let dir = tempfile::tempdir().unwrap();
//! # let path = dir.path().join("campaign.store");
//! let store = Store::open(&path)?;
//! let mut world = start(&store)?;
//! assert_eq!(store.save(&world)?.written, 4);
//!
//! let jeep = Ref::new(2);
//! world.units[jeep].hp -= 3;
//! assert_eq!(store.save(&world)?.written, 1);
//! drop((store, world));
//!
//! let store = Store::open(&path)?;
//! let world = start(&store)?;
//! assert_eq!(world.units[jeep].hp, 57);
//! assert_eq!(world.units[world.units[jeep].leader].kind, "tank");
//! # Ok::<(), archive::Error>(())
//! ```
//!
//! Rows are kept in a [`Storage`](storage::Storage): in a file of the embedded database redb, in
//! memory, or in an engine that the program implements. A [`Snapshot`] keeps an earlier state of
//! them. Outside of a store the same types are saved in every format as the values that they contain.

mod class;
mod keys;
mod known;
mod last_save;
mod layout;
mod persistent;
mod pool;
mod reference;
mod report;
mod row;
mod run;
mod shared;
mod snapshots;
pub mod storage;
mod store;
pub mod testing;

pub use persistent::Persistent;
pub use pool::Pool;
pub use reference::Ref;
pub use report::{Dangling, Loaded, Noted, Saved, Unfit};
pub use row::{Row, RowId};
pub use shared::{Link, Shared};
pub use snapshots::{Difference, DifferenceKind, Snapshot};
pub use store::{ClassInfo, Rows, Store, Values};
