//! `Options::keep_unknown` with malicious files, without the option, and between threads.

mod harmful_files;
mod refusals;
mod threads;

use super::unknown_types::{formats, game_and_mod, sharing};
