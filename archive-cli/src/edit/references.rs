//! Checks that a change does not break the references in a file whose format does not state types.

use std::collections::{BTreeMap, BTreeSet};

use archive::format::{Encoder, reserved};
use archive::shape::{Class, Shape};
use archive::{Error, ErrorKind, Format, Result, Value};

use crate::pump::{Out, Twice};
use crate::stream;
use crate::tree::pointer;

/// Returns whether a value contains a pointer.
pub fn refers(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(refers),
        Value::Object(members) => {
            pointer(members).is_some() || members.iter().any(|(_, value)| refers(value))
        }
        _ => false,
    }
}

/// Checks that each reference of a changed file refers to an object of it, and that no two objects have one
/// id, unless that was so before.
///
/// # Errors
/// [`ErrorKind::BadPointer`].
pub fn check(format: Format, before: &[u8], after: &[u8]) -> Result {
    let (before, after) = (References::of(format, before)?, References::of(format, after)?);
    let is_twice = |of: &References, id: &u64| of.stored.get(id).is_some_and(|count| *count > 1);
    let bad = |message: String| Err(Error::new(ErrorKind::BadPointer, message));
    for id in after.stored.keys() {
        if is_twice(&after, id) && !is_twice(&before, id) {
            return bad(format!(
                "two objects would have the id {id}: refer to the object with {{\"$id\":{id}}}, or give the \
                 new one an id that no other object has"
            ));
        }
    }
    let dangles = |of: &References, id: &u64| !of.stored.contains_key(id);
    let lost = |id: &&u64| dangles(&after, id);
    let strong = after.strong.iter().filter(lost);
    if let Some(id) = strong.clone().find(|id| before.stored.contains_key(id)) {
        return bad(format!(
            "this removes the object {id}, to which other values refer: keep it, or set these first"
        ));
    }
    // The target of a weak reference may be removed.
    let is_old = |id: &&u64| before.stored.contains_key(id) || before.weak.contains(id);
    let new = strong.filter(|id| !before.strong.contains(id));
    let weak = after.weak.iter().filter(lost).filter(|id| !is_old(id));
    match new.chain(weak).next() {
        Some(id) => bad(format!("the file has no object {id}: refer to an existing one")),
        None => Ok(()),
    }
}

/// The ids of a file, collected by an encoder that writes nothing.
#[derive(Default)]
struct References {
    /// The number of objects stored under each id.
    stored: BTreeMap<u64, u32>,
    strong: BTreeSet<u64>,
    weak: BTreeSet<u64>,
    open: Vec<Object>,
}

/// An object or a sequence that is open.
#[derive(Default)]
struct Object {
    members: u32,
    is_pointer: bool,
    id: Option<u64>,
    weak: Option<u64>,
    is_stored: bool,
    /// The member whose value comes next.
    next: Next,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Next {
    #[default]
    Other,
    Id,
    Weak,
}

impl References {
    fn of(format: Format, bytes: &[u8]) -> Result<References> {
        let mut found = References::default();
        let mut out = Out::new(&mut found);
        out.twice = Twice::Noted(None);
        stream::bytes(format, bytes, &mut out)?;
        Ok(found)
    }

    fn integer(&mut self, value: Option<u64>) {
        let Some(object) = self.open.last_mut() else { return };
        match std::mem::take(&mut object.next) {
            Next::Id => object.id = value,
            Next::Weak => object.weak = value,
            Next::Other => {}
        }
    }

    fn other(&mut self) -> Result {
        self.integer(None);
        Ok(())
    }

    fn end(&mut self) -> Result {
        match self.open.pop() {
            Some(Object { is_pointer: true, weak: Some(id), .. }) => {
                self.weak.insert(id);
            }
            Some(Object { is_pointer: true, id: Some(id), is_stored, .. }) => {
                if is_stored {
                    *self.stored.entry(id).or_default() += 1;
                } else {
                    self.strong.insert(id);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Encoder for References {
    fn null(&mut self) -> Result {
        self.other()
    }
    fn bool(&mut self, _: bool) -> Result {
        self.other()
    }
    fn i64(&mut self, value: i64) -> Result {
        self.integer(u64::try_from(value).ok().filter(|id| *id != 0));
        Ok(())
    }
    fn u64(&mut self, value: u64) -> Result {
        self.integer(Some(value).filter(|id| *id != 0));
        Ok(())
    }
    fn f64(&mut self, _: f64) -> Result {
        self.other()
    }
    fn f32(&mut self, _: f32) -> Result {
        self.other()
    }
    fn str(&mut self, _: &str) -> Result {
        self.other()
    }
    fn bytes(&mut self, _: &[u8]) -> Result {
        self.other()
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.integer(None);
        self.open.push(Object::default());
        Ok(())
    }
    fn item(&mut self) -> Result {
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.end()
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.integer(None);
        self.open.push(Object::default());
        Ok(())
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        let Some(object) = self.open.last_mut() else { return Ok(()) };
        let is_first = object.members == 0;
        object.members += 1;
        object.next = match name {
            reserved::ID => Next::Id,
            reserved::WEAK => Next::Weak,
            _ => Next::Other,
        };
        object.is_pointer |= is_first && reserved::POINTER.contains(&name);
        object.is_stored |= name == reserved::VALUE;
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        self.end()
    }
}
