//! Async calls that are sent, dropped, or made while the game saves.

use std::sync::{Arc, mpsc};
use std::task::{Context, Waker};
use std::time::Duration;

use archive::Result;
use archive::save::Saves;
use archive_cloud::object_store::ObjectStoreExt;
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::object_store::path::Path;
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;
use crate::faulty_store::{Fault, Faulty};
use crate::slow_values::{busy, ends};

/// Executors with several threads take the futures.
#[test]
fn futures_are_send() -> Result {
    fn is_send<T: Send>(_: T) {}
    let twin = Cloud::over(InMemory::new())?.to_async();
    let device = Device::new("desktop", &Cloud::over(InMemory::new())?);
    device.play(1);
    device.sync();
    let laptop = Device::new("laptop", &device.cloud);
    laptop.play(2);
    let (slot, both) = (laptop.slot(), laptop.diverged());
    is_send(twin.sync(&slot));
    is_send(twin.sync_all(&laptop.saves));
    is_send(twin.keep_mine(&slot, &both));
    is_send(twin.keep_theirs(&slot, &both));
    is_send(twin.keep_both(&slot, &both, &slot));
    is_send(twin.list());
    is_send(twin.meta("a"));
    is_send(twin.get("a"));
    is_send(twin.put("a", Vec::new()));
    is_send(twin.remove("a"));
    is_send((twin, slot, both));
    Ok(())
}

/// The upload has begun when the future and the last `Cloud` are dropped.
#[test]
fn a_dropped_call_continues_to_its_end() {
    let store = Faulty::new();
    let device = Device::new("desktop", &Cloud::over(InMemory::new()).unwrap());
    device.play(1);
    let (entered, enter) = mpsc::channel();
    let (release, released) = mpsc::channel();
    store.faults.meanwhile(move || {
        entered.send(()).unwrap();
        released.recv().unwrap();
    });
    store.faults.plan([Some(Fault::Meanwhile)]);
    let twin = Cloud::over(store.clone()).unwrap().to_async();
    let slot = device.slot();
    let mut sync = Box::pin(async move { twin.sync(&slot).await });
    assert!(sync.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    enter.recv_timeout(Duration::from_secs(60)).unwrap();
    drop(sync);
    release.send(()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let key = Path::from("campaign.sav");
    let is_stored = || runtime.block_on(store.store.head(&key)).is_ok();
    let arrives = |_| {
        std::thread::sleep(Duration::from_millis(10));
        is_stored()
    };
    assert!((0..3_000).any(arrives), "the call has ended");
}

/// A call of an async function returns at once, though the slot is being saved.
#[test]
fn a_call_does_not_block_during_a_save() {
    let saves = Arc::new(Saves::over(archive::save::testing::PowerCuts::new(), "saves").unwrap());
    let twin = Cloud::over(InMemory::new()).unwrap().to_async();
    let (job, gate) = busy(&saves);
    let slot = saves.slot("a").unwrap();
    let (first, second, all) = (twin.clone(), twin.clone(), saves.clone());
    let calls = ends(move || {
        let mut one = Box::pin(async move { first.sync(&slot).await });
        let mut all = Box::pin(async move { second.sync_all(&all).await });
        let mut context = Context::from_waker(Waker::noop());
        assert!(one.as_mut().poll(&mut context).is_pending());
        _ = all.as_mut().poll(&mut context);
        (one, all)
    });
    gate.open();
    job.wait().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (one, all) = runtime.block_on(async { (calls.0.await, calls.1.await) });
    assert!(matches!(one.unwrap(), Synced::Created | Synced::Equal));
    assert!(all.unwrap().iter().all(|(_, answer)| answer.is_ok()));
}
