//! [`Writer`] and [`Reader`]: a file as an object with named roots.

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

use crate::model::shape::{Class, Shape};

/// The class of a file with named roots. Formats that do not store such a file as an object
/// recognize it by its address.
pub static ROOTS: Class = Class::data("root");
static SHAPE: Shape = Shape::Class(&ROOTS);
