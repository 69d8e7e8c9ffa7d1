//! Passing a value without its type: what a [`Decoder`] does by default to skip values and to find
//! the objects.

use super::{Decoder, Kind};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::mark::Mark;
use crate::model::reserved;
use crate::model::shape::{OBJECT, Shape};

/// An object or sequence around the cursor.
enum Open {
    Seq,
    Object(Pointer),
}

/// What is known of an object that may be a pointer.
struct Pointer {
    at: Mark,
    id: Option<u64>,
    /// Whether the name of its first member is one of those of pointers.
    named: Option<bool>,
    /// Whether the member at the cursor is the id.
    at_id: bool,
    has_pointee: bool,
}

impl Pointer {
    fn new(at: Mark) -> Self {
        Pointer { at, id: None, named: None, at_id: false, has_pointee: false }
    }

    fn see(&mut self, name: &str) {
        let named = *self.named.get_or_insert_with(|| reserved::POINTER.contains(&name));
        self.at_id = named && name == reserved::ID;
        self.has_pointee |= named && name == reserved::VALUE;
    }
}

/// Passes the value at the cursor. Calls `found` with the id and the position of every pointer in
/// it that has a pointee. It does not recurse, at any depth of the value.
///
/// # Errors
/// Those of the decoder and of `found`.
pub(super) fn walk<D: Decoder + ?Sized>(
    decoder: &mut D,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    let (mut open, mut bytes) = (Vec::new(), Vec::new());
    loop {
        let at = decoder.mark();
        match decoder.peek()? {
            Kind::Null => decoder.null()?,
            Kind::Bool => decoder.bool().map(drop)?,
            Kind::Number => {
                let number = decoder.number()?;
                if let Some(Open::Object(pointer)) = open.last_mut()
                    && pointer.at_id
                {
                    pointer.id = number.to_integer().ok();
                }
            }
            Kind::Str => decoder.str().map(drop)?,
            Kind::Bytes => decoder.bytes(&mut bytes)?,
            Kind::Seq => {
                decoder.begin_seq(&Shape::Any)?;
                open.push(Open::Seq);
            }
            Kind::Object => {
                decoder.begin_object(&OBJECT)?;
                open.push(Open::Object(Pointer::new(at)));
            }
            Kind::Pointer => {
                let message = "a format with pointers of its own must be able to skip them";
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
        loop {
            match open.last_mut() {
                None => return Ok(()),
                Some(Open::Seq) if decoder.next_item()? => break,
                Some(Open::Seq) => decoder.end_seq()?,
                Some(Open::Object(pointer)) => {
                    if let Some(name) = decoder.next_key()? {
                        pointer.see(&name);
                        break;
                    }
                    decoder.end_object(&mut |_| Ok(()))?;
                    if let (Some(id), true) = (pointer.id, pointer.has_pointee) {
                        found(id, pointer.at);
                    }
                }
            }
            open.pop();
        }
    }
}
