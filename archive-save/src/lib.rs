//! Save files that survive a power cut, and slots that a player sees.
//!
//! ```
//! use archive::save::{SaveFile, Saves};
//! use archive::{Format, Serialize};
//!
//! #[derive(Clone, Debug, Default, PartialEq, Serialize)]
//! struct World { tick: u64, units: Vec<String> }
//!
//! # fn main() -> archive::Result {
//! # let folder = tempfile::tempdir().unwrap();
//! # let (quick, saves) = (folder.path().join("quick.sav"), folder.path().join("saves"));
//! let mut world = World { tick: 7, units: vec!["Ann".into()] };
//!
//! // A file: atomic, checksummed, compressed.
//! let file = SaveFile::new(&quick).title("Before the boss").backups(3);
//! file.save(&world, Format::Binary)?;
//!
//! // The value and its metadata. A load falls back to a good backup, and says so.
//! let loaded = SaveFile::new(&quick).load::<World>()?;
//! assert_eq!(loaded.value, world);
//! assert_eq!(loaded.fell_back, None);
//!
//! // The metadata that a menu shows: two reads, at any size of the world.
//! assert_eq!(SaveFile::peek(&quick)?.title, "Before the boss");
//!
//! // Slots, in a folder of the game's choice or in that of the platform: `Saves::in_data_dir("skirmish")`.
//! let saves = Saves::in_folder(&saves)?.game("skirmish").game_version(3).backups(3).autosaves(5);
//! let slot = saves.slot("campaign")?.title("The harbour");
//! let job = slot.save_in_background(&world, Format::Binary)?; // encodes here, writes elsewhere
//! world.tick += 1; // the game continues
//! job.wait()?;
//! let newest = saves.load_newest::<World>()?.expect("there is a save");
//! assert_eq!((newest.value.tick, newest.slot.as_deref()), (7, Some("campaign")));
//! for slot in saves.list()? {
//!     println!("{} {} {}", slot.name(), slot.meta().title, slot.state());
//! }
//! # assert_eq!(saves.slot("campaign")?.load::<World>()?.value.tick, 7);
//! # Ok(())
//! # }
//! ```
//!
//! [`SaveFile`] replaces one file; [`Saves`] has the [`Slot`]s of a game, and saves in the
//! background. [`Meta`] is the metadata that a list of saves shows, and [`relation`] returns which
//! of two saves continues the other one. All system calls go through a [`FileSystem`]. The feature
//! `testing` has `testing::PowerCuts`, a file system that loses power.

mod background;
mod container;
mod fault;
mod lineage;
mod meta;
mod save_file;
mod saves;
mod system;
#[cfg(feature = "testing")]
pub mod testing;

pub use background::{Job, LoadJob, Outcome, Phase, Progress};
pub use container::Compression;
pub use fault::is_damage;
pub use lineage::{Lineage, Relation, relation};
pub use meta::Meta;
pub use save_file::{Damaged, Loaded, SaveFile};
pub use saves::{Saves, Slot, SlotState};
pub use system::{File, FileSystem, System};
