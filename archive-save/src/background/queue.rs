//! [`Queue`]: the saves that one thread makes, one after the other.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use archive_core::{Error, ErrorKind, Result};

use super::job::{Job, Outcome, Work};
use crate::meta::Meta;

/// What a save does.
type Run = Box<dyn FnOnce(&Work) -> Result<Meta> + Send>;

/// The place of a save in the queue. Of the saves with one place the last one is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// That of a file.
    File(PathBuf),
    /// That of all autosaves. Each is a file of its own, and without a place in common they would fill the memory.
    Autosave,
}

/// A save that is to be made.
pub struct Task {
    place: Place,
    path: PathBuf,
    work: Arc<Work>,
    run: Run,
}

impl Task {
    /// A save to a file.
    pub fn new(
        place: Place,
        path: &Path,
        run: impl FnOnce(&Work) -> Result<Meta> + Send + 'static,
    ) -> Task {
        Task { place, path: path.to_owned(), work: Arc::default(), run: Box::new(run) }
    }
}

/// The saves of one [`Saves`](crate::Saves).
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Something in the state has changed.
    changed: Condvar,
}

/// The one who owns a queue. Dropping it waits for all saves.
#[derive(Default)]
pub struct Owner(pub Arc<Queue>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[derive(Default)]
struct State {
    /// Of each place one at most.
    queued: VecDeque<Task>,
    /// What is being saved.
    running: Option<(Place, PathBuf)>,
    is_closed: bool,
    thread: Option<JoinHandle<()>>,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a save. It takes the place of one that is queued.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if there can be no thread, or no more saves.
    pub fn push(self: &Arc<Self>, task: Task) -> Result<Job> {
        let mut state = self.state();
        if state.is_closed {
            let message = "the `Saves` that the slot belongs to were dropped";
            return Err(Error::new(ErrorKind::Io, message));
        }
        if state.thread.is_none() {
            let queue = self.clone();
            let thread = thread::Builder::new().name("saves".into()).spawn(move || queue.work());
            state.thread = Some(thread.map_err(Error::io)?);
        }
        let job = Job(task.work.clone());
        match state.queued.iter_mut().find(|queued| queued.place == task.place) {
            Some(queued) => {
                let older = std::mem::replace(queued, task);
                older.work.end_as(Ok(Outcome::Replaced));
            }
            None => state.queued.push_back(task),
        }
        self.changed.notify_all();
        Ok(job)
    }

    /// Removes the save at that place from the queue, and waits for one that is under way.
    pub fn replace_and_wait(&self, place: &Place) {
        let mut state = self.state();
        if let Some(at) = state.queued.iter().position(|queued| queued.place == *place) {
            let older = state.queued.remove(at);
            older.into_iter().for_each(|older| older.work.end_as(Ok(Outcome::Replaced)));
        }
        while state.running.as_ref().is_some_and(|(running, _)| running == place) {
            state = self.next(state);
        }
    }

    /// Waits for all saves of that file.
    pub fn wait(&self, path: &Path) {
        let mut state = self.state();
        let is_busy = |state: &State| {
            state.running.as_ref().is_some_and(|(_, running)| running == path)
                || state.queued.iter().any(|queued| queued.path == path)
        };
        while is_busy(&state) {
            state = self.next(state);
        }
    }

    /// Waits for all saves.
    pub fn wait_for_all(&self) {
        let mut state = self.state();
        while state.running.is_some() || !state.queued.is_empty() {
            state = self.next(state);
        }
    }

    /// Waits for all saves, and ends the thread.
    fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let thread = state.thread.take();
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
            let Some(task) = state.queued.pop_front() else {
                if state.is_closed {
                    return;
                }
                state = self.next(state);
                continue;
            };
            state.running = Some((task.place, task.path));
            drop(state);
            let (run, work) = (task.run, task.work);
            let result = catch_unwind(AssertUnwindSafe(|| run(&work)));
            let panicked = |_| Err(Error::custom("the value panicked while it was saved"));
            work.end(result.unwrap_or_else(panicked));
            state = self.state();
            state.running = None;
            self.changed.notify_all();
        }
    }
}
