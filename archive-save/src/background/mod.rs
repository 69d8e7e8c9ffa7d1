//! Saves on another thread.

mod job;
mod queue;

pub use job::{Job, Outcome, Phase, Progress};
pub use queue::{Owner, Place, Queue, Task};
