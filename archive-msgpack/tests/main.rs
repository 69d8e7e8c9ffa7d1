//! The encoder and the decoder of MessagePack.

mod common;
mod hostile_msgpack;
mod input_in_pieces;
mod maps;
mod memory;
mod msgpack_layout;
mod msgpack_test_suite;
mod planned_structs;
mod serde_oracle;
mod smallest_forms;
