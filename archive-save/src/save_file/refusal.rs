//! Saves that a program refuses: those of other games, and of newer versions of its own.

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use super::SaveFile;
use crate::meta::Meta;

/// Why a program neither loads a save nor saves over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Another game saved it.
    OtherGame,
    /// A newer version of the game saved it.
    NewerGame,
}

impl SaveFile {
    /// Returns why the save is refused, if it is.
    pub(crate) fn refusal(&self, meta: &Meta) -> Option<Refusal> {
        let own = &self.draft;
        let has_game = !own.game.is_empty();
        let has_version = has_game || own.game_version > 0;
        if has_game && own.game != meta.game {
            Some(Refusal::OtherGame)
        } else if has_version && own.game_version < meta.game_version {
            Some(Refusal::NewerGame)
        } else {
            None
        }
    }

    /// Returns an error if the save is refused.
    pub(crate) fn accept(&self, path: &Path, meta: &Meta) -> Result {
        let Some(refusal) = self.refusal(meta) else { return Ok(()) };
        let (path, own) = (path.display(), &self.draft);
        Err(match refusal {
            Refusal::OtherGame => {
                let found = match &*meta.game {
                    "" => "without the name of a game".to_owned(),
                    game => format!("of the game {game:?}"),
                };
                let message = format_args!("{path} is a save {found}, not of {:?}", own.game);
                Error::new(ErrorKind::WrongType, message)
            }
            Refusal::NewerGame => {
                let (found, own) = (meta.game_version, own.game_version);
                let message = format_args!(
                    "{path} was saved by version {found} of the game, and this is version {own}"
                );
                Error::new(ErrorKind::NewerVersion, message)
            }
        })
    }
}

/// Returns whether an error means that a save is refused, or that a later version of this library
/// saved it.
pub(super) fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NewerVersion | ErrorKind::WrongType)
}

/// Adds to the error what to do instead of replacing a save that is refused.
#[cold]
pub(super) fn instead(error: Error) -> Error {
    let message = format_args!(
        "{}; a save would replace it: delete it, or save under another name",
        error.message()
    );
    Error::new(error.kind(), message)
}
