//! Resolving a divergence: the new save continues both sides, so that the conflict does not return.

use archive::Result;
use archive::save::{Relation, relation};

use crate::call::in_thread;
use crate::failure::busy;
use crate::put::RACES;
use crate::reads::absent;
use crate::remote::Remote;
use crate::{Divergence, Local, Synced};

impl Remote {
    /// Keeps the local save, and the progress that the game has made since.
    pub async fn keep_mine(&self, local: &Local, both: &Divergence) -> Result<Synced> {
        for _ in 0..RACES {
            let (file, theirs) = (local.file.clone(), both.theirs.lineage.clone());
            let resolved = in_thread(move || -> Result<_> {
                let Some((mine, bytes)) = file.read_bytes()? else { return Ok(None) };
                match relation(&mine.lineage, &theirs) {
                    Relation::Diverged => Ok(Some(file.resolve(&bytes, &theirs)?)),
                    _ => Ok(Some(Vec::new())),
                }
            });
            let is_done = match resolved.await? {
                None => return Err(absent(&local.file.path().display().to_string())),
                // It was resolved before.
                Some(bytes) if bytes.is_empty() => true,
                Some(bytes) => self.replace(local, bytes).await?,
            };
            if is_done {
                return self.sync(local).await;
            }
        }
        Err(busy(&local.file.path().display().to_string()))
    }

    /// Keeps the save of the store.
    pub async fn keep_theirs(&self, local: &Local, both: &Divergence) -> Result<Synced> {
        if let Some(bytes) = self.theirs(local, both).await? {
            let (file, mine) = (local.file.clone(), both.mine.lineage.clone());
            let resolved = in_thread(move || file.resolve(&bytes, &mine)).await?;
            // If the game has saved since, the player has not seen that save, and decides again.
            self.replace(local, resolved).await?;
        }
        self.sync(local).await
    }

    /// Keeps the local save, and that of the store under another name.
    pub async fn keep_both(
        &self,
        local: &Local,
        both: &Divergence,
        other: &Local,
    ) -> Result<Synced> {
        let Some(bytes) = self.theirs(local, both).await? else { return self.sync(local).await };
        let file = other.file.clone();
        in_thread(move || file.save_bytes(&bytes)).await?;
        let answer = self.keep_mine(local, both).await?;
        self.sync(other).await?;
        Ok(answer)
    }

    /// Downloads the save that the player has seen. Returns `None` if the store has another one.
    async fn theirs(&self, local: &Local, both: &Divergence) -> Result<Option<Vec<u8>>> {
        match self.peek(&local.name).await? {
            Some(stored) if stored.meta.lineage == both.theirs.lineage => {
                self.download(&local.name, &stored).await
            }
            _ => Ok(None),
        }
    }
}
