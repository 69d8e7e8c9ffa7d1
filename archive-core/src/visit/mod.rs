//! The traits of values and of archives, the erased archive, and the session. These refer to each
//! other, so they are one layer.
//!
//! Imports [`state`](crate::state) and the layers below it.

pub mod archive;
pub mod blank;
pub mod block;
pub mod body;
pub(crate) mod census;
pub mod columns;
pub mod erased;
pub mod facts;
pub mod guide;
pub mod object;
pub mod only_members;
pub mod polymorphic;
pub mod restore;
pub mod serialize;
pub mod session;
pub mod start;
pub mod time;
pub mod visited;
pub mod visitor;
pub mod walk;
