//! [`Cloud`]: saves in a store.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use archive::Result;
use archive::save::{Meta, Saves};
use object_store::ObjectStore;
use object_store::list::PaginatedListStore;
use object_store::path::Path;

use crate::call::Worker;
use crate::remote::Remote;
use crate::retry::Retry;
use crate::{AsyncCloud, Divergence, Listed, Local, Synced};

/// The saves of a player in object storage. It is cheap to clone, and may be used from several
/// threads.
///
/// The functions block, in async code, too. [`to_async`](Cloud::to_async) returns the same functions
/// for async code.
///
/// # Errors
/// All functions return [`ErrorKind::Io`](archive::ErrorKind::Io) if the store does not answer, denies
/// the permission, or does not accept the credentials. After an error of an upload the store has the
/// old save or the new one; the next sync finds out which.
/// [`ErrorKind::Syntax`](archive::ErrorKind::Syntax) is a damaged save, and an object that is not a
/// save. [`ErrorKind::SizeLimit`](archive::ErrorKind::SizeLimit) is one that is
/// [too long](Cloud::max_size), and [`ErrorKind::Unsupported`](archive::ErrorKind::Unsupported) a save
/// without a lineage, as browsers make them, or a store that cannot replace an object only if it is
/// unchanged. No error changes the local file.
#[derive(Clone)]
pub struct Cloud {
    pub(crate) remote: Remote,
    pub(crate) worker: Arc<Worker>,
}

impl Cloud {
    /// Uses any store of `object_store`.
    ///
    /// ```
    /// use archive_cloud::Cloud;
    /// use archive_cloud::object_store::memory::InMemory;
    ///
    /// let cloud = Cloud::over(InMemory::new())?.folder("players/ann");
    /// assert!(cloud.list()?.is_empty());
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// Disable the retries of the store, since a call is [repeated](Cloud::retry) here, and its limit of
    /// time for a whole request. If the store is in a network, prefer [`open`](Cloud::open): a list
    /// of it works even if a key is malformed.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive::ErrorKind::Io) if the system has no thread.
    pub fn over(store: impl ObjectStore) -> Result<Cloud> {
        let name = store.to_string();
        Cloud::named(Arc::new(store), None, name)
    }

    pub(crate) fn named(
        store: Arc<dyn ObjectStore>,
        pages: Option<Arc<dyn PaginatedListStore>>,
        name: String,
    ) -> Result<Cloud> {
        let retry = Retry { attempts: 5, pause: Duration::from_millis(200) };
        let (folder, max_size) = (Path::default(), 256 << 20);
        let remote = Remote { store, pages, name, folder, retry, max_size };
        Ok(Cloud { remote, worker: Arc::new(Worker::new()?) })
    }

    /// Enters a folder of the store, for example that of a player.
    #[must_use]
    pub fn folder(self, path: &str) -> Cloud {
        let folder = self.remote.folder.parts().chain(Path::from(path).parts()).collect();
        self.folder_at(folder)
    }

    pub(crate) fn folder_at(mut self, folder: Path) -> Cloud {
        self.remote.folder = folder;
        self
    }

    /// Sets how often a call is made while the store does not answer or has an error of its own, and
    /// the pause after the first attempt. Each further pause is twice as long, up to ten seconds, and
    /// up to half of it is left out at random. The default is 5 attempts and 200 ms: 1.5 to 3 seconds
    /// of pauses.
    #[must_use]
    pub fn retry(mut self, attempts: u32, pause: Duration) -> Cloud {
        self.remote.retry = Retry { attempts: attempts.max(1), pause };
        self
    }

    /// Sets the maximum length of a save in bytes. Longer ones are neither uploaded nor downloaded.
    /// The default is 256 MiB.
    #[must_use]
    pub fn max_size(mut self, bytes: u64) -> Cloud {
        self.remote.max_size = bytes;
        self
    }

    /// Returns the same saves with functions for async code.
    pub fn to_async(&self) -> AsyncCloud {
        AsyncCloud(self.clone())
    }

    /// Makes both sides have the same save, if one of the two saves continues the other. A missing
    /// save is uploaded or downloaded. If both have progress that the other one lacks, nothing is
    /// changed, and the answer has both.
    ///
    /// Dates, play times and sizes play no part. A damaged local file counts as its newest good
    /// backup. A save that arrives from another device replaces the file as by
    /// [`SaveFile::save_bytes`](archive::save::SaveFile::save_bytes): the old file becomes a backup.
    ///
    /// ```
    /// use archive::Format;
    /// use archive::save::Saves;
    /// use archive_cloud::object_store::memory::InMemory;
    /// use archive_cloud::{Cloud, Synced};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// let cloud = Cloud::over(InMemory::new())?;
    /// let slot = Saves::in_folder(folder.path())?.slot("campaign")?;
    /// slot.save(&1, Format::Binary)?;
    /// assert_eq!(cloud.sync(&slot)?, Synced::Created);
    /// assert_eq!(cloud.sync(&slot)?, Synced::Equal);
    /// slot.save(&2, Format::Binary)?;
    /// assert_eq!(cloud.sync(&slot)?, Synced::Uploaded);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Also [`ErrorKind::NewerVersion`](archive::ErrorKind::NewerVersion) and
    /// [`ErrorKind::WrongType`](archive::ErrorKind::WrongType) if a newer version of the game or
    /// another game has saved one of the two, and errors of the file system.
    pub fn sync(&self, local: impl Into<Local>) -> Result<Synced> {
        let (remote, local) = (self.remote.clone(), local.into().place());
        self.worker.block(async move { remote.sync(&local).await })
    }

