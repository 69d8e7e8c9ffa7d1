//! The value that a patch replaces, and its form in the file.

use std::ops::Range;

use archive_core::{Encoder as _, Result, Shape, Value, ValueEncoder, reserved};

use crate::Decoder;
use crate::cursor::Cursor;
use crate::decoder::{tagged_key, tagged_number};
use crate::tags;
use crate::types::TypeId;

/// The value that a patch replaces.
pub(super) struct Old {
    pub(super) value: Value,
    pub(super) kind: Kind,
}

/// The form of a value in the file.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// As the type describes it.
    Typed(TypeId),
    /// With tags.
    Tagged,
    /// A weak reference: the id of the object, or 0.
    Weak(u64),
    /// The number of a layout, and then a value of that class.
    ByHand(u64, TypeId),
}

impl Old {
    /// Reads the value at the cursor of a decoder. Returns `None` if its type does not describe it
    /// completely.
    pub(super) fn read(
        file: &[u8],
        span: Range<usize>,
        from: &mut Decoder<'_>,
    ) -> Result<Option<Old>> {
        let slot = from.type_of_next();
        if slot == TypeId::ANY {
            let mut data = Cursor::new(&file[..span.end], span.start);
            let tree = tagged(&mut data, 0)?.filter(|_| data.left() == 0);
            return Ok(tree.map(|value| Old { value, kind: Kind::Tagged }));
        }
        if slot == TypeId::WEAK {
            let id = Cursor::new(&file[..span.end], span.start).u64()?;
            let pointer = Value::Object(vec![(reserved::WEAK.to_owned(), Value::from(id))]);
            let value = if id == 0 { Value::Null } else { pointer };
            return Ok(Some(Old { value, kind: Kind::Weak(id) }));
        }
        let kind = match from.enter_by_hand()? {
            Some((layout, class)) => Kind::ByHand(layout, class),
            None => Kind::Typed(slot),
        };
        if !from.is_described() {
            return Ok(None);
        }
        let mut encoder = ValueEncoder::new();
        encoder.begin_root(&Shape::Any)?;
        from.hand_on(&mut encoder)?;
        encoder.end_root()?;
        Ok(Some(Old { value: encoder.finish()?, kind }))
    }
}

/// Reads a value with its tag. Returns `None` if it contains a pointer, or an object that text
/// formats write for a pointer.
fn tagged(data: &mut Cursor<'_>, depth: u32) -> Result<Option<Value>> {
    /// Deeper values are left to callers that do not recurse.
    const MAX_DEPTH: u32 = 256;
    if depth > MAX_DEPTH {
        return Ok(None);
    }
    let tag = data.byte()?;
    Ok(Some(match tag {
        tags::NULL => Value::Null,
        tags::FALSE | tags::TRUE => Value::Bool(tag == tags::TRUE),
        tags::STR => Value::from(data.str()?),
        tags::BYTES => Value::Bytes(data.bytes()?.to_vec()),
        tags::SEQ => {
            let mut items = Vec::new();
            while data.peek()? != tags::END {
                let Some(item) = tagged(data, depth + 1)? else { return Ok(None) };
                items.push(item);
            }
            data.byte()?;
            Value::Array(items)
        }
        tags::OBJECT => {
            let mut members = Vec::new();
            while let Some(name) = tagged_key(data)? {
                if is_reserved(name) {
                    return Ok(None);
                }
                let Some(value) = tagged(data, depth + 1)? else { return Ok(None) };
                members.push((name.to_owned(), value));
            }
            Value::Object(members)
        }
        _ => match tagged_number(tag, data)? {
            Some(number) => Value::Number(number),
            None => return Ok(None),
        },
    }))
}

fn is_reserved(name: &str) -> bool {
    reserved::OWN.contains(&name)
}

/// Returns whether a tree contains no objects that text formats write for pointers.
pub(super) fn is_plain(tree: &Value) -> bool {
    let mut open = vec![tree];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) if members.iter().any(|(name, _)| is_reserved(name)) => {
                return false;
            }
            Value::Object(members) => open.extend(members.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    true
}

/// Returns whether two objects have the same names in the same order.
pub(super) fn has_same_members(old: &Value, new: &Value) -> bool {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return false };
    old.len() == new.len() && old.iter().zip(new).all(|((name, _), (other, _))| name == other)
}
