//! Walks over a value without its type: the default way of a [`Decoder`] to skip values and to find
//! the positions of objects.

use super::{Decoder, Kind, Pointees};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::mark::Mark;
use crate::model::shape::{OBJECT, Shape};

/// Skips the value at the cursor. Calls `found` with the id and the position of every pointer in it
/// that has a pointee. Does not recurse, at any depth of the value.
pub(super) fn walk<D: Decoder + ?Sized>(
    decoder: &mut D,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    // The open containers: whether each is an object.
    let (mut open, mut bytes) = (Vec::new(), Vec::new());
    let (mut pointees, mut at_id) = (Pointees::new(found), false);
    loop {
        let at = decoder.mark();
        match decoder.peek()? {
            Kind::Null => decoder.null()?,
            Kind::Bool => decoder.bool().map(drop)?,
            Kind::Number => {
                let number = decoder.number()?;
                if at_id {
                    pointees.id(Some(number));
                }
            }
            Kind::Str => decoder.str().map(drop)?,
            Kind::Bytes => decoder.bytes(&mut bytes)?,
            Kind::Seq => {
                decoder.begin_seq(&Shape::Any)?;
                pointees.open_at(at);
                open.push(false);
            }
            Kind::Object => {
                decoder.begin_object(&OBJECT)?;
                pointees.open_at(at);
                open.push(true);
            }
            Kind::Pointer => {
                let message = "a format with pointers of its own must be able to skip them";
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
        loop {
            match open.last() {
                None => return Ok(()),
                Some(false) if decoder.next_item()? => break,
                Some(false) => decoder.end_seq()?,
                Some(true) => {
                    if let Some(name) = decoder.next_key()? {
                        at_id = pointees.member(|names| names.contains(&&*name));
                        break;
                    }
                    decoder.end_object(&mut |_| Ok(()))?;
                }
            }
            pointees.close();
            open.pop();
        }
    }
}
