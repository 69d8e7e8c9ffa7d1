//! Values of a fixed number of numbers, as one block ([`archive_core::block`]): in MessagePack they
//! stand after headers and names that are always the same. A [`Plan`] is a list of what stands in front of each
//! number, so that writing a value copies that and stores the number, and reading it compares that and
//! takes the number. What does not stand in the file just so is read value by value.

mod found;
mod plan;
mod plans;
mod reading;
mod writing;

pub(crate) use found::Blocks;
pub(crate) use plan::Plan;
pub(crate) use plans::{Plans, Slot};
pub(crate) use writing::write_numbers;
