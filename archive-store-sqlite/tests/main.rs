//! The storage in SQLite.

mod failures;
mod killed_sqlite;
mod sqlite_files;
mod sqlite_worlds;
