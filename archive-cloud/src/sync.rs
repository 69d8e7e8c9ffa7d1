//! A sync: the lineages of the two saves decide what is done.

use archive::save::{Lineage, Meta, Relation, SaveFile, is_damage, relation};
use archive::{ErrorKind, Result};
use object_store::PutPayload;

use crate::Synced;
use crate::call::in_thread;
use crate::failure::busy;
use crate::local::Place;
use crate::put::{Attempts, RACES, Sent, number};
use crate::reads::Stored;
use crate::remote::Remote;

/// The local save.
enum Mine {
    Nothing,
    /// It is the stored one.
    Equal,
    Save(Box<Meta>, Vec<u8>),
}

impl Remote {
    /// Makes both sides have the save that continues the other one.
    pub async fn sync(&self, local: &Place) -> Result<Synced> {
        let name = &*local.name;
        let label = self.label(name);
        let mut attempts = Attempts::new(self, name);
        for _ in 0..RACES {
            let stored = self.peek(name).await?;
            if let Some(stored) = &stored {
                number(&stored.meta, &label)?;
            }
            let theirs = stored.as_ref().map(|stored| stored.meta.lineage.clone());
            let file = local.file.clone();
            let mine = in_thread(move || read(&file, theirs.as_ref())).await?;
            let (meta, bytes, stored) = match (mine, stored) {
                (Mine::Equal, stored) => {
                    let id = stored.map_or(0, |stored| stored.meta.lineage.id());
                    return Ok(attempts.sent(id).unwrap_or(Synced::Equal));
                }
                (Mine::Nothing, None) => return Ok(Synced::Equal),
                (Mine::Nothing, Some(stored)) => {
                    match self.take(local, &stored, &mut attempts).await? {
                        true => return Ok(Synced::Downloaded),
                        false => continue,
                    }
                }
                (Mine::Save(meta, bytes), stored) => (meta, bytes, stored),
            };
            let id = number(&meta, &local.file.path().display().to_string())?;
            if let Some(stored) = &stored {
                match relation(&meta.lineage, &stored.meta.lineage) {
                    Relation::Ahead => {}
                    // The file is damaged, and a backup is the stored save, or an older one.
                    Relation::Equal | Relation::Behind => {
                        match self.take(local, stored, &mut attempts).await? {
                            true => return Ok(Synced::Downloaded),
                            false => continue,
                        }
                    }
                    Relation::Diverged => {
                        return Ok(Synced::diverged(*meta, stored.meta.clone()));
                    }
                }
            }
            let bytes = PutPayload::from(bytes);
            if let (Sent::Done, answer) = attempts.send(id, bytes, stored.as_ref()).await? {
                return Ok(answer);
            }
        }
        Err(busy(&label))
    }

    /// Downloads a save, and replaces the local one. Returns `false` if one of the two has changed
    /// meanwhile.
    async fn take(
        &self,
        local: &Place,
        stored: &Stored,
        attempts: &mut Attempts<'_>,
    ) -> Result<bool> {
        match self.download(&local.name, stored).await? {
            Some(bytes) => self.replace(local, bytes).await,
            None => attempts.raced(Some(stored)).await.map(|()| false),
        }
    }

    /// Replaces the local save by one that continues it. Returns `false` if it does not.
    pub async fn replace(&self, local: &Place, bytes: Vec<u8>) -> Result<bool> {
        let file = local.file.clone();
        match in_thread(move || file.save_bytes(&bytes)).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::Conflict => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Reads the local save, and verifies it.
fn read(file: &SaveFile, theirs: Option<&Lineage>) -> Result<Mine> {
    let is_theirs =
        |meta: &Meta| theirs.is_some_and(|it| relation(&meta.lineage, it) == Relation::Equal);
    match file.read_bytes() {
        // Not only a backup is the stored save.
        Ok(Some((meta, _)))
            if is_theirs(&meta) && file.meta().is_ok_and(|meta| is_theirs(&meta)) =>
        {
            Ok(Mine::Equal)
        }
        Ok(Some((meta, bytes))) => Ok(Mine::Save(Box::new(meta), bytes)),
        Ok(None) => Ok(Mine::Nothing),
        // The stored save replaces it, and the damaged file is kept under another name.
        Err(error) if is_damage(&error) && theirs.is_some() => Ok(Mine::Nothing),
        Err(error) => Err(error),
    }
}
