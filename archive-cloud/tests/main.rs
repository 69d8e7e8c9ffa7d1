//! Saves in object storage: in memory, with faults, and on a server of S3 that the tests start.

mod devices;
mod faults;
mod histories;
mod sync_laws;
mod two_devices;
