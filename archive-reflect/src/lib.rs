//! What engines build reflection systems for, out of the one `serialize` function of a type.

mod any_value;
pub mod canon;
pub mod handle;
mod heap;

pub use any_value::{AnyValue, Anything, register_std};
pub use canon::{Difference, difference, equal, hash};
pub use handle::{Handle, HandleMap};
pub use heap::{HeapSize, heap_size};
