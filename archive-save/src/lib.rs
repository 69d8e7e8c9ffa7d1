//! Save files that survive a power cut.

mod container;
mod fault;
mod lineage;
mod meta;
mod save_file;
mod system;
pub mod testing;

pub use container::Compression;
pub use lineage::{Lineage, Relation, relation};
pub use meta::Meta;
pub use save_file::{Damaged, Loaded, SaveFile};
pub use system::{File, FileSystem, System};
