//! Saving pointers.

use archive_core::bridge;
use archive_core::reserved;
use archive_core::{Archive, Body, PointerHead, PointerKind, Result, Shape};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, SerializeTuple, Serializer};
use std::cell::RefCell;

use super::Nested;
use super::entry::put_entry;
use crate::shared::Shared;

/// The depth, counted from the outermost pointer, below which objects are deferred.
pub(crate) const LEVELS: usize = 32;

/// The length that is passed to serde for a pointer's tuple: more than it has, because the number
/// of deferred objects is unknown at its beginning. Formats that do not describe themselves do not
/// write the length.
pub(crate) const MANY: usize = u32::MAX as usize;

/// Saves a pointer.
pub(crate) fn save<S: Serializer, B: Body>(
    to: S,
    head: &PointerHead<'_>,
    body: &mut B,
    outermost: bool,
    shared: &mut Shared<'_>,
) -> Result<S::Ok, S::Error> {
    if shared.manner.describes {
        save_named(to, head, body, outermost, shared)
    } else {
        save_placed(to, head, body, outermost, shared)
    }
}

/// Saves a pointer as an object with `$id` and `$value`. Null is saved as null.
fn save_named<S: Serializer, B: Body>(
    to: S,
    head: &PointerHead<'_>,
    body: &mut B,
    outermost: bool,
    shared: &mut Shared<'_>,
) -> Result<S::Ok, S::Error> {
    let type_name = head.type_name.filter(|_| head.kind != PointerKind::Seen);
    let is_weak = head.kind == PointerKind::Weak;
    let len = if is_weak {
        1
    } else {
        usize::from(head.id != 0)
            + usize::from(type_name.is_some())
            + usize::from(head.has_pointee() || head.kind == PointerKind::Later)
    };
    // The number of deferred objects is known only at the end of the outermost pointer.
    let mut map = to.serialize_map((!outermost).then_some(len))?;
    if is_weak {
        map.serialize_entry(reserved::WEAK, &head.id)?;
        return map.end();
    }
    if head.id != 0 {
        map.serialize_entry(reserved::ID, &head.id)?;
    }
    if let Some(name) = type_name {
        map.serialize_entry(reserved::TYPE, name)?;
    }
    if head.kind == PointerKind::Later {
        map.serialize_entry(reserved::LATER, &true)?;
    }
    if head.has_pointee() {
        put_entry(&mut map, reserved::VALUE, &Nested::new(body, head.shape, shared))?;
    }
    if outermost && shared.session.has_deferred() {
        map.serialize_entry(reserved::DEFERRED, &Waiting(RefCell::new(shared)))?;
    }
    map.end()
}

/// Saves a pointer as a kind, an id, a type and the object, by position.
fn save_placed<S: Serializer, B: Body>(
    to: S,
    head: &PointerHead<'_>,
    body: &mut B,
    outermost: bool,
    shared: &mut Shared<'_>,
) -> Result<S::Ok, S::Error> {
    let shape = pointee_shape(head.type_name.is_some(), head.shape);
    let mut tuple = to.serialize_tuple(MANY)?;
    tuple.serialize_element(&(code(head.kind)))?;
    tuple.serialize_element(&head.id)?;
    tuple.serialize_element(&head.type_name)?;
    if head.has_pointee() {
        tuple.serialize_element(&Nested::new(body, shape, shared))?;
    }
    if outermost {
        while let Some(waiting) = shared.session.saved.next_deferred() {
            tuple.serialize_element(&true)?;
            tuple.serialize_element(&Nested::new(
                &mut Deferred(Some(waiting)),
                &Shape::Dyn,
                shared,
            ))?;
        }
    }
    if head.kind == PointerKind::Stored {
        tuple.serialize_element(&false)?;
    }
    tuple.end()
}

/// Returns the shape of the object of a pointer. An object whose type is named does not describe itself.
pub(crate) fn pointee_shape(is_named: bool, shape: &'static Shape) -> &'static Shape {
    if is_named { &Shape::Dyn } else { shape }
}

/// Returns the number of a kind in formats without names.
fn code(kind: PointerKind) -> u8 {
    match kind {
        PointerKind::Null => 0,
        PointerKind::Stored => 1,
        PointerKind::Seen => 2,
        PointerKind::Later => 3,
        PointerKind::Weak => 4,
        PointerKind::Owned => 5,
        PointerKind::Plain => 6,
    }
}

/// A deferred object in the list of deferred objects.
struct Deferred(Option<bridge::DeferredPointee>);

impl Body for Deferred {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self.0.take() {
            Some(save) => {
                let (session, options) = ar.parts_mut();
                session.enter(options)?;
                save(&mut ar.erased())?;
                ar.session_mut().leave();
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// The objects that are deferred to the end of the outermost pointer, and those that they defer in
/// turn.
struct Waiting<'a, 's>(RefCell<&'a mut Shared<'s>>);

impl Serialize for Waiting<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut shared =
            self.0.try_borrow_mut().map_err(|_| S::Error::custom("the value contains itself"))?;
        let mut seq = to.serialize_seq(None)?;
        while let Some(waiting) = shared.session.saved.next_deferred() {
            let mut body = Deferred(Some(waiting));
            seq.serialize_element(&Nested::new(&mut body, &Shape::Dyn, &mut shared))?;
        }
        seq.end()
    }
}
