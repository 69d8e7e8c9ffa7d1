//! A moment on the game's clock.

use archive::Serialize;

/// A moment on the game's clock, which counts ticks. It is due from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Timer(u64);

impl Timer {
    /// The moment `ticks` after `now`.
    pub fn after(now: u64, ticks: u64) -> Self {
        Timer(now.saturating_add(ticks))
    }

    /// Whether the moment has come.
    pub fn is_due(self, now: u64) -> bool {
        self.0 <= now
    }

    /// How many ticks are left.
    pub fn left(self, now: u64) -> u64 {
        self.0.saturating_sub(now)
    }
}
