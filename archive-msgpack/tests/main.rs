//! The encoder and the decoder of MessagePack.

mod blocks;
mod common;
mod conformance;
mod encoder;
mod hostile;
mod layout;
mod maps;
mod memory;
mod pieces;
mod serde_oracle;
