//! Saves in object storage: in memory, with faults, and on a server of S3 that the tests start.

mod async_twins;
mod counting;
mod devices;
mod failing_requests;
mod faulty_store;
mod hostile_objects;
mod made_saves;
mod races;
mod refusing_stores;
mod s3;
mod s3_server;
mod second_decisions;
mod stored_saves;
mod sync_laws;
mod two_devices;