    /// Syncs all slots of a folder, and downloads the saves of the store that it lacks. Returns the
    /// answer for each slot, by its name. Autosaves are left out: each device has its own. A slot
    /// that was deleted on this device alone is downloaded again. Objects that no slot can have come
    /// last, each with an error.
    ///
    /// # Errors
    /// Only those of the two lists. The saves have their own answers.
    pub fn sync_all(&self, saves: &Saves) -> Result<Vec<(String, Result<Synced>)>> {
        let remote = self.remote.clone();
        let names = self.worker.block(async move { remote.names().await })?;
        let (remote, places) = (self.remote.clone(), self.remote.places(saves, names)?);
        self.worker.block(async move { Ok(remote.sync_each(places).await) })
    }

    /// Resolves a divergence by the local save, which is uploaded, with the progress that the game has
    /// made since. It continues both, so no device reports the conflict again. If another device has
    /// replaced the save of the store since, that is a new answer: [`Synced::Diverged`].
    ///
    /// After an error of the store the local save continues both, and the next sync uploads it.
    ///
    /// # Errors
    /// Also [`ErrorKind::Conflict`](archive::ErrorKind::Conflict) if one side has changed since, for
    /// example because the player has decided for the other one already, and they do not diverge now.
    pub fn keep_mine(&self, local: impl Into<Local>, both: &Divergence) -> Result<Synced> {
        let (remote, local, both) = (self.remote.clone(), local.into().place(), both.clone());
        self.worker.block(async move { remote.keep_mine(&local, &both).await })
    }

    /// Resolves a divergence by the save of the store, which is downloaded. The local file becomes a
    /// backup: load the new one before the game saves again. If one of the two was replaced since,
    /// that is a new answer: [`Synced::Diverged`].
    ///
    /// The new save continues both, and is uploaded. After an error of that the next sync uploads it.
    ///
    /// # Errors
    /// As [`keep_mine`](Cloud::keep_mine).
    pub fn keep_theirs(&self, local: impl Into<Local>, both: &Divergence) -> Result<Synced> {
        let (remote, local, both) = (self.remote.clone(), local.into().place(), both.clone());
        self.worker.block(async move { remote.keep_theirs(&local, &both).await })
    }

    /// Resolves a divergence by both saves: the local one keeps its name, and that of the store is
    /// downloaded to `other`, an empty slot. Both are uploaded, first the other one. The answer is that
    /// of the local save.
    ///
    /// # Errors
    /// As [`keep_mine`](Cloud::keep_mine), and [`ErrorKind::Conflict`](archive::ErrorKind::Conflict) if
    /// `other` has a save here or in the store. The local save and that of the store are then
    /// unchanged.
    pub fn keep_both(
        &self,
        local: impl Into<Local>,
        both: &Divergence,
        other: impl Into<Local>,
    ) -> Result<Synced> {
        let (remote, local, both) = (self.remote.clone(), local.into().place(), both.clone());
        let other = other.into().place();
        self.worker.block(async move { remote.keep_both(&local, &both, &other).await })
    }

    /// Returns all saves in the folder of the store with their metadata, in the order of their names.
    /// Of each save 4 KiB and its end are read, and a large thumbnail; up to 16 at the same time. The
    /// thumbnails have at most 64 MiB together: those of further saves are empty, and
    /// [`meta`](Cloud::meta) reads one. Objects whose keys are not those of saves come last.
    ///
    /// # Errors
    /// Only those of the list of names. A save that cannot be read has its own.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let remote = self.remote.clone();
        self.worker.block(async move { remote.list().await })
    }

    /// Returns the metadata of a save, or `None` if there is no save of that name.
    pub fn meta(&self, name: &str) -> Result<Option<Meta>> {
        let (remote, name) = (self.remote.clone(), name.to_owned());
        self.worker.block(async move { Ok(remote.peek(&name).await?.map(|stored| stored.meta)) })
    }

    /// Returns the bytes of a save, verified, or `None` if there is no save of that name. For
    /// programs without local files: [`SaveFile::from_bytes`](archive::save::SaveFile::from_bytes)
    /// loads the value.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let (remote, name) = (self.remote.clone(), name.to_owned());
        self.worker.block(async move { remote.get(&name).await })
    }

    /// Stores the bytes of a save, for example those of
    /// [`SaveFile::to_bytes`](archive::save::SaveFile::to_bytes), if they continue the stored save.
    /// The answer is [`Synced::Equal`] if the store has that save or one that continues it.
    ///
    /// A program that reads, changes and writes a save repeats that until its save was taken:
    ///
    /// ```
    /// use archive::Format;
    /// use archive::save::SaveFile;
    /// use archive_cloud::object_store::memory::InMemory;
    /// use archive_cloud::{Cloud, Synced};
    ///
    /// # let cloud = Cloud::over(InMemory::new())?;
    /// let file = SaveFile::new("server 1"); // a name for messages, other than that of other threads
    /// loop {
    ///     let visits: u32 = match cloud.get("guild")? {
    ///         Some(bytes) => file.from_bytes(&bytes)?.value,
    ///         None => 0,
    ///     };
    ///     let bytes = file.to_bytes(&(visits + 1), Format::Binary)?;
    ///     if !matches!(cloud.put("guild", bytes)?, Synced::Diverged(_)) {
    ///         break;
    ///     }
    /// }
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<Synced> {
        let (remote, name) = (self.remote.clone(), name.to_owned());
        self.worker.block(async move { remote.put(&name, bytes).await })
    }

    /// Removes a save from the store. Its lineage is not compared. A device that has it uploads it again.
    pub fn remove(&self, name: &str) -> Result {
        let (remote, name) = (self.remote.clone(), name.to_owned());
        self.worker.block(async move { remote.remove(&name).await })
    }
}

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Remote { name, folder, .. } = &self.remote;
        f.debug_struct("Cloud").field("store", name).field("folder", folder).finish_non_exhaustive()
    }
}
