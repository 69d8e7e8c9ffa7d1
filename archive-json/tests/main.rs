//! The encoder and the decoder of JSON.

mod common;
mod conformance;
mod decoder;
mod encoder;
mod hostile;
mod pointers;
mod typed;
