//! LDtk's file format, typed: what a `.ldtk` file holds, member for member, as version 1.5.3 and
//! version 0.9.3 of the editor write it.
//!
//! Member names and their meaning are those of <https://ldtk.io/json>. Where an older version had a
//! different member for the same thing, both are here, and readers look at the newer one first.

mod definitions;
mod entity;
mod entity_def;
mod field;
mod field_def;
mod field_type;
mod file;
mod layer;
mod layer_def;
mod level;
mod project;
mod rule;
mod tile_rect;
mod tileset_def;
mod world_node;

pub use definitions::*;
pub use entity::*;
pub use entity_def::*;
pub use field::*;
pub use field_def::*;
pub use field_type::*;
pub use file::*;
pub use layer::*;
pub use layer_def::*;
pub use level::*;
pub use project::*;
pub use rule::*;
pub use tile_rect::*;
pub use tileset_def::*;
pub use world_node::*;
