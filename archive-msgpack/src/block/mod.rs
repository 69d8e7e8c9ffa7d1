//! Values that consist of a fixed number of numbers, read and written as one block
//! ([`archive_core::block`]). In MessagePack these numbers come after headers and names that are
//! always the same. A [`Plan`] lists the bytes before each number: writing a value copies these
//! bytes and appends the number, and reading it compares them and copies the number. Values whose
//! bytes differ from the plan are read one by one.
// Why: docs/decisions/json-and-messagepack.md#blocks-of-messagepack-follow-a-plan

mod found;
mod plan;
mod plans;
mod reading;
mod writing;

pub(crate) use found::Blocks;
pub(crate) use plan::Plan;
pub(crate) use plans::{Plans, Slot};
pub(crate) use writing::write_numbers;
