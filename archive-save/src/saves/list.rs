//! Listing the slots.

use std::cmp::Reverse;

use archive_core::Result;

use super::folder::Folder;
use super::{Saves, Slot};

impl Saves {
    /// Returns all slots with what is known of them. Those whose contents cannot be read come first,
    /// so that they are not overlooked: any of them may be the newest. The others follow by the
    /// dates of their saves, the newest first, and where these are equal, by the numbers of
    /// autosaves and by name. Of each, the beginning and the end are read. There are none if there is
    /// no folder.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the folder cannot be read. A file that
    /// cannot is a slot that is [`SlotState::Unreadable`](super::SlotState::Unreadable).
    pub fn list(&self) -> Result<Vec<Slot>> {
        let folder = self.files()?;
        let mut slots: Vec<Slot> = folder
            .slots()
            .map(|(name, stem)| self.found_slot(name.to_owned(), &folder, stem))
            .collect();
        slots.sort_by_cached_key(|slot| (slot.is_known(), Reverse(slot.age()), slot.name.clone()));
        Ok(slots)
    }

    /// Lists the files of the slots.
    pub(super) fn files(&self) -> Result<Folder> {
        Folder::read(self.system(), &self.folder, self.is_trash)
    }
}
