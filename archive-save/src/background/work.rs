//! [`Work`]: the state that a job shares with its thread.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use archive_core::{Error, Result};

use super::job::{Outcome, Phase, Progress};
use crate::meta::Meta;
use crate::save_file::{Draft, SaveFile, Stage, Watch};

/// All phases, by their numbers.
const PHASES: [Phase; 8] = [
    Phase::Queued,
    Phase::Encoding,
    Phase::Writing,
    Phase::Syncing,
    Phase::Replacing,
    Phase::Reading,
    Phase::Decoding,
    Phase::Done,
];

/// The state that a job shares with its thread. The result is an `R`.
pub struct Work<R = Outcome> {
    phase: AtomicU8,
    bytes: AtomicU64,
    total: AtomicU64,
    is_cancelled: AtomicBool,
    /// Whether the save ended because it was cancelled.
    was_ended: AtomicBool,
    result: Mutex<Option<Result<R>>>,
    ended: Condvar,
}

impl<R> Default for Work<R> {
    fn default() -> Self {
        Work {
            phase: AtomicU8::default(),
            bytes: AtomicU64::default(),
            total: AtomicU64::default(),
            is_cancelled: AtomicBool::default(),
            was_ended: AtomicBool::default(),
            result: Mutex::new(None),
            ended: Condvar::new(),
        }
    }
}

impl<R> Work<R> {
    /// Returns the progress.
    pub fn progress(&self) -> Progress {
        let phase = PHASES[usize::from(self.phase.load(Ordering::Acquire))];
        let (bytes, total) = (&self.bytes, &self.total);
        let (bytes, total) = (bytes.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
        Progress { phase, bytes, total }
    }

    /// Makes the work end as soon as possible.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::SeqCst);
    }

    /// Returns whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }

    /// Notes how many of the bytes of a file a load has read.
    pub fn read(&self, phase: Phase, bytes: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Release);
    }

    /// Ends the job with that outcome.
    pub fn end_as(&self, outcome: Result<R>) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.phase.store(Phase::Done as u8, Ordering::Release);
        self.ended.notify_all();
    }

    /// Waits for the outcome.
    ///
    /// # Errors
    /// The error of the work.
    pub fn wait(&self) -> Result<R> {
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = result.take() {
                return result;
            }
            result = self.ended.wait(result).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Work {
    /// Encodes a value.
    ///
    /// # Errors
    /// An error if the save is cancelled, and errors of the value.
    pub fn encode(&self, encode: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        self.enter(Phase::Encoding)?;
        let body = encode()?;
        self.total.store(body.len() as u64, Ordering::Relaxed);
        Ok(body)
    }

    /// Saves an encoded value.
    ///
    /// # Errors
    /// An error if the save is cancelled, and errors of the file.
    pub fn save(&self, file: &SaveFile, draft: Draft, body: &[u8]) -> Result<Meta> {
        self.bytes.store(0, Ordering::Relaxed);
        file.replace(draft, self, body)
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
}

impl Watch for Work {
    fn next(&self, step: Stage) -> Result {
        self.enter(match step {
            Stage::Write(bytes) => {
                self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                Phase::Writing
            }
            Stage::Sync => Phase::Syncing,
            Stage::Replace => Phase::Replacing,
        })
    }
}
