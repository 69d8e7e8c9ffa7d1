//! [`Retry`]: how often, and after which pauses, a call is repeated.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use crate::failure::is_transient;

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(10);

/// How calls are repeated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retry {
    /// How often a call is made at most.
    pub attempts: u32,
    /// The pause after the first attempt. Each further one is twice as long.
    pub pause: Duration,
}

impl Retry {
    /// Makes a call, and repeats it while it fails for a reason that may pass. It must be safe to
    /// repeat: a read, or a write of the same bytes.
    pub async fn repeat<T, F: Future<Output = object_store::Result<T>>>(
        self,
        mut call: impl FnMut() -> F,
    ) -> object_store::Result<T> {
        let mut attempt = 1;
        loop {
            match call().await {
                Err(failure) if is_transient(&failure) && attempt < self.attempts => {}
                answer => return answer,
            }
            self.wait(attempt).await;
            attempt += 1;
        }
    }

    /// Waits after an attempt, for half of the pause to all of it, so that devices which failed
    /// together do not return together.
    pub async fn wait(self, attempt: u32) {
        let most = self.pause.saturating_mul(1 << (attempt - 1).min(16)).min(LONGEST);
        if !most.is_zero() {
            let part = (RandomState::new().hash_one(attempt) % 512) as u32;
            tokio::time::sleep(most / 2 + most / 1024 * part).await;
        }
    }
}
