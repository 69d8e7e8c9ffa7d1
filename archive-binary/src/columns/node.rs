//! [`Node`]: values that are collected in columns.

use super::ints::{self, Int};
use super::splits::{Kind, Splits};
use crate::types::TypeId;
use crate::varint::{put_bytes, put_u64};

/// The columns of the values of one type at one place.
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The type, and the types around it.
    pub(crate) id: TypeId,
    around: Vec<TypeId>,
    /// The number of values.
    pub(crate) rows: u64,
    /// The numbers or lengths.
    pub(crate) ints: Vec<u64>,
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    /// The components, once there was a value.
    pub(crate) parts: Vec<Node>,
    /// Whether they were created, or the type has none.
    pub(crate) is_split: bool,
}

impl Node {
    /// Returns the empty columns of values of a type inside of other types.
    pub(crate) fn new(splits: &Splits, id: TypeId, around: &[TypeId]) -> Self {
        let (id, kind) = splits.kind(id, around);
        Node::of(kind, id, around.to_vec())
    }

    fn of(kind: Kind, id: TypeId, around: Vec<TypeId>) -> Self {
        let is_split =
            matches!(kind, Kind::Nothing | Kind::Int(_) | Kind::Fixed(_) | Kind::Text | Kind::Row);
        let (ints, bytes, parts) = (Vec::new(), Vec::new(), Vec::new());
        Node { kind, id, around, rows: 0, ints, bytes, parts, is_split }
    }

    /// Creates the columns of the components.
    #[cold]
    pub(crate) fn split(&mut self, splits: &Splits) {
        self.is_split = true;
        if self.kind == Kind::Pointer {
            self.parts.push(Node::of(Kind::Row, self.id, Vec::new()));
        } else {
            self.around.push(self.id);
            let part = |(_, id): &(u64, TypeId)| Node::new(splits, *id, &self.around);
            self.parts = splits.parts(self.id).iter().map(part).collect();
            self.around.pop();
        }
    }

    /// Adds a value that is stored as in files without columns.
    pub(crate) fn push(&mut self, row: &[u8]) {
        self.ints.push(row.len() as u64);
        self.bytes.extend_from_slice(row);
    }

    /// Appends the columns, and empties them.
    pub(crate) fn put(&mut self, out: &mut Vec<u8>) {
        if self.rows == 0 {
            return;
        }
        let int = if let Kind::Int(int) = self.kind { int } else { Int::VARINT };
        ints::put(int, &self.ints, out);
        match self.kind {
            Kind::Nothing | Kind::Int(_) => {}
            Kind::Fixed(_) => out.extend_from_slice(&self.bytes),
            Kind::Text | Kind::Row => put_bytes(out, &self.bytes),
            Kind::Option | Kind::List | Kind::Enum => {
                for part in &mut self.parts {
                    put_u64(out, part.rows);
                    part.put(out);
                }
            }
            Kind::Group | Kind::Array(_) | Kind::Pointer => {
                self.parts.iter_mut().for_each(|part| part.put(out));
            }
        }
        self.rows = 0;
        self.ints.clear();
        self.bytes.clear();
    }
}
