//! [`Job`]: a save on another thread.

use std::fmt;
use std::sync::Arc;

use archive_core::{Error, ErrorKind, Result};

use super::queue::Queue;
use super::task::Place;
use super::work::Work;
use crate::meta::Meta;

/// A save on another thread. Dropping it changes nothing: the save goes on.
pub struct Job {
    pub(super) work: Arc<Work>,
    pub(super) queue: Arc<Queue>,
    pub(super) place: Place,
}

/// What a [`Job`] or a [`LoadJob`](super::LoadJob) does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Saves come first.
    Queued,
    /// It encodes the value.
    Encoding,
    /// It compresses and writes the body.
    Writing,
    /// It waits until the drive has everything.
    Syncing,
    /// It replaces the old file. It can be cancelled no more.
    Replacing,
    /// A load reads and verifies the file.
    Reading,
    /// A load has read all of the file, and decodes the value.
    Decoding,
    /// It has come to its end.
    Done,
}

/// How far a [`Job`] or a [`LoadJob`](super::LoadJob) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What it does.
    pub phase: Phase,
    /// The bytes of the body, before compression, that are written; of a load, those of the file that are
    /// read.
    pub bytes: u64,
    /// All bytes of the body, or of the file. It is 0 until the value is encoded, or the file is read.
    pub total: u64,
}

impl Progress {
    /// Returns how much of the bytes is written or read: from 0 to 1, and 1 at the end.
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
        self.work.progress()
    }

    /// Returns whether the save has come to its end, so that [`wait`](Job::wait) returns at once.
    pub fn is_done(&self) -> bool {
        self.progress().phase == Phase::Done
    }

    /// Cancels the save, unless it replaces the old one already. [`wait`](Job::wait) says which it
    /// was.
    pub fn cancel(&self) {
        self.work.cancel();
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
        self.work.wait()
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.progress()).finish()
    }
}
