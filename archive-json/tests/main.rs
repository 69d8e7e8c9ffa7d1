//! The encoder and the decoder of JSON.

mod common;
mod decoder;
mod entry_points;
mod exact_integers;
mod hostile_json;
mod json_pointers;
mod json_test_suite;
mod same_as_serde_json;
