//! [`SlotState`]: what is known of a slot without loading it.

use std::fmt;

use archive_core::{Error, ErrorKind};

use crate::fault;
use crate::meta::Meta;
use crate::save_file::{self, Family};
use crate::system::FileSystem;

/// What a list says of a slot before anyone loads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotState {
    /// There is no save.
    Empty,
    /// Head and end are as they were written. The body is verified when it is loaded, and by
    /// [`SaveFile::verify`](crate::SaveFile::verify).
    Good,
    /// The file is damaged, cannot be read, or is missing though there are backups. What is known
    /// is that of the [backup](crate::Slot::falls_back) that a load takes.
    Damaged,
    /// A newer version of the game saved it, which this one refuses to load.
    NewerGame,
    /// Other types were saved than those of [`Saves::types`](crate::Saves::types), or by another
    /// game. Types of this game that have changed load by their names.
    OtherTypes,
}

impl fmt::Display for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SlotState::Empty => "empty",
            SlotState::Good => "good",
            SlotState::Damaged => "damaged",
            SlotState::NewerGame => "of a newer version of the game",
            SlotState::OtherTypes => "of other types",
        })
    }
}

/// What a look at the files of a slot has found.
pub struct Look {
    pub state: SlotState,
    pub meta: Meta,
    pub falls_back: Option<usize>,
    pub error: Option<Error>,
}

/// What the program expects of a save.
#[derive(Clone, Default)]
pub struct Expected {
    pub game: String,
    pub version: u32,
    pub signature: Option<u64>,
}

impl Expected {
    fn judge(&self, meta: &Meta) -> SlotState {
        if !self.game.is_empty() && self.game != meta.game {
            SlotState::OtherTypes
        } else if meta.game_version > self.version {
            SlotState::NewerGame
        } else if self.signature.is_some_and(|signature| signature != meta.signature) {
            SlotState::OtherTypes
        } else {
            SlotState::Good
        }
    }

    /// Looks at the newest save, and where it is damaged, at older ones.
    pub fn look(&self, system: &dyn FileSystem, family: &Family) -> Look {
        let mut look =
            Look { state: SlotState::Empty, meta: Meta::default(), falls_back: None, error: None };
        for (number, path) in family.saves() {
            if number > 0 {
                look.state = SlotState::Damaged;
            }
            match save_file::meta(system, &path) {
                Ok(meta) if number == 0 => {
                    look.state = self.judge(&meta);
                    look.meta = meta;
                    return look;
                }
                Ok(meta) => {
                    look.meta = meta;
                    look.falls_back = Some(number);
                    return look;
                }
                Err(error) => {
                    let is_damage = fault::is_damage(&error);
                    let is_newer = error.kind() == ErrorKind::NewerVersion;
                    look.state = if is_newer { SlotState::NewerGame } else { SlotState::Damaged };
                    look.error.get_or_insert(error);
                    if !is_damage {
                        return look;
                    }
                }
            }
        }
        look
    }
}
