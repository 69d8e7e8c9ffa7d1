//! The object store.

mod game;
mod inline;
mod model;
mod storage;
