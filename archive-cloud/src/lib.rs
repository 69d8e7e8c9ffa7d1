#![doc = include_str!("../README.md")]

mod asynchronous;
mod call;
mod cloud;
mod failure;
mod folder;
mod keys;
mod limit;
mod listed;
mod local;
mod open;
mod put;
mod reads;
mod remote;
mod resolve;
mod retry;
mod sync;
mod synced;

pub use asynchronous::AsyncCloud;
pub use cloud::Cloud;
pub use listed::Listed;
pub use local::Local;
pub use object_store;
pub use synced::{Divergence, Synced};
