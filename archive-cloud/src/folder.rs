//! All saves in the folder of a store, and those of a folder of this device.

use std::collections::BTreeMap;

use archive::Result;
use archive::save::{SaveFile, Saves};
use futures_util::{StreamExt, stream};
use object_store::ObjectStoreExt;

use crate::call::in_thread;
use crate::failure::{busy, explain, not_a_slot};
use crate::limit::within;
use crate::local::Place;
use crate::put::{Attempts, RACES};
use crate::reads::absent;
use crate::remote::{Name, Remote};
use crate::{Listed, Local, Synced};

/// How many saves are read or synced at the same time.
const PARALLEL: usize = 16;
/// How many saves are uploaded or downloaded at the same time. Each is in memory.
const PARALLEL_SYNCS: usize = 4;
/// The maximum number of bytes of all thumbnails in a list.
const THUMBNAILS: usize = 64 << 20;

impl Remote {
    /// Returns the saves with their metadata, each read by ranges.
    pub async fn list(&self) -> Result<Vec<Listed>> {
        let peeked =
            stream::iter(self.names().await?).map(|Name { name, size, error }| async move {
                let meta = match error {
                    Some(error) => Err(error),
                    None => match self.peek(&name).await {
                        Ok(Some(stored)) => Ok(stored.meta),
                        Ok(None) => Err(absent(&self.label(&name))),
                        Err(error) => Err(error),
                    },
                };
                Listed { name, size, meta }
            });
        let (mut peeked, mut listed) = (peeked.buffered(PARALLEL), Vec::new());
        let mut room = THUMBNAILS;
        while let Some(mut save) = peeked.next().await {
            if let Ok(meta) = &mut save.meta {
                match room.checked_sub(meta.thumbnail.len()) {
                    Some(rest) => room = rest,
                    None => meta.thumbnail = Vec::new(),
                }
            }
            listed.push(save);
        }
        Ok(listed)
    }

    /// Syncs several saves.
    pub async fn sync_each(&self, places: Places) -> Synceds {
        let synced = stream::iter(places).map(|(name, place)| async move {
            let answer = match place {
                Ok(place) => self.sync(&place).await,
                Err(error) => Err(error),
            };
            (name, answer)
        });
        synced.buffered(PARALLEL_SYNCS).collect().await
    }

    /// Returns the bytes of a save, verified.
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let mut attempts = Attempts::new(self, name);
        for _ in 0..RACES {
            let Some(stored) = self.peek(name).await? else { return Ok(None) };
            match self.download(name, &stored).await? {
                Some(bytes) => {
                    let verify = move || SaveFile::verify_bytes(&bytes).map(|_| Some(bytes));
                    return in_thread(verify).await;
                }
                None => attempts.raced(Some(&stored)).await?,
            }
        }
        Err(busy(&self.label(name)))
    }

    /// Removes a save.
    pub async fn remove(&self, name: &str) -> Result {
        let key = self.key(name)?;
        match self.retry.repeat(|| within(0, self.store.delete(&key))).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(failure) => Err(explain("remove", &self.label(name), failure)),
        }
    }

    /// Returns the slots of a folder, and those of the names in the store, in the order of their
    /// names. Autosaves are left out.
    pub fn places(&self, saves: &Saves, names: Vec<Name>) -> Result<Places> {
        let mut places = BTreeMap::new();
        for slot in saves.list()?.iter().filter(|slot| !slot.is_autosave()) {
            places.insert(slot.name().to_owned(), Ok(Local::from(slot).place()));
        }
        let (mut rest, mut odd) = (Vec::new(), Vec::new());
        for Name { name, error, .. } in names {
            match error {
                Some(error) => odd.push((name, Err(error))),
                None if places.contains_key(&name) => {}
                None => rest.push(name),
            }
        }
        for (slot, name) in saves.slots(rest.iter().map(|name| &**name))?.into_iter().zip(&rest) {
            let place = match slot {
                Ok(slot) if slot.is_autosave() => continue,
                Ok(slot) if slot.name() == name => Ok(Local::from(&slot).place()),
                Ok(_) => Err(not_a_slot(&self.label(name))),
                Err(error) => Err(error),
            };
            places.insert(name.clone(), place);
        }
        Ok(places.into_iter().chain(odd).collect())
    }
}

/// The slots of several syncs, each by its name.
pub(crate) type Places = Vec<(String, Result<Place>)>;
/// The answers of several syncs, by the name of the slot.
pub(crate) type Synceds = Vec<(String, Result<Synced>)>;
