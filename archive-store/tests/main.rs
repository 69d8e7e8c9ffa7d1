//! The object store.

mod begin;
mod depth;
mod failing_reads;
mod failing_storage;
mod game;
mod hostile_stores;
mod inline;
mod keyed;
mod marks;
mod model;
mod owners;
mod panics;
mod pools;
mod rows_owned_twice;
mod shared;
mod storage;
mod store_layout;
mod stores_of_other_programs;
mod unfit;
mod worlds_in_stores;
