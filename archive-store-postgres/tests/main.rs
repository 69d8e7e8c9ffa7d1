//! The storage in PostgreSQL, against a server that the tests start. Without PostgreSQL they say that they are skipped.

mod async_calls;
mod conflicts;
mod databases;
#[allow(dead_code, reason = "the model needs a part of it")]
#[path = "../../archive-store/tests/failing_storage.rs"]
mod failing_storage;
mod games;
mod killed_servers;
mod lost_answers;
#[path = "../../archive-store/tests/model/mod.rs"]
mod model;
mod roles;
mod server;
mod server_laws;
mod server_worlds;
mod writers;
