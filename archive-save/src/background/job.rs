//! [`Job`]: a save on another thread.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use archive_core::{Error, ErrorKind, Result};

use super::queue::Queue;
use super::task::Place;
use crate::meta::Meta;
use crate::save_file::{Draft, SaveFile, Step, Watch};

/// A save on another thread. Dropping it changes nothing: the save goes on.
pub struct Job {
    pub(super) work: Arc<Work>,
    pub(super) queue: Arc<Queue>,
    pub(super) place: Place,
}

/// What a [`Job`] does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Other saves come first.
    Queued,
    /// It encodes the value.
    Encoding,
    /// It compresses and writes the body.
    Writing,
    /// It waits until the drive has everything.
    Syncing,
    /// It replaces the old file. It can be cancelled no more.
    Replacing,
    /// It has come to its end.
    Done,
}

const PHASES: [Phase; 6] =
    [Phase::Queued, Phase::Encoding, Phase::Writing, Phase::Syncing, Phase::Replacing, Phase::Done];

/// How far a [`Job`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What it does.
    pub phase: Phase,
    /// The bytes of the body, before compression, that are written.
    pub bytes: u64,
    /// All bytes of the body. It is 0 until the value is encoded.
    pub total: u64,
}

/// How a [`Job`] ended, if not by an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The save is there.
    Saved(Box<Meta>),
    /// A later save of the slot, or a later autosave, took its place in the queue, and is there.
    Replaced,
    /// It was cancelled. The old save is there.
    Cancelled,
}

impl Outcome {
    /// Returns what is known of the save, if it is there.
    pub fn saved(self) -> Option<Meta> {
        match self {
            Outcome::Saved(meta) => Some(*meta),
            _ => None,
        }
    }
}

impl Job {
    /// Returns how far the save is.
    pub fn progress(&self) -> Progress {
        let phase = PHASES[usize::from(self.work.phase.load(Ordering::Acquire))];
        let (bytes, total) = (&self.work.bytes, &self.work.total);
        let (bytes, total) = (bytes.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
        Progress { phase, bytes, total }
    }

    /// Returns whether the save has come to its end, so that [`wait`](Job::wait) returns at once.
    pub fn is_done(&self) -> bool {
        self.progress().phase == Phase::Done
    }

    /// Cancels the save, unless it replaces the old one already. [`wait`](Job::wait) says which it
    /// was.
    pub fn cancel(&self) {
        self.work.is_cancelled.store(true, Ordering::SeqCst);
    }

    /// Waits for the end of the save.
    ///
    /// # Errors
    /// Those of [`SaveFile::save`](crate::SaveFile::save), and that of the last one if several later
    /// saves took its place and none of them came to its end.
    ///
    /// [`ErrorKind::Unsupported`] on a thread that is itself saving, as in the function that saves a
    /// value, if this save cannot end before that one. The save is made after it.
    pub fn wait(self) -> Result<Outcome> {
        if self.queue.comes_first_here(&self.place) && !self.is_done() {
            let message = "a value that is being saved cannot wait for a save that comes after it";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let mut result = self.work.result.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = result.take() {
                return result;
            }
            result = self.work.ended.wait(result).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.progress()).finish()
    }
}

/// What a [`Job`] and the thread that saves have in common.
#[derive(Default)]
pub struct Work {
    phase: AtomicU8,
    bytes: AtomicU64,
    total: AtomicU64,
    is_cancelled: AtomicBool,
    /// Whether the save was ended because it is cancelled.
    was_ended: AtomicBool,
    result: Mutex<Option<Result<Outcome>>>,
    ended: Condvar,
}

impl Work {
    /// Encodes a value.
    ///
    /// # Errors
    /// Those of the value, and one if the save is cancelled.
    pub fn encode(&self, encode: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        self.enter(Phase::Encoding)?;
        let body = encode()?;
        self.total.store(body.len() as u64, Ordering::Relaxed);
        Ok(body)
    }

    /// Saves what was encoded.
    ///
    /// # Errors
    /// Those of the file, and one if the save is cancelled.
    pub fn save(&self, file: &SaveFile, draft: Draft, body: &[u8]) -> Result<Meta> {
        self.bytes.store(0, Ordering::Relaxed);
        file.replace(draft, self, body)
    }

    /// Returns whether the job is to end.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }

    fn enter(&self, phase: Phase) -> Result {
        if self.is_cancelled() {
            self.was_ended.store(true, Ordering::SeqCst);
            return Err(Error::custom("the save was cancelled"));
        }
        self.phase.store(phase as u8, Ordering::Release);
        Ok(())
    }

    /// Ends the job.
    pub fn end(&self, result: Result<Meta>) {
        let was_ended = self.was_ended.load(Ordering::SeqCst);
        self.end_as(match result {
            Err(_) if was_ended => Ok(Outcome::Cancelled),
            result => result.map(|meta| Outcome::Saved(Box::new(meta))),
        });
    }

    /// Ends the job with that outcome.
    pub fn end_as(&self, outcome: Result<Outcome>) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.phase.store(Phase::Done as u8, Ordering::Release);
        self.ended.notify_all();
    }
}

impl Watch for Work {
    fn next(&self, step: Step) -> Result {
        self.enter(match step {
            Step::Write(bytes) => {
                self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                Phase::Writing
            }
            Step::Sync => Phase::Syncing,
            Step::Replace => Phase::Replacing,
        })
    }
}
