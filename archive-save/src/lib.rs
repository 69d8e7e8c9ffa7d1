//! Save files that survive a power cut.

mod background;
mod container;
mod fault;
mod lineage;
mod meta;
mod save_file;
mod saves;
mod system;
pub mod testing;

pub use background::{Job, Outcome, Phase, Progress};
pub use container::Compression;
pub use lineage::{Lineage, Relation, relation};
pub use meta::Meta;
pub use save_file::{Damaged, Loaded, SaveFile};
pub use saves::{Saves, Slot, SlotState};
pub use system::{File, FileSystem, System};
