//! The schemas of shared objects and of trait objects.

use std::any::TypeId;

use archive_core::Value;

use super::object::Properties;
use super::values::id;
use super::{Schemas, any_of, object, text, typed};
use crate::Meta;

impl Meta {
    /// Returns the trait object type, if this is one, or a cell or `Box` around one.
    pub(crate) fn interface(&self) -> Option<TypeId> {
        self.stored().info.about.interface
    }
}

impl Schemas<'_> {
    /// Returns the schema of a shared pointer: the object with its number, only the number, or an
    /// object that is not shared.
    pub(super) fn pointer(&mut self, meta: &Meta, pointee: &Meta) -> Value {
        let mut either = Vec::new();
        if pointee.shape.is_any() {
            self.objects(pointee.interface(), meta, true, &mut either);
        } else {
            let value = self.of(pointee);
            let mut with_id = head(true, Some(typed("string")));
            with_id.add("$value", value.clone());
            with_id.require("$id");
            with_id.require("$value");
            either.extend([with_id.finish(), value]);
        }
        let mut alone = Properties::default();
        alone.add("$id", id());
        alone.add("$type", typed("string"));
        alone.add("$later", object([("const", Value::Bool(true))]));
        alone.require("$id");
        either.push(alone.finish());
        any_of(either)
    }

    /// Returns the schema of a trait object in a `Box`.
    pub(super) fn owned_object(&mut self, meta: &Meta) -> Value {
        let mut either = Vec::new();
        self.objects(meta.interface(), meta, false, &mut either);
        any_of(either)
    }

    /// Adds the schemas of the objects of a trait: one for each id. If none is known, any object
    /// with a type is accepted.
    fn objects(
        &mut self,
        interface: Option<TypeId>,
        meta: &Meta,
        shared: bool,
        either: &mut Vec<Value>,
    ) {
        let registry = self.registry;
        let known = interface.into_iter().flat_map(|interface| registry.known_as(interface));
        for (name, identity) in known {
            let value = self.of(&Meta::of_identity(identity, registry));
            either.push(object_of(shared, object([("const", text(name))]), value));
        }
        let keeps_unknown = interface.is_some_and(|interface| registry.keeps_unknown(interface));
        if either.is_empty() || keeps_unknown || meta.shape.is_any() {
            either.push(object_of(shared, typed("string"), Value::Bool(true)));
        }
    }
}

fn object_of(shared: bool, name: Value, value: Value) -> Value {
    let mut object = head(shared, Some(name));
    object.add("$value", value);
    object.require("$type");
    object.require("$value");
    object.finish()
}

/// Returns the members of a pointer without its object.
fn head(shared: bool, name: Option<Value>) -> Properties {
    let mut head = Properties::default();
    if shared {
        head.add("$id", id());
        head.add("$deferred", typed("array"));
    }
    if let Some(name) = name {
        head.add("$type", name);
    }
    head
}
