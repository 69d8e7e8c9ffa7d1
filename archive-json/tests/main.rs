//! The encoder and the decoder of JSON.

mod common;
mod conformance;
mod decoder;
mod encoder;
mod hostile;
mod numbers;
mod pointers;
mod typed;
