//! Resolving a divergence: the new save continues both sides, so that the conflict does not return.

use archive::Result;
use archive::save::{Lineage, Relation, relation};

use crate::call::in_thread;
use crate::failure::{busy, changed, other_name};
use crate::local::Place;
use crate::put::RACES;
use crate::reads::absent;
use crate::remote::Remote;
use crate::{Divergence, Synced};

/// The local save, compared with a divergence.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Now {
    /// It is the side that the player has seen, or continues it, and has not the other side.
    Open,
    /// The player has decided for it, and it continues both sides.
    KeptMine,
    KeptTheirs,
    /// It is another save. The player has not seen it.
    Other,
}

impl Now {
    fn of(now: &Lineage, both: &Divergence) -> Now {
        let (mine, theirs) = (&both.mine.lineage, &both.theirs.lineage);
        match (relation(now, mine), relation(now, theirs)) {
            (Relation::Equal | Relation::Ahead, Relation::Diverged) => Now::Open,
            // A resolved save continues the side that was kept.
            (Relation::Ahead, Relation::Ahead) if now.parent() == mine.id() => Now::KeptMine,
            (Relation::Ahead, Relation::Ahead) if now.parent() == theirs.id() => Now::KeptTheirs,
            _ => Now::Other,
        }
    }
}

impl Remote {
    /// Keeps the local save, and the progress that the game has made since.
    pub async fn keep_mine(&self, local: &Place, both: &Divergence) -> Result<Synced> {
        for _ in 0..RACES {
            let (file, other) = (local.file.clone(), both.clone());
            let resolved = in_thread(move || {
                let Some((mine, bytes)) = file.read_bytes()? else { return Ok(None) };
                let now = Now::of(&mine.lineage, &other);
                let resolves = now == Now::Open;
                let bytes = resolves.then(|| file.resolve(&bytes, &other.theirs.lineage));
                Ok(Some((now, bytes.transpose()?)))
            });
            let is_done = match resolved.await? {
                None => return Err(absent(&local.file.path().display().to_string())),
                Some((Now::Open, Some(bytes))) => self.replace(local, bytes).await?,
                Some((Now::KeptMine, _)) => true,
                Some(_) => return self.undecided(local).await,
            };
            if is_done {
                return self.sync(local).await;
            }
        }
        Err(busy(&local.file.path().display().to_string()))
    }

    /// Keeps the save of the store.
    pub async fn keep_theirs(&self, local: &Place, both: &Divergence) -> Result<Synced> {
        match self.now(local, both).await? {
            Now::Open => {}
            Now::KeptTheirs => return self.sync(local).await,
            Now::KeptMine | Now::Other => return self.undecided(local).await,
        }
        let Some(bytes) = self.theirs(local, both).await? else {
            return self.undecided(local).await;
        };
        let (file, mine) = (local.file.clone(), both.mine.lineage.clone());
        let resolved = in_thread(move || file.resolve(&bytes, &mine)).await?;
        // If the game has saved since, the player has not seen that save, and decides again.
        if self.replace(local, resolved).await? {
            self.sync(local).await
        } else {
            self.undecided(local).await
        }
    }

    /// Keeps the local save, and that of the store under another name.
    pub async fn keep_both(
        &self,
        local: &Place,
        both: &Divergence,
        other: &Place,
    ) -> Result<Synced> {
        match self.now(local, both).await? {
            Now::Open => {}
            Now::KeptMine => return self.sync(local).await,
            Now::KeptTheirs | Now::Other => return self.undecided(local).await,
        }
        let taken = || other_name(&self.label(&other.name));
        if other.name == local.name {
            return Err(taken());
        }
        let Some(bytes) = self.theirs(local, both).await? else {
            return self.undecided(local).await;
        };
        // Before anything is changed.
        if let Some(there) = self.peek(&other.name).await?
            && relation(&both.theirs.lineage, &there.meta.lineage) == Relation::Diverged
        {
            return Err(taken());
        }
        let file = other.file.clone();
        in_thread(move || file.save_bytes(&bytes)).await?;
        match self.sync(other).await? {
            Synced::Diverged(_) => Err(taken()),
            _ => self.keep_mine(local, both).await,
        }
    }

    /// Compares the local save with a divergence.
    async fn now(&self, local: &Place, both: &Divergence) -> Result<Now> {
        let (file, both) = (local.file.clone(), both.clone());
        let found = in_thread(move || file.read_bytes()).await?;
        match found {
            Some((meta, _)) => Ok(Now::of(&meta.lineage, &both)),
            None => Err(absent(&local.file.path().display().to_string())),
        }
    }

    /// Answers with what the player decides about now: the two sides are others. Uploads nothing.
    ///
    /// # Errors
    /// An error if they have not diverged.
    async fn undecided(&self, local: &Place) -> Result<Synced> {
        let file = local.file.clone();
        let mine = in_thread(move || file.read_bytes()).await?;
        match (mine, self.peek(&local.name).await?) {
            (Some((mine, _)), Some(stored))
                if relation(&mine.lineage, &stored.meta.lineage) == Relation::Diverged =>
            {
                Ok(Synced::diverged(mine, stored.meta))
            }
            _ => Err(changed(&self.label(&local.name))),
        }
    }

    /// Downloads the save that the player has seen. Returns `None` if the store has another one.
    async fn theirs(&self, local: &Place, both: &Divergence) -> Result<Option<Vec<u8>>> {
        match self.peek(&local.name).await? {
            Some(stored) if stored.meta.lineage == both.theirs.lineage => {
                self.download(&local.name, &stored).await
            }
            _ => Ok(None),
        }
    }
}
