//! Listing the slots.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use archive_core::Result;

use super::{Saves, Slot, name};
use crate::save_file::{Family, names_in, number};

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
        let families = self.families()?.into_iter();
        let mut slots: Vec<Slot> = families
            .map(|(stem, numbers)| {
                let path = self.folder.join(format!("{stem}{}", name::ENDING));
                let family = Family::new(&path, numbers);
                self.make_slot(name::decode(&stem).unwrap_or(stem), path, &family)
            })
            .collect();
        slots.sort_by_cached_key(|slot| (slot.is_known(), Reverse(slot.age()), slot.name.clone()));
        Ok(slots)
    }

    /// Returns the files of slots without their endings, each with the numbers of its saves.
    pub(super) fn families(&self) -> Result<BTreeMap<String, Vec<usize>>> {
        let folder = &self.folder;
        let names = names_in(self.system(), folder)?;
        let mut families = BTreeMap::<_, Vec<_>>::new();
        for name in names {
            let Some((stem, ending)) = name.rsplit_once(name::ENDING) else { continue };
            if let Some(number) = number(ending) {
                families.entry(stem.to_owned()).or_default().push(number);
            }
        }
        Ok(families)
    }
}

/// Returns the file that a slot of that name is, if a player has put it there under that very name.
pub(super) fn foreign(name: &str) -> Option<String> {
    let refused = ['/', '\\', ':', '\0'];
    let is_foreign = !name.contains(refused) && name::decode(name).is_none();
    is_foreign.then(|| format!("{name}{}", name::ENDING))
}
