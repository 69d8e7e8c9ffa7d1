//! The object store.

mod game;
mod hostile;
mod inline;
mod layout;
mod model;
mod shared;
mod storage;
mod worlds;
