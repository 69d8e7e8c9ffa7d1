//! Listing the slots.

use archive_core::Result;

use super::folder::Folder;
use super::order::{Age, newest_first};
use super::{Saves, Slot};
use crate::save_file::Family;

impl Saves {
    /// Returns all slots with their metadata. Unreadable slots come first, so that they are not
    /// overlooked: any of them may be the newest. The others follow, the newest first.
    ///
    /// Of two autosaves the one with the higher number is newer. Of two other saves, the one that
    /// [continues](crate::relation) the other is newer. Dates decide between all others, and then
    /// names: the first is the save with the latest date among those to which no other one is
    /// newer, and so on. So a clock that was set back does not put a save before those that
    /// continue it.
    ///
    /// Only the beginning and the end of each save are read. A missing folder has no slots.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the folder cannot be read. The slot of an
    /// unreadable file is [`SlotState::Unreadable`](super::SlotState::Unreadable).
    pub fn list(&self) -> Result<Vec<Slot>> {
        Ok(self.found()?.into_iter().map(|(slot, _)| slot).collect())
    }

    /// Returns all slots as [`list`](Saves::list) does, each with its saves, if they can be listed.
    pub(super) fn found(&self) -> Result<Vec<(Slot, Option<Family>)>> {
        let folder = self.files()?;
        let found =
            folder.slots().map(|(name, stem)| self.found_slot(name.to_owned(), &folder, stem));
        let (known, mut found): (Vec<_>, Vec<_>) = found.partition(|(slot, _)| slot.is_known());
        found.sort_unstable_by(|first, second| first.0.name.cmp(&second.0.name));
        let ages: Vec<Age<'_>> = known.iter().map(|(slot, _)| slot.age()).collect();
        let order = newest_first(&ages);
        let mut known: Vec<Option<_>> = known.into_iter().map(Some).collect();
        found.extend(order.into_iter().filter_map(|at| known[at].take()));
        Ok(found)
    }

    /// Lists the files of the slots.
    pub(super) fn files(&self) -> Result<Folder> {
        Folder::read(self.system(), &self.folder, self.is_trash)
    }
}
