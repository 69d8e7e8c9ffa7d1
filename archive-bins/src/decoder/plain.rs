//! The items inside the bytes of a variable.

use archive_core::__private::put_scalar;
use archive_core::shape::Primitive;
use archive_core::{Error, ErrorKind, Found, Result, Value};

use super::{BYTE, Content, Decoder, NO_TYPE, Place, Slot, Tree};
use crate::types::{Type, TypeKind};

/// Items that are being read.
#[derive(Clone, Copy, Debug)]
pub struct Items {
    /// The variable.
    pub(super) node: usize,
    pub(super) len: usize,
    /// The types of the items.
    kind: ItemKind,
    /// The offset of the first item in the variable.
    start: usize,
    next: usize,
}

#[derive(Clone, Copy, Debug)]
enum ItemKind {
    /// All of one type.
    Of(u32),
    /// The types of a tuple's items.
    Tuple(u32),
}

impl Items {
    /// Returns the type and the offset of the next item.
    pub(super) fn next(&mut self, types: &[Type]) -> Option<(u32, usize)> {
        if self.next >= self.len {
            return None;
        }
        let index = self.next;
        self.next += 1;
        match self.kind {
            ItemKind::Of(ty) => Some((ty, self.start + index * types[ty as usize].size)),
            ItemKind::Tuple(tuple) => match &types[tuple as usize].kind {
                TypeKind::Tuple(items) => {
                    items.get(index).map(|(ty, offset)| (*ty, self.start + offset))
                }
                _ => None,
            },
        }
    }
}

impl Tree<'_> {
    /// Returns the items of plain data.
    pub(super) fn plain_items(&self, place: Place) -> Option<Items> {
        let (kind, len) = match self.slot(place) {
            Slot::Value(ty, bytes) => match &ty.kind {
                TypeKind::Array(item, len) => (ItemKind::Of(*item), *len),
                TypeKind::Seq(item) => {
                    (ItemKind::Of(*item), bytes.len() / self.types[*item as usize].size)
                }
                TypeKind::Tuple(items) => (ItemKind::Tuple(self.type_at(place)), items.len()),
                TypeKind::Primitive(Primitive::Bytes) => (ItemKind::Of(BYTE), bytes.len()),
                TypeKind::Primitive(_) => return None,
            },
            Slot::Other(_, bytes) => (ItemKind::Of(BYTE), bytes.len()),
            Slot::Object(..) => return None,
        };
        let start = place.item.map_or(0, |(_, at)| at);
        Some(Items { node: place.node, len, kind, start, next: 0 })
    }

    /// Returns the number of the type of a value, or [`NO_TYPE`].
    fn type_at(&self, place: Place) -> u32 {
        match (place.item, self.flat.nodes[place.node].content) {
            (Some((ty, _)), _) => ty,
            (None, Content::Variable(name, _)) => self.type_of[name as usize],
            (None, Content::Object(..)) => NO_TYPE,
        }
    }

    /// Returns whether items of that type are bytes.
    pub(super) fn is_byte(&self, item: u32) -> bool {
        matches!(self.types[item as usize].kind, TypeKind::Primitive(Primitive::U8))
    }
}

impl Decoder<'_> {
    /// Returns the variable at the cursor, by its place in the packed tree, and its bytes for another
    /// value. Returns `None` if an object is at the cursor.
    ///
    /// # Errors
    /// If the value does not fit the type of the variable.
    pub(crate) fn variable_with(&self, value: &Value) -> Result<Option<(usize, Vec<u8>)>> {
        let (tree, at) = (&self.0.tree, self.0.at);
        let node = &tree.flat.nodes[at.node];
        let mut bytes = Vec::new();
        match (node.content, tree.slot(at)) {
            (Content::Object(..), _) => return Ok(None),
            (_, Slot::Value(ty, _)) => tree.put(&mut bytes, ty, value)?,
            (_, Slot::Other(name, old)) => match value {
                Value::Bytes(new) if new.len() == old.len() => bytes.clone_from(new),
                _ => {
                    return Err(Error::wrong_type(
                        format_args!("{} bytes of `{name}`", old.len()),
                        Found::from(value),
                    ));
                }
            },
            (_, Slot::Object(..)) => return Ok(None),
        }
        Ok(Some((node.packed, bytes)))
    }
}

impl Tree<'_> {
    /// Appends a value of a type.
    fn put(&self, out: &mut Vec<u8>, ty: &Type, value: &Value) -> Result {
        let items = |count: usize| match value {
            Value::Array(items) if items.len() == count => Ok(items),
            Value::Array(items) => {
                let message = format_args!("expected {count} items, found {}", items.len());
                Err(Error::new(ErrorKind::WrongLength, message))
            }
            _ => Err(Error::wrong_type("a sequence", Found::from(value))),
        };
        let of = |number: u32| &self.types[number as usize];
        match (&ty.kind, value) {
            (TypeKind::Primitive(Primitive::Unit), Value::Null) => Ok(()),
            (TypeKind::Primitive(Primitive::Unit), _) => {
                Err(Error::wrong_type("null", Found::from(value)))
            }
            (TypeKind::Primitive(Primitive::Str), Value::Str(text)) => {
                out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            (TypeKind::Primitive(Primitive::Bytes), Value::Bytes(bytes)) => {
                out.extend_from_slice(bytes);
                Ok(())
            }
            (TypeKind::Primitive(Primitive::Bytes), Value::Array(items)) => {
                each(items, |item| put_scalar(out, Some(Primitive::U8), Primitive::U8.name(), item))
            }
            (TypeKind::Primitive(primitive), _) => {
                put_scalar(out, Some(*primitive), primitive.name(), value)
            }
            (TypeKind::Array(item, count), _) => {
                each(items(*count)?, |value| self.put(out, of(*item), value))
            }
            (TypeKind::Seq(item), Value::Array(items)) => {
                each(items, |value| self.put(out, of(*item), value))
            }
            (TypeKind::Seq(_), _) => Err(Error::wrong_type("a sequence", Found::from(value))),
            (TypeKind::Tuple(parts), _) => {
                let mut parts = parts.iter();
                each(items(parts.len())?, |value| match parts.next() {
                    Some((part, _)) => self.put(out, of(*part), value),
                    None => Ok(()),
                })
            }
        }
    }
}

fn each(items: &[Value], mut put: impl FnMut(&Value) -> Result) -> Result {
    let mut items = items.iter().enumerate();
    items.try_for_each(|(index, item)| put(item).map_err(|error| error.in_item(index)))
}
