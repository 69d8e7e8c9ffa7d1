//! The items inside the bytes of a variable.

use archive_core::Result;
use archive_core::shape::Primitive;

use super::{BYTE, Decoder, Slot};
use crate::store::types::{Type, TypeKind};

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
