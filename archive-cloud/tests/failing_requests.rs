//! Each request fails, or its answer is lost.

use std::time::Duration;

use archive::ErrorKind;
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;
use crate::faulty_store::{Fault, Faulty};

/// More calls than an operation makes.
const CALLS: usize = 12;

/// What a device does, with the other one.
type Prepare = fn(&Device, &Device);

const CASES: [(&str, Prepare); 3] = [
    ("create", |desktop, _| desktop.play(1)),
    ("upload", |desktop, _| {
        desktop.play(1);
        desktop.sync();
        desktop.play(2);
    }),
    ("download", |desktop, laptop| {
        desktop.play(1);
        desktop.sync();
        laptop.sync();
        laptop.play(2);
        laptop.sync();
    }),
];

fn run(
    attempts: u32,
    faults: [Option<Fault>; CALLS],
    case: Prepare,
) -> (archive::Result<Synced>, Device) {
    let store = Faulty::new();
    let cloud = Cloud::over(store.clone()).unwrap().retry(attempts, Duration::ZERO);
    let (desktop, laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &cloud));
    case(&desktop, &laptop);
    store.faults.plan(faults);
    let answer = cloud.sync(&desktop.slot());
    store.faults.plan([]);
    (answer, desktop)
}

fn at(call: usize, fault: Fault) -> [Option<Fault>; CALLS] {
    std::array::from_fn(|at| (at == call).then_some(fault))
}

const FAULTS: [Fault; 3] = [Fault::Fails, Fault::Lost, Fault::Late(1)];

/// A call is repeated, and a lost answer is found in the store.
#[test]
fn a_fault_is_not_seen() {
    for (name, case) in CASES {
        let expected = run(3, [None; CALLS], case).0.unwrap();
        for call in 0..CALLS {
            for fault in FAULTS {
                let (answer, desktop) = run(3, at(call, fault), case);
                assert_eq!(answer.unwrap(), expected, "{name}, call {call}, {fault:?}");
                assert_eq!(desktop.sync(), Synced::Equal);
            }
        }
    }
}

/// Without repetition it is an error, and the next sync does the rest.
#[test]
fn a_fault_is_an_error() {
    for (name, case) in CASES {
        let mut errors = 0;
        for call in 0..CALLS {
            for fault in FAULTS {
                let (answer, desktop) = run(1, at(call, fault), case);
                if let Err(error) = answer {
                    errors += 1;
                    assert_eq!(error.kind(), ErrorKind::Io, "{name}");
                    let message = error.message();
                    assert!(
                        message.contains("the save `campaign` in a faulty store: "),
                        "{message}"
                    );
                    assert!(message.contains("the connection was lost"), "{message}");
                }
                desktop.sync();
                assert_eq!(
                    (desktop.sync(), desktop.value()),
                    (Synced::Equal, if name == "create" { 1 } else { 2 })
                );
            }
        }
        assert!(errors >= 6, "{errors}");
    }
}

#[test]
fn a_store_that_never_answers() {
    let store = Faulty::new();
    let cloud = Cloud::over(store.clone()).unwrap().retry(2, Duration::ZERO);
    let device = Device::new("desktop", &cloud);
    device.play(1);
    store.faults.plan([Some(Fault::Fails); 100]);
    let io = |error: archive::Error| assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    io(cloud.sync(&device.slot()).unwrap_err());
    io(cloud.list().unwrap_err());
    io(cloud.meta("campaign").unwrap_err());
    io(cloud.get("campaign").unwrap_err());
    io(cloud.sync_all(&device.saves).unwrap_err());
    // The game plays on.
    device.play(2);
    store.faults.plan([]);
    assert_eq!((device.sync(), device.value()), (Synced::Created, 2));
}
