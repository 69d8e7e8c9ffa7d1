//! [`Queue`]: saves that one thread makes, one after another.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, ThreadId};

use archive_core::{Error, ErrorKind, Result};

use super::job::Job;
use super::task::{Pending, Target, Task, catch};

/// The saves of one [`Saves`](crate::Saves).
///
/// Values are dropped while the state is not locked, because dropping a value may use the queue.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Something in the state has changed.
    changed: Condvar,
}

/// The owner of a queue. Dropping it waits for all saves.
#[derive(Default)]
pub struct Owner(pub Arc<Queue>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[derive(Default)]
struct State {
    /// The queued saves: at most one for each target.
    queued: VecDeque<Pending>,
    /// The saves that are running.
    running: Vec<Running>,
    is_closed: bool,
    thread: Option<JoinHandle<()>>,
}

/// A running save.
struct Running {
    target: Target,
    thread: ThreadId,
    is_in_background: bool,
    /// Whether it holds back another save, which is queued again if this one fails.
    keeps_back: bool,
}

impl State {
    /// Whether this thread is saving. It must not wait for a save then, because that may be its
    /// own.
    fn is_saving_here(&self) -> bool {
        let here = thread::current().id();
        self.running.iter().any(|running| running.thread == here)
    }

    fn is_running(&self, target: &Target, is_in_background: bool) -> bool {
        let mut running = self.running.iter();
        running.any(|one| one.target == *target && one.is_in_background == is_in_background)
    }

    fn queued(&self, target: &Target) -> Option<usize> {
        self.queued.iter().position(|queued| queued.target == *target)
    }

    /// Takes the first save whose target no other thread saves to.
    fn pop(&mut self) -> Option<Pending> {
        let at = self.queued.iter().position(|queued| !self.is_running(&queued.target, false))?;
        self.queued.remove(at)
    }

    fn begin(&mut self, target: &Target, is_in_background: bool) {
        let (target, thread) = (target.clone(), thread::current().id());
        self.running.push(Running { target, thread, is_in_background, keeps_back: false });
    }

    /// Returns the last save that this thread has begun for that target.
    fn last(&self, target: &Target) -> Option<usize> {
        let here = thread::current().id();
        self.running.iter().rposition(|running| running.thread == here && running.target == *target)
    }

    fn end(&mut self, target: &Target) {
        if let Some(at) = self.last(target) {
            self.running.remove(at);
        }
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a save. It takes the place of a queued save, which is kept in case this one fails.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if no thread can be created, or if the queue is closed.
    pub fn push(self: &Arc<Self>, target: Target, task: Task) -> Result<Job> {
        let mut state = self.state();
        if state.is_closed {
            let message = "the `Saves` of this slot was dropped";
            return Err(Error::new(ErrorKind::Io, message));
        }
        if state.thread.is_none() {
            let queue = self.clone();
            let thread = thread::Builder::new().name("saves".into()).spawn(move || queue.work());
            state.thread = Some(thread.map_err(Error::io)?);
        }
        let job = Job { work: task.work(), queue: self.clone(), target: target.clone() };
        let dropped = match state.queued(&target) {
            Some(at) => state.queued[at].replace(task),
            None => {
                state.queued.push_back(Pending::new(target, task));
                None
            }
        };
        self.changed.notify_all();
        drop(state);
        drop(dropped);
        Ok(job)
    }

    /// Waits for the running save of that target, and holds back the queued one.
    pub fn hold(&self, target: Target) -> Hold<'_> {
        let mut state = self.state();
        let may_wait = !state.is_saving_here();
        // From here on the thread begins no other save of that target.
        state.begin(&target, false);
        while may_wait && state.is_running(&target, true) {
            state = self.next(state);
        }
        let at = state.queued(&target);
        let held = at.and_then(|at| state.queued.remove(at));
        if let Some(at) = state.last(&target) {
            state.running[at].keeps_back = held.is_some();
        }
        drop(state);
        Hold { queue: self, target, held, _here: PhantomData }
    }

    /// Waits for all saves of that target.
    pub fn wait(&self, target: &Target) {
        self.wait_while(|state| state.is_running(target, true) || state.queued(target).is_some());
    }

    /// Waits for all saves.
    pub fn wait_for_all(&self) {
        self.wait_while(|state| {
            !state.queued.is_empty() || state.running.iter().any(|one| one.is_in_background)
        });
    }

    /// Whether a save of this thread comes before those of that target: this thread makes them, or
    /// holds them back.
    pub(super) fn comes_first_here(&self, target: &Target) -> bool {
        let here = thread::current().id();
        self.state().running.iter().any(|running| {
            running.thread == here && (running.is_in_background || running.target == *target)
        })
    }

    fn wait_while(&self, is_busy: impl Fn(&State) -> bool) {
        let mut state = self.state();
        while !state.is_saving_here() && is_busy(&state) {
            state = self.next(state);
        }
    }

    /// Waits for all saves, and ends the thread.
    fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let thread = state.thread.take().filter(|_| !state.is_saving_here());
        drop(state);
        self.changed.notify_all();
        if let Some(thread) = thread {
            // A task that panics does not end the thread.
            _ = thread.join();
        }
    }

    /// Makes the saves until the queue is closed and empty.
    fn work(&self) {
        let mut state = self.state();
        loop {
            let Some(pending) = state.pop() else {
                // Saves that are held back may be queued again.
                if state.is_closed && !state.running.iter().any(|running| running.keeps_back) {
                    return;
                }
                state = self.next(state);
                continue;
            };
            let target = pending.target.clone();
            state.begin(&target, true);
            drop(state);
            // Dropping a value may panic, too.
            catch(|| pending.run());
            state = self.state();
            state.end(&target);
            self.changed.notify_all();
        }
    }
}

/// A save of a target on the caller's thread. The queued save of the target is held back, and is
/// queued again if this save fails.
pub struct Hold<'q> {
    queue: &'q Queue,
    target: Target,
    held: Option<Pending>,
    /// It must end on the thread that began it.
    _here: PhantomData<*const ()>,
}

impl Hold<'_> {
    /// Notes that the save was written.
    pub fn saved(mut self) {
        if let Some(held) = self.held.take() {
            held.replaced();
        }
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.end(&self.target);
        let mut dropped = Vec::new();
        if let Some(held) = self.held.take() {
            match state.queued(&self.target) {
                Some(at) => dropped = state.queued[at].put_before(held),
                None => state.queued.push_front(held),
            }
        }
        self.queue.changed.notify_all();
        drop(state);
        drop(dropped);
    }
}
