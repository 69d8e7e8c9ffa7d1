//! The items inside the bytes of a variable.

use archive_core::__private::put_scalar;
use archive_core::shape::Primitive;
use archive_core::{Error, ErrorKind, Found, Result, Value};

use super::{BYTE, Content, Decoder, Slot};
use crate::types::{Type, TypeKind};

/// Items that are being read.
#[derive(Debug)]
pub(super) struct Items {
    /// The variable.
    pub(super) node: usize,
    pub(super) len: usize,
    /// The types of the items.
    kind: ItemKind,
    /// The offset of the first item in the variable.
    start: usize,
    next: usize,
}

#[derive(Debug)]
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

impl<'a> Decoder<'a> {
    /// Returns the items of the value at the cursor.
    pub(super) fn plain_items(&self) -> Result<Items> {
        let (kind, len) = match self.slot() {
            Slot::Value(Type { kind: TypeKind::Array(item, len), .. }, _) => {
                (ItemKind::Of(*item), *len)
            }
            Slot::Value(Type { kind: TypeKind::Seq(item), .. }, bytes) => {
                (ItemKind::Of(*item), bytes.len() / self.types[*item as usize].size)
            }
            Slot::Value(Type { kind: TypeKind::Tuple(items), .. }, _) => {
                (ItemKind::Tuple(self.type_at_cursor()), items.len())
            }
            Slot::Value(Type { kind: TypeKind::Primitive(Primitive::Bytes), .. }, bytes)
            | Slot::Other(_, bytes) => (ItemKind::Of(BYTE), bytes.len()),
            _ => return Err(self.wrong("a sequence")),
        };
        let start = self.cursor.item.map_or(0, |(_, at)| at);
        Ok(Items { node: self.cursor.node, len, kind, start, next: 0 })
    }

    /// Returns the variable at the cursor, by its place in the packed tree, and its bytes for another
    /// value. Returns `None` if an object is at the cursor.
    ///
    /// # Errors
    /// If the value does not fit the type of the variable.
    pub(crate) fn variable_with(&self, value: &Value) -> Result<Option<(usize, Vec<u8>)>> {
        let node = &self.flat.nodes[self.cursor.node];
        let mut bytes = Vec::new();
        match (node.content, self.slot()) {
            (Content::Object(..), _) => return Ok(None),
            (_, Slot::Value(ty, _)) => self.put(&mut bytes, ty, value)?,
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

    /// Returns the bytes of the value at the cursor, if it consists of bytes only.
    pub(super) fn plain_bytes(&self) -> Option<&'a [u8]> {
        match self.slot() {
            Slot::Other(_, bytes) => Some(bytes),
            Slot::Value(ty, bytes) => match ty.kind {
                TypeKind::Primitive(Primitive::Bytes) => Some(bytes),
                TypeKind::Seq(item) | TypeKind::Array(item, _) => {
                    let item = &self.types[item as usize].kind;
                    matches!(item, TypeKind::Primitive(Primitive::U8)).then_some(bytes)
                }
                _ => None,
            },
            Slot::Object(..) => None,
        }
    }
}

fn each(items: &[Value], mut put: impl FnMut(&Value) -> Result) -> Result {
    let mut items = items.iter().enumerate();
    items.try_for_each(|(index, item)| put(item).map_err(|error| error.in_item(index)))
}
