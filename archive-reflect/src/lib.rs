//! What engines build reflection systems for, out of the one `serialize` function of a type.

mod any_value;
pub mod handle;

pub use any_value::{AnyValue, Anything, register_std};
pub use handle::{Handle, HandleMap};
