//! Async code, and blocking calls inside it.

use archive::save::SaveFile;
use archive::{ErrorKind, Format, Result};
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

#[test]
fn all_functions_have_twins() -> Result {
    let cloud = Cloud::over(InMemory::new())?;
    let (desktop, laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &cloud));
    let twin = cloud.to_async();
    let play = async {
        desktop.play(1);
        assert_eq!(twin.sync(&desktop.slot()).await?, Synced::Created);
        laptop.play(2);
        let Synced::Diverged(both) = twin.sync(&laptop.slot()).await? else { panic!("diverged") };
        let other = laptop.saves.slot("other")?;
        assert_eq!(twin.keep_both(&laptop.slot(), &both, &other).await?, Synced::Uploaded);
        assert_eq!(twin.keep_mine(&laptop.slot(), &both).await?, Synced::Equal);
        // The player has decided already.
        let error = twin.keep_theirs(&laptop.slot(), &both).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict);
        let answers = twin.sync_all(&desktop.saves).await?;
        let answers: Vec<_> = answers.into_iter().map(|(name, it)| (name, it.unwrap())).collect();
        let downloaded = |name: &str| (name.to_owned(), Synced::Downloaded);
        assert_eq!(answers, [downloaded("campaign"), downloaded("other")]);
        let names = twin.list().await?.into_iter().map(|save| save.name);
        assert!(names.eq(["campaign", "other"]));
        let bytes = SaveFile::new("third").to_bytes(&3, Format::Binary)?;
        assert_eq!(twin.put("third", bytes.clone()).await?, Synced::Created);
        assert_eq!(twin.get("third").await?, Some(bytes));
        assert!(twin.meta("third").await?.is_some());
        twin.remove("third").await?;
        assert!(twin.meta("third").await?.is_none());
        Ok(())
    };
    runtime().block_on(play)
}

#[test]
fn a_blocking_call_works_inside_async_code() {
    runtime().block_on(async {
        let cloud = Cloud::over(InMemory::new()).unwrap();
        let device = Device::new("desktop", &cloud);
        device.play(1);
        assert_eq!(device.sync(), Synced::Created);
        // The last clone is dropped here, too.
    });
}

/// Without an executor of tokio.
#[test]
fn an_async_call_works_in_every_executor() {
    let cloud = Cloud::over(InMemory::new()).unwrap().to_async();
    let listed = futures_util::FutureExt::now_or_never(async { 1 });
    assert_eq!(listed, Some(1));
    let mut listed = Box::pin(async move { cloud.list().await.unwrap().len() });
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        match listed.as_mut().poll(&mut context) {
            std::task::Poll::Ready(length) => break assert_eq!(length, 0),
            std::task::Poll::Pending => std::thread::yield_now(),
        }
    }
}
