//! [`Job`]: a save on another thread.

use std::fmt;
use std::sync::Arc;

use archive_core::{Error, ErrorKind, Result};

use super::queue::Queue;
use super::task::Target;
use super::work::Work;
use crate::meta::Meta;

/// A save on another thread. Dropping the job does not stop the save.
pub struct Job {
    pub(super) work: Arc<Work>,
    pub(super) queue: Arc<Queue>,
    pub(super) target: Target,
}

/// The current step of a [`Job`] or a [`LoadJob`](super::LoadJob).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// It waits for other saves.
    Queued,
    /// It encodes the value.
    Encoding,
    /// It compresses and writes the body.
    Writing,
    /// It waits until the drive has everything.
    Syncing,
    /// It replaces the old file. It can no longer be cancelled.
    Replacing,
    /// A load reads and verifies the file.
    Reading,
    /// A load has read the whole file, and decodes the value.
    Decoding,
    /// It has ended.
    Done,
}

/// The progress of a [`Job`] or a [`LoadJob`](super::LoadJob).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The current step.
    pub phase: Phase,
    /// The number of bytes written: of the body, before compression. For a load, the number of
    /// bytes of the file that were read.
    pub bytes: u64,
    /// The length of the body, or of the file. It is 0 until the value is encoded, or until the
    /// file is opened.
    pub total: u64,
}

impl Progress {
    /// Returns the share of the bytes that was written or read: from 0 to 1, and 1 at the end.
    pub fn fraction(&self) -> f64 {
        match (self.phase, self.total) {
            (Phase::Done, _) => 1.0,
            (_, 0) => 0.0,
            (_, total) => (self.bytes as f64 / total as f64).min(1.0),
        }
    }
}

/// How a [`Job`] ended, if not by an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The save was written.
    Saved(Box<Meta>),
    /// A later save of the slot, or a later autosave, took its place in the queue and was written.
    Replaced,
    /// It was cancelled. The old save is unchanged.
    Cancelled,
}

impl Outcome {
    /// Returns the metadata of the save, if it was written.
    pub fn saved(self) -> Option<Meta> {
        match self {
            Outcome::Saved(meta) => Some(*meta),
            _ => None,
        }
    }
}

impl Job {
    /// Returns the progress of the save.
    pub fn progress(&self) -> Progress {
        self.work.progress()
    }

    /// Returns whether the save has ended, so that [`wait`](Job::wait) returns at once.
    pub fn is_done(&self) -> bool {
        self.progress().phase == Phase::Done
    }

    /// Cancels the save, unless it is already replacing the old one. [`wait`](Job::wait) returns
    /// the outcome.
    pub fn cancel(&self) {
        self.work.cancel();
    }

    /// Waits for the end of the save.
    ///
    /// # Errors
    /// As [`SaveFile::save`](crate::SaveFile::save). If several later saves took its place and none
    /// of them was written, the error of the last one.
    ///
    /// [`ErrorKind::Unsupported`] on a thread that is itself saving, for example in the function
    /// that saves a value, if this save cannot end before that one. This save is then made after
    /// it.
    pub fn wait(self) -> Result<Outcome> {
        if self.queue.comes_first_here(&self.target) && !self.is_done() {
            let message = "a value that is being saved cannot wait for a later save";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.work.wait()
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.progress()).finish()
    }
}
