//! Saves pointers, and the objects that are deferred to the end of the outermost one.

use std::cell::Cell;

use super::{Part, Walk};
use crate::archive::{Archive, Body};
use crate::body::Nothing;
use crate::error::{Error, ErrorKind, Result};
use crate::pointer::{PointerHead, PointerKind};
use crate::reserved;
use crate::session::Mention;
use crate::shape::Shape;
use crate::value::Value;
use crate::value::pointers::{is_pointer_name, mention};

impl Part<'_> {
    /// Returns whether a self-describing object is saved as a pointer. It is not if the file has it
    /// as an object, in the form of text formats.
    pub(super) fn is_pointer(&self, members: &[(String, Value)]) -> bool {
        let shapes = &self.walk.shapes;
        match (members.first(), mention(members)) {
            (_, Some((id, _))) => !shapes.origin.in_members.contains(&id),
            (Some((name, value)), None) if name == reserved::TYPE => {
                shapes.registered.iter().any(|(known, _)| Some(known.as_str()) == value.as_str())
            }
            _ => false,
        }
    }

    /// Saves a pointer: null, a reference by `$id` or `$weak`, or an object, which has an id or is
    /// a trait object with `$type` alone.
    pub(super) fn pointer<A: Archive>(&self, ar: &mut A) -> Result {
        let declared = match self.shape {
            Shape::Pointer(body) | Shape::Weak(body) => body.get(),
            _ => &Shape::Any,
        };
        let members = match self.value {
            Value::Null => {
                let head = PointerHead::bare(PointerKind::Null, 0, declared);
                return ar.save_pointer(&head, &mut Nothing);
            }
            Value::Object(members) => members,
            _ => return Err(self.wrong("a pointer")),
        };
        if let Some((name, _)) = members.iter().find(|(name, _)| !is_pointer_name(name)) {
            let message = "a pointer has no such member";
            return Err(Error::new(ErrorKind::UnknownMember, message).in_member(name));
        }
        let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, of)| of);
        let mention = mention(members);
        let (kind, id) = match mention {
            Some((id, mention)) => {
                let limit = ar.options().get_limits().pointers;
                let new = ar.session_mut().saved.tree_id(id, mention, limit)?;
                match mention {
                    Mention::Weak => (PointerKind::Weak, new),
                    Mention::Strong => (PointerKind::Seen, new),
                    Mention::Body => (PointerKind::Body, new),
                }
            }
            None => (PointerKind::Owned, 0),
        };
        if !kind.has_body() {
            return ar.save_pointer(&PointerHead::bare(kind, id, declared), &mut Nothing);
        }
        let Some(value) = member(reserved::VALUE) else { return Err(self.wrong("a pointer")) };
        let type_name = member(reserved::TYPE).and_then(Value::as_str);
        let known = mention.and_then(|(id, _)| self.walk.shapes.objects.get(&id).copied());
        let declared = Some(declared).filter(|shape| !shape.is_any());
        let Some(shape) = known.or(declared).or_else(|| self.registered(type_name, value)) else {
            let name = type_name.unwrap_or_default();
            let message = format_args!("the file has no objects of type id `{name}`");
            return Err(Error::new(ErrorKind::UnknownType, message));
        };
        let deferred = member(reserved::DEFERRED).and_then(Value::as_array).unwrap_or_default();
        let mut body = Pointee { value: self.part(value, shape), deferred };
        ar.save_pointer(&PointerHead { kind, id, type_name, shape }, &mut body)
    }

    /// Returns the type of objects with that type id; if there are several, the one that the value
    /// fits.
    fn registered(&self, type_name: Option<&str>, value: &Value) -> Option<&'static Shape> {
        let of_name = |(name, _): &&(String, _)| Some(name.as_str()) == type_name;
        let mut shapes =
            self.walk.shapes.registered.iter().filter(of_name).map(|(_, shape)| *shape);
        let first = shapes.clone().next();
        let fits = |shape: &&'static Shape| Part { value, shape, walk: self.walk }.fits();
        shapes.find(fits).or(first)
    }
}

/// The target of a pointer, and the objects that are deferred to the pointer's end.
struct Pointee<'v> {
    value: Part<'v>,
    deferred: &'v [Value],
}

impl Body for Pointee<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value.run(ar)?;
        for value in self.deferred {
            let of = value.get(reserved::ID).and_then(Value::as_u64).unwrap_or_default();
            let shapes = self.value.walk.shapes.clone();
            let walk = Walk { shapes, of, next: Cell::new(0) };
            ar.defer(Deferred { value: value.clone(), walk });
        }
        Ok(())
    }
}

/// An object that is saved at the end of the outermost pointer.
struct Deferred {
    value: Value,
    walk: Walk,
}

impl Body for Deferred {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        Part { value: &self.value, shape: &Shape::Any, walk: &self.walk }.pointer(ar)
    }
}
