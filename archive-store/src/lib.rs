//! The object store of `archive`: a class is a table, and a key is a row.

mod class;
mod keys;
mod layout;
mod mark;
mod persistent;
mod pool;
mod reference;
mod report;
mod row;
mod run;
pub mod storage;
mod store;
pub mod testing;

pub use persistent::Persistent;
pub use pool::Pool;
pub use reference::Ref;
pub use report::{Dangling, Loaded, Noted, Saved, Unfit};
pub use row::{Row, RowId};
pub use store::{ClassInfo, Rows, Store, Values};
