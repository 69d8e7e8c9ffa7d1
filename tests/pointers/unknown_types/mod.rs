//! `Options::keep_unknown`: objects of types that are not registered survive.

#[path = "every_format.rs"]
mod every_format;
mod hostile;
mod refusals;
mod threads;

use every_format::{formats, model, sharing};
