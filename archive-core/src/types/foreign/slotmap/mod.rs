//! Slot maps, their keys, and secondary maps.

mod copied;
#[doc(hidden)]
pub mod keys;
mod layout;
mod limit;
mod maps;
mod rebuild;
mod secondary;
