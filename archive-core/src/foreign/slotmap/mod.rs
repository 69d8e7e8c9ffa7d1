//! Slot maps and their keys, secondary maps.

#[doc(hidden)]
pub mod keys;
mod layout;
mod limit;
mod maps;
mod rebuild;
mod secondary;
