#![doc = include_str!("../README.md")]

mod commit;
mod conflict;
mod connection;
mod copy_in;
mod database;
mod failure;
mod reads;
mod schema;
mod storage;

pub use conflict::Conflict;
pub use database::{Database, SaveInfo};
pub use storage::Postgres;
