//! Errors and their messages, also for hostile input.

use archive_test_support as common;

mod detect;
mod duplicate_keys;
mod error_paths;
mod grouped_errors;
mod hand_written_mistakes;
mod hostile;
mod kinds;
mod levels;
mod limits;
mod message_form;
mod path_law;
mod pointers_by_hand;
mod same_limits;
mod skipped_values;
mod stack;
mod strict_pointers;
mod suggested_names;
mod wrong_values;
