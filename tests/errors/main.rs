//! What errors say, and what hostile input ends in.

use archive_test_support as common;

mod by_hand;
mod detect;
mod grouped;
mod hostile;
mod kinds;
mod levels;
mod limits;
mod message;
mod names;
mod path_law;
mod paths;
mod pointers_by_hand;
mod regressions;
mod same_limits;
mod skipped;
mod stack;
mod strict_pointers;
mod twice;
mod wrong_values;
