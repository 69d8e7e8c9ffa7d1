//! [`SlotState`]: the state of a slot in a list.

use std::fmt;

use archive_core::{Error, ErrorKind};

use crate::fault;
use crate::meta::Meta;
use crate::save_file::{self, Family, Refusal, SaveFile};

/// The state of a slot, determined without loading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotState {
    /// There is no save.
    Empty,
    /// Head and tail are undamaged. The body is verified when it is loaded, and by
    /// [`SaveFile::verify`](crate::SaveFile::verify).
    Good,
    /// The file is damaged, or is missing although there are backups. The metadata is that of the
    /// [backup](crate::Slot::falls_back) that a load would use.
    Damaged,
    /// The system does not allow reading the file: the process lacks permission, or another program
    /// has locked it. The file may be good. A load is an error, and does not fall back to a backup.
    Unreadable,
    /// A newer version of the game or of this library saved it. This one refuses to load it and to
    /// save over it.
    NewerGame,
    /// Another game saved it. This one refuses to load it and to save over it.
    OtherGame,
    /// The saved types differ from those of [`Saves::types`](crate::Saves::types). They load by the
    /// names of their members; a [report](archive_core::Options::report) lists the differences.
    OtherTypes,
}

impl fmt::Display for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SlotState::Empty => "empty",
            SlotState::Good => "good",
            SlotState::Damaged => "damaged",
            SlotState::Unreadable => "not readable",
            SlotState::NewerGame => "of a newer version of the game",
            SlotState::OtherGame => "of another game",
            SlotState::OtherTypes => "of other types",
        })
    }
}

/// The state of the files of a slot.
pub struct Look {
    pub state: SlotState,
    pub meta: Meta,
    pub falls_back: Option<usize>,
    pub error: Option<Error>,
}

impl Look {
    /// Returns the state of a slot whose files cannot be listed: a symbolic link leads to a folder
    /// that the process may not read.
    pub fn unreadable(error: Error) -> Look {
        let (state, error) = (SlotState::Unreadable, Some(error));
        Look { state, meta: Meta::default(), falls_back: None, error }
    }

    /// Reads the newest save, and if it is damaged, older ones. The program expects the game in
    /// `file`, and these types.
    pub fn at(family: &Family, file: &SaveFile, signature: Option<u64>) -> Look {
        let mut look =
            Look { state: SlotState::Empty, meta: Meta::default(), falls_back: None, error: None };
        for (number, path) in family.saves() {
            if number > 0 {
                look.state = SlotState::Damaged;
            }
            match save_file::meta(&*file.system, path) {
                Ok(meta) => {
                    let is_refused = file.refusal(&meta).is_some();
                    if number == 0 || is_refused {
                        look.state = state_of(&meta, file, signature);
                    }
                    if is_refused {
                        // A load returns this error, and not that of the newer, damaged save.
                        look.error = None;
                    } else if number > 0 {
                        look.falls_back = Some(number);
                    }
                    look.meta = meta;
                    return look;
                }
                Err(error) => {
                    let is_final = !fault::is_damage(&error);
                    look.state = match error.kind() {
                        ErrorKind::NewerVersion => SlotState::NewerGame,
                        ErrorKind::Io if is_final => SlotState::Unreadable,
                        _ => SlotState::Damaged,
                    };
                    // The error of a load.
                    if is_final {
                        look.error = Some(error);
                        return look;
                    }
                    look.error.get_or_insert(error);
                }
            }
        }
        look
    }
}

fn state_of(meta: &Meta, file: &SaveFile, signature: Option<u64>) -> SlotState {
    match file.refusal(meta) {
        Some(Refusal::OtherGame) => SlotState::OtherGame,
        Some(Refusal::NewerGame) => SlotState::NewerGame,
        None if signature.is_some_and(|signature| signature != meta.signature) => {
            SlotState::OtherTypes
        }
        None => SlotState::Good,
    }
}
