//! Values whose saving takes as long as a test needs, and functions that may hang.

use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::time::Duration;

use archive::save::{Job, Phase, Saves};
use archive::{Archive, Format, Result, Serialize};

/// Something that opens once.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    pub(crate) fn pass(&self) {
        let open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(open, |open| !*open).unwrap());
    }
}

/// A number whose saving waits for a gate.
#[derive(Clone, Default)]
pub(crate) struct Slow(pub(crate) u32, pub(crate) Gate);

impl Serialize for Slow {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_saving() {
            self.1.pass();
        }
        ar.serialize("number", &mut self.0)
    }
}
archive::save_by_clone!(Slow);
archive::blank!(Slow);

/// Begins a save of the number 1 to the slot `a` in the background, which ends once the gate is opened.
pub(crate) fn busy(saves: &Saves) -> (Job, Gate) {
    let gate = Gate::default();
    let slot = saves.slot("a").unwrap();
    let job = slot.save_clone_in_background(&Slow(1, gate.clone()), Format::Json).unwrap();
    while job.progress().phase == Phase::Queued {
        std::thread::yield_now();
    }
    (job, gate)
}

/// Runs a function that may hang.
pub(crate) fn ends<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(run()));
    receive.recv_timeout(Duration::from_secs(60)).expect("it hangs or panics")
}
