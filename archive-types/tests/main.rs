//! Schemas and records.

use archive_test_support as common;

mod edits;
mod equal;
mod hostile;
mod members;
mod random;
mod twins;
