//! Another device changes the store between two calls of a sync.

use std::time::Duration;

use archive::Format;
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;
use crate::faulty_store::{Fault, Faulty};

/// More calls than a sync makes.
const CALLS: usize = 8;

/// Two devices over one store, and what happens before call number `call` of the first one.
/// Also returns the answer of the other device, if it came in between.
fn race(
    call: usize,
    prepare: impl Fn(&Device, &Device),
) -> (Synced, Option<Synced>, Device, Device) {
    let store = Faulty::new();
    let cloud = Cloud::over(store.clone()).unwrap().retry(2, Duration::ZERO);
    let truth = Cloud::over(store.store.clone()).unwrap();
    let (desktop, laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &truth));
    prepare(&desktop, &laptop);
    let (other, slot) = (truth.clone(), laptop.slot());
    let (send, receive) = std::sync::mpsc::channel();
    store.faults.meanwhile(move || send.send(other.sync(&slot).unwrap()).unwrap());
    let meanwhile = (0..=call).map(|at| (at == call).then_some(Fault::Meanwhile));
    store.faults.plan(meanwhile);
    let answer = desktop.sync();
    store.faults.plan([]);
    store.faults.meanwhile(|| ());
    (answer, receive.try_recv().ok(), desktop, laptop)
}

#[test]
fn two_devices_create_a_save() {
    for call in 0..CALLS {
        let (answer, other, _, laptop) = race(call, |desktop, laptop| {
            desktop.play(1);
            laptop.play(2);
        });
        match answer {
            Synced::Diverged(both) => assert_eq!(both.theirs.lineage.device(), "laptop"),
            answer => {
                // It came first, so the other one has not created the save, too.
                assert_eq!(answer, Synced::Created);
                assert!(!matches!(other, Some(Synced::Created)), "both have created it");
                laptop.diverged();
            }
        }
    }
}

#[test]
fn two_devices_continue_a_save() {
    for call in 0..CALLS {
        let (answer, other, desktop, laptop) = race(call, |desktop, laptop| {
            desktop.play(1);
            desktop.sync();
            laptop.sync();
            desktop.play(2);
            laptop.play(3);
        });
        if answer == Synced::Uploaded {
            assert!(!matches!(other, Some(Synced::Uploaded)), "both have replaced it");
            laptop.diverged();
        } else {
            assert!(matches!(answer, Synced::Diverged(_)), "{answer:?}");
        }
        assert_eq!((desktop.value(), laptop.value()), (2, 3));
    }
}

#[test]
fn a_save_is_replaced_during_a_download() {
    for call in 0..CALLS {
        let (answer, _, desktop, laptop) = race(call, |desktop, laptop| {
            laptop.play(1);
            laptop.sync();
            desktop.sync();
            laptop.play(2);
            laptop.sync();
            laptop.play(3);
        });
        assert_eq!(answer, Synced::Downloaded);
        desktop.sync();
        laptop.sync();
        desktop.sync();
        assert_eq!(desktop.value(), 3);
    }
}

/// The other save is longer or shorter, and each has its metadata in several ranges.
#[test]
fn a_save_of_another_length_takes_the_place() {
    let save = |device: &Device, length: usize| {
        let slot = device.slot();
        slot.load::<u64>().ok();
        slot.thumbnail(vec![length as u8; length]).save(&1_u64, Format::Binary).unwrap();
    };
    for (first, second) in [(5_000, 50_000), (50_000, 5_000)] {
        for call in 0..CALLS {
            let (answer, _, desktop, laptop) = race(call, |desktop, laptop| {
                save(laptop, 10);
                laptop.sync();
                desktop.sync();
                save(laptop, first);
                laptop.sync();
                save(laptop, second);
            });
            assert_eq!(answer, Synced::Downloaded);
            laptop.sync();
            desktop.sync();
            assert_eq!(desktop.slot().meta().thumbnail.len(), second);
        }
    }
}

/// Each attempt finds that another device was faster.
#[test]
fn eight_threads_count_to_160() {
    let cloud = Cloud::over(archive_cloud::object_store::memory::InMemory::new()).unwrap();
    crate::counting::eight_threads(&cloud);
}
