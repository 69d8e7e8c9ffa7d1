//! Saves pointers, and the objects in the list of deferred objects.

use std::rc::Rc;
use std::sync::Arc;

use archive_core::bridge::{Mention, Nothing, mention, tree_id};
use archive_core::{Archive, Body, PointerHead, PointerKind, Result, Shape, Value, reserved};

use super::tour::address;
use super::{Part, Walk};

impl Part<'_> {
    /// Saves a pointer: null, a reference with `$id` or `$weak`, or an object, which has an id or
    /// is a trait object with only `$type`.
    pub(super) fn pointer<A: Archive>(&self, ar: &mut A) -> Result {
        let declared = match self.shape {
            Shape::Pointer(pointee) | Shape::Weak(pointee) => pointee.get(),
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
        let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, of)| of);
        let (kind, id) = match mention(members) {
            Some((id, mention)) => {
                let new = tree_id(ar, id, mention)?;
                match mention {
                    Mention::Weak => (PointerKind::Weak, new),
                    Mention::Strong => (PointerKind::Seen, new),
                    Mention::Stored => (PointerKind::Stored, new),
                }
            }
            None => (PointerKind::Owned, 0),
        };
        if !kind.has_pointee() {
            return ar.save_pointer(&PointerHead::bare(kind, id, declared), &mut Nothing);
        }
        let Some(value) = member(reserved::VALUE) else { return Err(self.wrong("a pointer")) };
        let type_name = member(reserved::TYPE).and_then(Value::as_str);
        let shape = self.walk.plan.pointees.get(&address(self.value)).copied();
        let Some(shape) = shape else { return Err(self.wrong("a pointer")) };
        let deferred = member(reserved::DEFERRED).and_then(Value::as_array).unwrap_or_default();
        let mut pointee = Pointee { value: self.part(value, shape), deferred };
        ar.save_pointer(&PointerHead { kind, id, type_name, shape }, &mut pointee)
    }
}

/// The target of a pointer, and the pointer's list of deferred objects.
struct Pointee<'v> {
    value: Part<'v>,
    deferred: &'v [Value],
}

impl Body for Pointee<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value.run(ar)?;
        let walk = self.value.walk;
        for value in self.deferred {
            if let Some(value) = walk.plan.deferred.get(&address(value)) {
                ar.defer(Deferred { value: value.clone(), walk: walk.clone() });
            }
        }
        Ok(())
    }
}

/// An object that is saved at the end of the outermost pointer.
struct Deferred {
    value: Arc<Value>,
    walk: Rc<Walk>,
}

impl Body for Deferred {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        Part { value: &self.value, shape: &Shape::Any, walk: &self.walk }.pointer(ar)
    }
}
