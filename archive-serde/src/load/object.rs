//! Objects: by name, or by position.

use archive_core::bridge::{self, OuterClass};
use archive_core::{Archive, Body, Class, Number, Result, Value, Walk};
use serde::de::{MapAccess, SeqAccess};

use super::file_order::InFileOrder;
use super::member_names::{Key, Names};
use super::members::Named;
use super::placed::Placed;
use super::visit::Wanted;
use crate::shared::{Shared, Tree};
use crate::tree::{gather_map, gather_seq, is_own_name};

/// Expects an object.
pub(crate) struct Object<'b, B> {
    pub(crate) class: &'static Class,
    pub(crate) body: &'b mut B,
}

impl<B: Body> Wanted for Object<'_, B> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        shared.load_tree(tree, |ar| ar.object(self.class, self.body))
    }

    #[inline]
    fn map<'de, A: MapAccess<'de>>(self, mut map: A, shared: &mut Shared<'_>) -> Result {
        let Object { class, body } = self;
        let names = B::FACTS.lookup.map_or_else(|| Names::of(class), Names::looked_up);
        let mut other = Value::Null;
        let first = names.next_key(&mut map, &mut other, shared)?;
        if matches!(first, Some(Key::Other)) && other.as_str().is_none_or(is_own_name) {
            let tree = gather_map(Some(other), map, shared)?;
            return Object { class, body }.tree(tree, shared);
        }
        let outer = enter(shared)?;
        let key = (first, other);
        let run = if const { B::FACTS.lookup.is_some() } {
            InFileOrder::new(map, shared).load(key, names, class, body)
        } else {
            load_named(map, key, names, (class, body), shared)
        };
        run.map_err(|error| error.in_class(class))?;
        leave(shared, outer, class);
        Ok(())
    }

    fn seq<'de, A: SeqAccess<'de>>(self, seq: A, shared: &mut Shared<'_>) -> Result {
        let Object { class, body } = self;
        if !shared.manner.arrays && shared.manner.describes {
            let tree = gather_seq(seq, shared)?;
            return Object { class, body }.tree(tree, shared);
        }
        let outer = enter(shared)?;
        let mut members = Placed::new(seq, shared);
        // In formats that describe themselves, an array has the version 0.
        let version = if members.has_versions() && class.version != 0 {
            members.read_version().map_err(|error| error.in_class(class))?
        } else {
            0
        };
        let run = inside(class, version, &mut members, body);
        run.and_then(|()| members.close()).map_err(|error| error.in_class(class))?;
        leave(shared, outer, class);
        Ok(())
    }
}

/// Loads members that the function requests by name.
fn load_named<'de, A: MapAccess<'de>, B: Body>(
    map: A,
    key: (Option<Key>, Value),
    names: Names,
    (class, body): (&'static Class, &mut B),
    shared: &mut Shared<'_>,
) -> Result {
    let mut members = Named::new(map, key, names, class, shared)?;
    let version = members.read_version()?;
    inside(class, version, &mut members, body)?;
    members.close()
}

#[inline]
fn enter(shared: &mut Shared<'_>) -> Result<Option<OuterClass>> {
    shared.session.enter(shared.options)?;
    Ok(shared.session.begin_class(shared.options))
}

fn leave(shared: &mut Shared<'_>, outer: Option<OuterClass>, class: &'static Class) {
    shared.session.end_class(outer, class);
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

/// Converts a value to a version.
pub(crate) fn version_of(value: &Value) -> Result<u32> {
    match value {
        Value::Number(number) => number.to_integer(),
        _ => Number::F64(f64::NAN).to_integer(),
    }
}
