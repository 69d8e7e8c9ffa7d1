//! Schemas and records.

use archive_test_support as common;

mod equal;
mod hostile;
mod made_hostile;
mod made_lists;
mod made_schemas;
mod random_values;
mod record_edits;
mod record_members;
mod trait_members;
mod twins;
