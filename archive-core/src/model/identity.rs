//! [`Identity`]: the concrete type of an object.

use std::any::TypeId;
use std::sync::Arc;

use super::shape::{Shape, TypeInfo};

/// The concrete type of an object, without its pointer, cell and trait object.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The type.
    pub type_id: TypeId,
    /// The name of the type.
    pub type_name: &'static str,
    /// The shape of the type.
    pub shape: &'static Shape,
    /// The type in memory.
    pub info: &'static TypeInfo,
    /// Whether objects of the type represent objects of types that the program does not know, and
    /// so have type ids of their own.
    pub is_fallback: bool,
    /// The type id of the object itself, which replaces the registered one.
    pub own_id: Option<Arc<str>>,
}
