//! The lean path: a whole file whose types are known from the start and equal to those of the
//! program, without pointers, trait objects, hand-written functions or values that describe
//! themselves. Nothing is left to decide then, so [`Writer`] and [`Reader`] decide nothing: they
//! write and read the same bytes as the encoder and the decoder around them, which handle all the rest.

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

use archive_core::{Error, ErrorKind};

/// A type saves or loads something that it does not say it is made of.
#[cold]
fn cannot(what: &str) -> Error {
    let message = format_args!("the type is said to hold no such thing as {what}");
    Error::new(ErrorKind::Unsupported, message)
}
