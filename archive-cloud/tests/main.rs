//! Saves in object storage: in memory, with faults, and on a server of S3 that the tests start.

mod async_twins;
mod bad_sectors;
mod canned_server;
mod counting;
mod devices;
mod dropped_calls;
mod failing_requests;
mod faulty_store;
mod hostile_objects;
mod made_saves;
mod odd_keys;
mod races;
mod refusing_stores;
mod s3;
mod s3_server;
mod saves_without_a_number;
mod second_decisions;
mod slow_lines;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../archive-save/tests/slow_values.rs"]
mod slow_values;
mod stored_saves;
mod sync_laws;
mod sync_steps;
mod two_devices;
