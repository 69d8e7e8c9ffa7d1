//! Files of older programs in newer ones.

use archive_test_support as common;

mod campaign_v1;
mod changes;
mod ldtk;
mod matrix;
mod old_members;
mod schema;
mod skirmish;
mod skirmish_v1;
