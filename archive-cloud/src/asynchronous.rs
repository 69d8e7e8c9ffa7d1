//! [`AsyncCloud`]: the functions of [`Cloud`] for async code.

use std::sync::Arc;

use archive::Result;
use archive::save::{Meta, Saves};

use crate::call::in_thread;
use crate::local::Place;
use crate::{Cloud, Divergence, Listed, Local, Synced};

/// The functions of [`Cloud`] for async code, with any executor. Their documentation is there.
///
/// Requests and files are on threads of the `Cloud`, so no call blocks. A call whose future is dropped
/// continues to its end, even if the last `Cloud` is dropped, too.
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
        self.0.worker.run(async move { remote.sync(&place(local).await?).await }).await
    }

    /// As [`Cloud::sync_all`]. The folder is read on a thread of the `Cloud`, which shares `saves`.
    pub async fn sync_all(&self, saves: &Arc<Saves>) -> Result<Vec<(String, Result<Synced>)>> {
        let (remote, saves) = (self.0.remote.clone(), saves.clone());
        let call = async move {
            let (names, places) = (remote.names().await?, remote.clone());
            let places = in_thread(move || places.places(&saves, names)).await?;
            Ok(remote.sync_each(places).await)
        };
        self.0.worker.run(call).await
    }

    /// As [`Cloud::keep_mine`].
    pub async fn keep_mine(&self, local: impl Into<Local>, both: &Divergence) -> Result<Synced> {
        let (remote, local, both) = (self.0.remote.clone(), local.into(), both.clone());
        let call = async move { remote.keep_mine(&place(local).await?, &both).await };
        self.0.worker.run(call).await
    }

    /// As [`Cloud::keep_theirs`].
    pub async fn keep_theirs(&self, local: impl Into<Local>, both: &Divergence) -> Result<Synced> {
        let (remote, local, both) = (self.0.remote.clone(), local.into(), both.clone());
        let call = async move { remote.keep_theirs(&place(local).await?, &both).await };
        self.0.worker.run(call).await
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
        let call = async move {
            remote.keep_both(&place(local).await?, &both, &place(other).await?).await
        };
        self.0.worker.run(call).await
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

/// Returns the file of a save, after the saves of the slot in the background.
async fn place(local: Local) -> Result<Place> {
    in_thread(move || Ok(local.place())).await
}
