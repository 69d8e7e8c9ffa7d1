//! [`AsyncCloud`]: the functions of [`Cloud`] for async code.

use archive::Result;
use archive::save::{Meta, Saves};

use crate::{Cloud, Divergence, Listed, Local, Synced, folder};

/// The functions of [`Cloud`] for async code, with any executor. Their documentation is there.
///
/// Requests run on the worker of the `Cloud`. A call whose future is dropped continues to its end.
/// Creating a [`Local`] from a slot waits for the saves of the slot in the background.
///
/// ```
/// use archive::Format;
/// use archive::save::Saves;
/// use archive_cloud::object_store::memory::InMemory;
/// use archive_cloud::{Cloud, Synced};
///
/// async fn example(saves: &Saves) -> archive::Result {
///     let cloud = Cloud::over(InMemory::new())?.to_async();
///     let slot = saves.slot("campaign")?;
///     slot.save(&1, Format::Binary)?;
///     assert_eq!(cloud.sync(&slot).await?, Synced::Created);
///     assert_eq!(cloud.list().await?.len(), 1);
///     Ok(())
/// }
/// # let folder = tempfile::tempdir().unwrap();
/// # let saves = Saves::in_folder(folder.path())?;
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(example(&saves))?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AsyncCloud(pub(crate) Cloud);

impl AsyncCloud {
    /// As [`Cloud::sync`].
    pub async fn sync(&self, local: impl Into<Local>) -> Result<Synced> {
        let (remote, local) = (self.0.remote.clone(), local.into());
        self.0.worker.run(async move { remote.sync(&local).await }).await
    }

    /// As [`Cloud::sync_all`].
    pub async fn sync_all(&self, saves: &Saves) -> Result<Vec<(String, Result<Synced>)>> {
        let remote = self.0.remote.clone();
        let names = self.0.worker.run(async move { remote.names().await }).await?;
        let (remote, locals) = (self.0.remote.clone(), folder::locals(saves, &names)?);
        Ok(self.0.worker.run(async move { remote.sync_each(locals).await }).await)
    }

    /// As [`Cloud::keep_mine`].
    pub async fn keep_mine(&self, local: impl Into<Local>, both: &Divergence) -> Result<Synced> {
        let (remote, local, both) = (self.0.remote.clone(), local.into(), both.clone());
        self.0.worker.run(async move { remote.keep_mine(&local, &both).await }).await
    }

    /// As [`Cloud::keep_theirs`].
    pub async fn keep_theirs(&self, local: impl Into<Local>, both: &Divergence) -> Result<Synced> {
        let (remote, local, both) = (self.0.remote.clone(), local.into(), both.clone());
        self.0.worker.run(async move { remote.keep_theirs(&local, &both).await }).await
    }

    /// As [`Cloud::keep_both`].
    pub async fn keep_both(
        &self,
        local: impl Into<Local>,
        both: &Divergence,
        other: impl Into<Local>,
    ) -> Result<Synced> {
        let (remote, local, both) = (self.0.remote.clone(), local.into(), both.clone());
        let other = other.into();
        self.0.worker.run(async move { remote.keep_both(&local, &both, &other).await }).await
    }

    /// As [`Cloud::list`].
    pub async fn list(&self) -> Result<Vec<Listed>> {
        let remote = self.0.remote.clone();
        self.0.worker.run(async move { remote.list().await }).await
    }

    /// As [`Cloud::meta`].
    pub async fn meta(&self, name: &str) -> Result<Option<Meta>> {
        let (remote, name) = (self.0.remote.clone(), name.to_owned());
        let peeked = self.0.worker.run(async move { remote.peek(&name).await }).await?;
        Ok(peeked.map(|stored| stored.meta))
    }

    /// As [`Cloud::get`].
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let (remote, name) = (self.0.remote.clone(), name.to_owned());
        self.0.worker.run(async move { remote.get(&name).await }).await
    }

    /// As [`Cloud::put`].
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<Synced> {
        let (remote, name) = (self.0.remote.clone(), name.to_owned());
        self.0.worker.run(async move { remote.put(&name, bytes).await }).await
    }

    /// As [`Cloud::remove`].
    pub async fn remove(&self, name: &str) -> Result {
        let (remote, name) = (self.0.remote.clone(), name.to_owned());
        self.0.worker.run(async move { remote.remove(&name).await }).await
    }
}
