//! All saves in the folder of a store, and those of a folder of this device.

use std::collections::BTreeMap;

use archive::Result;
use archive::save::{Saves, Slot};
use futures_util::{StreamExt, stream};
use object_store::ObjectStoreExt;

use crate::failure::explain;
use crate::reads::absent;
use crate::remote::Remote;
use crate::{Listed, Local, Synced};

/// How many saves are read or synced at the same time.
const PARALLEL: usize = 16;
/// How many saves are uploaded or downloaded at the same time. Each is in memory.
const PARALLEL_SYNCS: usize = 4;

impl Remote {
    /// Returns the names and lengths of the saves, in the order of the names.
    pub async fn names(&self) -> Result<Vec<(String, u64)>> {
        let folder = (!self.folder.as_ref().is_empty()).then_some(&self.folder);
        let listed = self.retry.repeat(|| self.store.list_with_delimiter(folder)).await;
        let listed = listed.map_err(|failure| explain("list", &self.name, failure))?;
        let named =
            listed.objects.iter().filter_map(|at| Some((self.name_of(&at.location)?, at.size)));
        let mut names: Vec<_> = named.collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Returns the saves with their metadata, each read by ranges.
    pub async fn list(&self) -> Result<Vec<Listed>> {
        let peeked = stream::iter(self.names().await?).map(|(name, size)| async move {
            let meta = match self.peek(&name).await {
                Ok(Some(stored)) => Ok(stored.meta),
                Ok(None) => Err(absent(&self.label(&name))),
                Err(error) => Err(error),
            };
            Listed { name, size, meta }
        });
        Ok(peeked.buffered(PARALLEL).collect().await)
    }

    /// Syncs several saves.
    pub async fn sync_each(&self, locals: Vec<(String, Result<Local>)>) -> Synceds {
        let synced = stream::iter(locals).map(|(name, local)| async move {
            let answer = match local {
                Ok(local) => self.sync(&local).await,
                Err(error) => Err(error),
            };
            (name, answer)
        });
        synced.buffered(PARALLEL_SYNCS).collect().await
    }

    /// Returns the bytes of a save, verified.
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        for _ in 0..crate::put::RACES {
            let Some(stored) = self.peek(name).await? else { return Ok(None) };
            if let Some(bytes) = self.download(name, &stored).await? {
                archive::save::SaveFile::verify_bytes(&bytes)?;
                return Ok(Some(bytes));
            }
        }
        Err(crate::failure::busy(&self.label(name)))
    }

    /// Removes a save.
    pub async fn remove(&self, name: &str) -> Result {
        let key = self.key(name)?;
        match self.retry.repeat(|| self.store.delete(&key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(failure) => Err(explain("remove", &self.label(name), failure)),
        }
    }
}

/// The answers of several syncs, by the name of the slot.
pub(crate) type Synceds = Vec<(String, Result<Synced>)>;

/// Returns the slots of a folder, and those of the names in a store, in the order of their names.
/// Autosaves are left out.
pub(crate) fn locals(
    saves: &Saves,
    names: &[(String, u64)],
) -> Result<Vec<(String, Result<Local>)>> {
    let mut locals = BTreeMap::new();
    for slot in saves.list()?.iter().filter(|slot| !slot.is_autosave()) {
        locals.insert(slot.name().to_owned(), Ok(Local::from(slot)));
    }
    for (name, _) in names {
        if locals.contains_key(name) {
            continue;
        }
        match saves.slot(name) {
            Ok(slot) if is_other(&slot, name) => {}
            Ok(slot) => _ = locals.insert(name.clone(), Ok(Local::from(&slot))),
            Err(error) => _ = locals.insert(name.clone(), Err(error)),
        }
    }
    Ok(locals.into_iter().collect())
}

/// Whether the slot has another name than the object, or is an autosave.
fn is_other(slot: &Slot, name: &str) -> bool {
    slot.name() != name || slot.is_autosave()
}
