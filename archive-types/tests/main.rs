//! Schemas and records.

use archive_test_support as common;

mod equal;
mod hostile;
mod random_values;
mod record_edits;
mod record_members;
mod twins;
