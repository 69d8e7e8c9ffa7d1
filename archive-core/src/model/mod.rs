//! Facts about types and data: names, shapes, sizes, numbers, paths and errors.
//!
//! Plain data and functions of it. This layer imports no other layer.

pub mod block_size;
pub mod columns;
pub mod decimal;
pub mod error;
pub mod hash;
pub mod head;
pub mod identity;
pub mod mark;
pub mod members;
pub mod number;
pub mod os_error;
pub mod path;
pub mod put;
pub mod reserved;
pub mod scalar;
pub mod shape;
