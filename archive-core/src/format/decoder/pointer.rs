//! Pointers in formats that store them as objects: reads heads, and finds the pointers with which
//! objects are stored.
// Why: docs/decisions/pointers.md#an-object-is-where-a-walk-through-the-input-finds-it

use std::borrow::Cow;

use super::Decoder;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{LoadedHead, PointerKind};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::reserved;

/// Reads the head of the pointer whose object was just opened. Members are found by name; with
/// `in_order` they are first expected in the order in which an encoder writes them. `text` reads
/// the type name.
#[doc(hidden)]
pub fn read_head<'n, D: Decoder + ?Sized>(
    decoder: &mut D,
    in_order: bool,
    mut text: impl FnMut(&mut D) -> Result<Cow<'n, str>>,
) -> Result<LoadedHead<'n>> {
    let mut head = LoadedHead { kind: PointerKind::Seen, id: 0, type_name: None };
    if !in_order || !read_members(decoder, &mut head, D::next_is, false, &mut text)? {
        read_members(decoder, &mut head, D::member, true, &mut text)?;
    }
    Ok(head)
}

/// Reads those members of a pointer's head that were not read yet and that `find` finds: only the
/// next ones, or with `search` any of them. Returns `false` if they do not determine the kind of
/// the pointer.
fn read_members<'n, D: Decoder + ?Sized>(
    decoder: &mut D,
    head: &mut LoadedHead<'n>,
    find: impl Fn(&mut D, &str) -> Result<bool>,
    search: bool,
    text: &mut impl FnMut(&mut D) -> Result<Cow<'n, str>>,
) -> Result<bool> {
    if head.id == 0 {
        if find(decoder, reserved::WEAK)? {
            head.kind = PointerKind::Weak;
            head.id = id(decoder, reserved::WEAK)?;
            return Ok(true);
        }
        if find(decoder, reserved::ID)? {
            head.id = id(decoder, reserved::ID)?;
        }
    }
    if head.type_name.is_none() && find(decoder, reserved::TYPE)? {
        head.type_name = Some(text(decoder)?);
    }
    // If `$value` comes first, the id and the type may follow it.
    if !search && head.id == 0 && head.type_name.is_none() {
        return Ok(false);
    }
    if find(decoder, reserved::LATER)? {
        decoder.bool()?;
        head.kind = PointerKind::Later;
    } else if find(decoder, reserved::VALUE)? {
        head.kind = if head.id == 0 { PointerKind::Owned } else { PointerKind::Stored };
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Reads the id of a pointer from the member `name`.
fn id<D: Decoder + ?Sized>(decoder: &mut D, name: &str) -> Result<u64> {
    let id = reserved::object_id(name, decoder.number());
    id.map_err(|error| error.at(decoder.position()))
}

/// Closes a pointer whose head was read in order. If `$value` came first, the kind was decided
/// without the members after it. An id or a type among them is then an error.
#[doc(hidden)]
pub fn close_in_order<D: Decoder + ?Sized>(
    decoder: &mut D,
    unknown: &mut dyn FnMut(&str) -> Result,
) -> Result {
    decoder.end_object(&mut |name| match name {
        reserved::ID | reserved::TYPE => {
            let message = format_args!("`{name}` must come before `$value`");
            Err(Error::new(ErrorKind::BadPointer, message))
        }
        _ => unknown(name),
    })
}

/// Finds the pointers with which objects are stored, during a walk over every object and sequence of the
/// input.
#[doc(hidden)]
pub struct Pointees<'f> {
    open: Vec<Candidate>,
    found: &'f mut dyn FnMut(u64, Mark),
}

/// An object or a sequence that may turn out to be a pointer with its object.
struct Candidate {
    at: Mark,
    /// Whether the name of the first member is one of a pointer's; `None` before the first member.
    pointer: Option<bool>,
    id: Option<u64>,
    has_pointee: bool,
}

impl<'f> Pointees<'f> {
    /// Creates a search that calls `found` with the id and the position of each pointer.
    pub fn new(found: &'f mut dyn FnMut(u64, Mark)) -> Self {
        Pointees { open: Vec::new(), found }
    }

    /// Called when an object or a sequence begins. The depth of its mark is that of the walk.
    pub fn open(&mut self, offset: u64, state: u64) {
        self.open_at(Mark { offset, state, depth: self.open.len() as u32 });
    }

    /// Called when an object or a sequence begins at a mark.
    pub(super) fn open_at(&mut self, at: Mark) {
        self.open.push(Candidate { at, pointer: None, id: None, has_pointee: false });
    }

    /// Called before each member. `is` returns whether the member's name is one of the given names.
    /// Returns whether the member is the id of a pointer.
    pub fn member(&mut self, is: impl Fn(&[&str]) -> bool) -> bool {
        let Some(object) = self.open.last_mut() else { return false };
        if !*object.pointer.get_or_insert_with(|| is(&reserved::POINTER)) {
            return false;
        }
        let id = is(&[reserved::ID]);
        object.has_pointee |= !id && is(&[reserved::VALUE]);
        id
    }

    /// Sets the id of the pointer, if it is valid.
    pub fn id(&mut self, id: Option<Number>) {
        if let Some(object) = self.open.last_mut() {
            object.id = id.and_then(|id| id.to_integer().ok());
        }
    }

    /// Called when the object or sequence that was opened last ends.
    pub fn close(&mut self) {
        if let Some(Candidate { at, id: Some(id), has_pointee: true, .. }) = self.open.pop() {
            (self.found)(id, at);
        }
    }
}
