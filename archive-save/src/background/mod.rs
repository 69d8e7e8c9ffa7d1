//! Saves and loads on another thread.

mod follow;
mod job;
mod load;
mod queue;
mod task;
mod work;

pub use job::{Job, Outcome, Phase, Progress};
pub use load::LoadJob;
pub use queue::{Owner, Queue};
pub use task::{Target, Task};
