//! [`Pending`]: a save in the queue, and the saves whose place it took.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use archive_core::{Error, Result};

use super::job::Outcome;
use super::work::Work;
use crate::meta::Meta;

/// The function that makes a save.
type Run = Box<dyn FnOnce(&Work) -> Result<Meta> + Send>;

/// Runs a function that may panic.
pub(super) fn catch<T>(run: impl FnOnce() -> T) -> Option<T> {
    // Dropping the payload of the panic may panic, too.
    catch_unwind(AssertUnwindSafe(run)).map_err(std::mem::forget).ok()
}

/// What a save replaces. Of several queued saves with one target, only the last one is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file.
    File(PathBuf),
    /// All autosaves. Each autosave is a file of its own; without a common target they
    /// would fill the memory.
    Autosave,
}

/// A save to be made.
pub struct Task {
    work: Arc<Work>,
    run: Run,
}

impl Task {
    /// Creates a save from its function.
    pub fn new(run: impl FnOnce(&Work) -> Result<Meta> + Send + 'static) -> Task {
        Task { work: Arc::default(), run: Box::new(run) }
    }

    pub(super) fn work(&self) -> Arc<Work> {
        self.work.clone()
    }

    /// Makes the save.
    ///
    /// # Errors
    /// The error of the save, for the jobs that wait for it.
    fn run(self) -> Result {
        let Task { work, run } = self;
        let panicked = || Err(Error::custom("the value panicked while it was saved"));
        let result = catch(|| run(&work)).unwrap_or_else(panicked);
        let outcome = match &result {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::new(error.kind(), error)),
        };
        work.end(result);
        outcome
    }
}

/// The queued save of a target.
///
/// It took the place of older ones. The last of these is made if the newest fails or is cancelled.
/// Only the jobs of the others are kept, so that a game that saves faster than the drive does not
/// fill the memory.
pub struct Pending {
    pub(super) target: Target,
    newest: Task,
    older: Option<Task>,
    dropped: Vec<Arc<Work>>,
}

impl Pending {
    pub(super) fn new(target: Target, task: Task) -> Pending {
        Pending { target, newest: task, older: None, dropped: Vec::new() }
    }

    /// Queues a newer save. Returns a value that is no longer needed.
    pub(super) fn replace(&mut self, task: Task) -> Option<Task> {
        let older = std::mem::replace(&mut self.newest, task);
        if older.work.is_cancelled() && self.older.is_some() {
            older.work.cancelled();
            return Some(older);
        }
        let oldest = self.older.replace(older);
        self.dropped.extend(oldest.iter().map(|task| task.work.clone()));
        oldest
    }

    /// Adds saves that are older than these. Returns values that are no longer needed.
    pub(super) fn put_before(&mut self, before: Pending) -> Vec<Task> {
        let mut rest: Vec<Task> = before.older.into_iter().collect();
        match &self.older {
            Some(_) => rest.push(before.newest),
            None => self.older = Some(before.newest),
        }
        self.dropped.extend(before.dropped);
        self.dropped.extend(rest.iter().map(|task| task.work.clone()));
        rest
    }

    /// Makes the newest save, or if it fails, the previous one.
    pub(super) fn run(self) {
        let Pending { newest, mut older, dropped, .. } = self;
        let outcome = newest.run().or_else(|error| older.take().map_or(Err(error), Task::run));
        let rest = older.iter().map(|task| &task.work);
        rest.chain(&dropped).for_each(|work| work.replaced(&outcome));
    }

    /// Ends the jobs because a newer save was written.
    pub(super) fn replaced(self) {
        let tasks = [Some(&self.newest), self.older.as_ref()];
        let works = tasks.into_iter().flatten().map(|task| &task.work);
        works.chain(&self.dropped).for_each(|work| work.replaced(&Ok(())));
    }
}

impl Work {
    /// Ends a job whose place others took: one of them was written, or the last of them failed with
    /// this error.
    fn replaced(&self, outcome: &Result) {
        self.end_as(match outcome {
            Ok(()) => Ok(Outcome::Replaced),
            Err(error) => {
                let message =
                    format_args!("a later save took its place in the queue and failed: {error}");
                Err(Error::new(error.kind(), message))
            }
        });
    }

    fn cancelled(&self) {
        self.end_as(Ok(Outcome::Cancelled));
    }
}
