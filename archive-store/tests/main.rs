//! The object store.

mod beginning_stores;
mod depth;
mod failing_reads;
mod failing_storage;
mod game;
mod hostile_stores;
mod keyed;
mod last_saves;
mod model;
mod panics;
mod pools;
mod refused_rows;
mod rows_owned_twice;
mod several_worlds;
mod shared_objects;
mod snapshots;
mod storage;
mod store_layout;
mod stores_of_other_programs;
mod without_a_store;
mod worlds_in_stores;
