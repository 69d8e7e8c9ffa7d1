//! Loading the newest save of all slots.

use std::sync::Arc;

use archive_core::{Element, Error, ErrorKind, Options, Result, Serialize};
use archive_format::Format;

use super::{Saves, Slot, SlotState};
use crate::save_file::{Loaded, Rescue};

impl Saves {
    /// Loads the newest good save of all slots: for the button "Continue". Returns `None` if there
    /// is no save of this game.
    ///
    /// Waits for the saves in the background. [`Loaded::slot`] is the name of the slot. Damaged
    /// files that are newer, or whose dates cannot be read, are skipped and listed in
    /// [`Loaded::damaged`]. They are renamed as by [`SaveFile::load`](crate::SaveFile::load) once a
    /// save is loaded. Slots of other games, of newer versions of this one and with newer versions
    /// of its types are in [`Loaded::skipped`]. [`list`](Saves::list) documents the order of saves.
    ///
    /// ```
    /// use archive::Format;
    /// use archive::save::Saves;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// let saves = Saves::in_folder(folder.path())?.game("skirmish");
    /// assert!(saves.load_newest::<u32>()?.is_none());
    /// saves.slot("campaign")?.save(&7, Format::Binary)?;
    /// let loaded = saves.load_newest::<u32>()?.unwrap();
    /// assert_eq!((loaded.value, loaded.slot.as_deref()), (7, Some("campaign")));
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// If no save is good, the error of the newest damaged one, or
    /// [`ErrorKind::NewerVersion`](archive_core::ErrorKind::NewerVersion) if there are only saves
    /// of newer versions. Only damage falls back to an older save: a value that the types refuse
    /// and an unreadable file are errors, as for [`SaveFile::load`](crate::SaveFile::load).
    pub fn load_newest<T: Element>(&self) -> Result<Option<Loaded<T>>> {
        self.load_newest_with(&Options::new())
    }

    /// As [`load_newest`](Saves::load_newest), with options.
    pub fn load_newest_with<T: Element>(&self, options: &Options<'_>) -> Result<Option<Loaded<T>>> {
        self.queue.0.wait_for_all();
        let mut rescue = Rescue::new(self.system());
        let mut skipped = Vec::new();
        let shape = <T as Serialize>::SHAPE;
        let mut decode = |format: Format, body: &[u8]| format.from_slice_with(body, options);
        for (slot, listed) in self.found()? {
            match slot.state() {
                SlotState::OtherGame | SlotState::NewerGame => skipped.push(slot),
                // This slot may be the newest.
                SlotState::Unreadable => refuse(slot)?,
                _ => {
                    let (file, listed) = (slot.file(), listed.as_ref());
                    match file.search(shape, listed, &mut rescue, options, &mut decode) {
                        Ok(Some(loaded)) => {
                            let damaged = rescue.quarantine(&slot.file(), options);
                            return Ok(Some(Loaded { damaged, skipped, ..slot.named(loaded) }));
                        }
                        Ok(None) => {}
                        Err(error) if error.kind() == ErrorKind::NewerVersion => {
                            let (state, error) = (SlotState::NewerGame, Some(Arc::new(error)));
                            skipped.push(Slot { state, error, ..slot.clone() });
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        if let Some(error) = rescue.into_error() {
            let message =
                format_args!("no save in {} can be loaded: {error}", self.folder.display());
            return Err(Error::new(error.kind(), message));
        }
        skipped.retain(|slot| slot.state() == SlotState::NewerGame);
        skipped.into_iter().try_for_each(refuse)?;
        Ok(None)
    }
}

/// Returns the error of a slot that is unreadable or refused.
fn refuse(mut slot: Slot) -> Result {
    match slot.take_error() {
        Some(error) => Err(error),
        None => slot.file.accept(slot.path(), slot.meta()),
    }
}
