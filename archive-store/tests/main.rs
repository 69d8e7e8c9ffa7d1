//! The object store.

mod begin;
mod depth;
mod failing;
mod game;
mod hostile;
mod inline;
mod keyed;
mod layout;
mod marks;
mod model;
mod owners;
mod panics;
mod pools;
mod refused;
mod shared;
mod storage;
mod support;
mod twice;
mod unfit;
mod worlds;
