//! [`SlotState`]: what is known of a slot without loading it.

use std::fmt;

use archive_core::{Error, ErrorKind};

use crate::fault;
use crate::meta::Meta;
use crate::save_file::{self, Family, Refusal, SaveFile};

/// What a list says of a slot before anyone loads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotState {
    /// There is no save.
    Empty,
    /// Head and end are as they were written. The body is verified when it is loaded, and by
    /// [`SaveFile::verify`](crate::SaveFile::verify).
    Good,
    /// The file is damaged, or is missing though there are backups. What is known is that of the
    /// [backup](crate::Slot::falls_back) that a load takes.
    Damaged,
    /// The system does not let the file be read: the process may not, or another program has it. It
    /// may be good. A load is an error, and no backup is loaded.
    Unreadable,
    /// A newer version of the game or of this library saved it. This one refuses to load it and to
    /// save over it.
    NewerGame,
    /// Another game saved it. This one refuses to load it and to save over it.
    OtherGame,
    /// Other types were saved than those of [`Saves::types`](crate::Saves::types). They load by the
    /// names of their members; a [report](archive_core::Options::report) says what differs.
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

/// What a look at the files of a slot has found.
pub struct Look {
    pub state: SlotState,
    pub meta: Meta,
    pub falls_back: Option<usize>,
    pub error: Option<Error>,
}

impl Look {
    /// The files cannot be found: a symbolic link leads to where the process may not look.
    pub fn unreadable(error: Error) -> Look {
        let (state, error) = (SlotState::Unreadable, Some(error));
        Look { state, meta: Meta::default(), falls_back: None, error }
    }

    /// Looks at the newest save, and where it is damaged, at older ones. The program expects what
    /// `file` says, and these types.
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
                        // A load says that, and not which newer one is damaged.
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
                    // That of a load.
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
