//! Loading from a serde `Deserializer`: the functions of types run inside its visitors.
// Why: docs/decisions/serde.md#a-load-restarts-from-a-tree

mod any;
mod choice;
mod entries;
mod file_order;
mod items;
mod kept;
mod key;
mod member_names;
mod members;
mod number;
mod object;
mod placed;
mod pointer;
mod scalar;
mod seen;
mod value;
mod visit;

pub(crate) use value::{Seed, look_elsewhere, resolve_pending};
