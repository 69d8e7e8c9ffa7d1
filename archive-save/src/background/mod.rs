//! Saves on another thread.

mod job;
mod queue;
mod task;

pub use job::{Job, Outcome, Phase, Progress};
pub use queue::{Owner, Queue};
pub use task::{Place, Task};
