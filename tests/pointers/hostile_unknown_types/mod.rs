//! `Options::keep_unknown` on harmful files, without the option, and between threads.

mod harmful_files;
mod refusals;
mod threads;

use super::unknown_types::{formats, game_and_mod, sharing};
