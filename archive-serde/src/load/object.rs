//! Objects: by name, or by place.

use archive_core::bridge;
use archive_core::{Archive, Body, Class, Number, Result, Value};
use serde::de::{MapAccess, SeqAccess};

use super::members::{Named, Placed};
use super::visit::{Wanted, first_key};
use crate::shared::{Shared, Tree};
use crate::tree::{gather_map, gather_seq, is_pointer_name};

/// An object is wanted.
pub(crate) struct Object<'b, B> {
    pub(crate) class: &'static Class,
    pub(crate) body: &'b mut B,
}

impl<B: Body> Wanted for Object<'_, B> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        shared.load_tree(tree, |ar| ar.object(self.class, self.body))
    }

    fn map<'de, A: MapAccess<'de>>(self, map: A, shared: &mut Shared<'_>) -> Result {
        let (first, map) = first_key(map, shared)?;
        let name = match first {
            None => None,
            Some(Value::Str(name)) if !is_pointer_name(&name) => Some(name),
            first => {
                let tree = gather_map(first, map, shared)?;
                return self.tree(tree, shared);
            }
        };
        let Object { class, body } = self;
        let noticed = enter(shared)?;
        let mut members = Named::new(map, name, class, shared);
        let version = members.read_version().map_err(|error| error.in_class(class))?;
        let run = inside(class, version, &mut members, body);
        run.and_then(|()| members.close()).map_err(|error| error.in_class(class))?;
        leave(shared, noticed);
        Ok(())
    }

    fn seq<'de, A: SeqAccess<'de>>(self, seq: A, shared: &mut Shared<'_>) -> Result {
        let Object { class, body } = self;
        if !shared.manner.arrays && shared.manner.describes {
            let tree = gather_seq(seq, shared)?;
            return Object { class, body }.tree(tree, shared);
        }
        let noticed = enter(shared)?;
        let mut members = Placed::new(seq, shared);
        // In files that name their members an array is one of the version 0.
        let version = if members.has_versions() && class.version != 0 {
            members.read_version().map_err(|error| error.in_class(class))?
        } else {
            0
        };
        let run = inside(class, version, &mut members, body);
        run.and_then(|()| members.close()).map_err(|error| error.in_class(class))?;
        leave(shared, noticed);
        Ok(())
    }
}

fn enter(shared: &mut Shared<'_>) -> Result<bridge::Since> {
    shared.session.enter(shared.options)?;
    Ok(bridge::noticed(shared.session))
}

fn leave(shared: &mut Shared<'_>, noticed: bridge::Since) {
    bridge::leave_class(shared.session, noticed);
    shared.session.leave();
}

/// Runs the function on the members.
fn inside<A: Archive, B: Body>(
    class: &'static Class,
    version: u32,
    members: &mut A,
    body: &mut B,
) -> Result {
    bridge::check_version(class, version)?;
    let outer = members.session_mut().set_version(version);
    body.run(members)?;
    members.session_mut().set_version(outer);
    Ok(())
}

/// A version as a value.
pub(crate) fn version_of(value: &Value) -> Result<u32> {
    match value {
        Value::Number(number) => number.to_integer(),
        _ => Number::F64(f64::NAN).to_integer(),
    }
}
