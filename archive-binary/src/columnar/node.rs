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
    /// The components, once there was a value. Those of an enum are the payloads that occurred, with the
    /// indices of their variants.
    pub(crate) parts: Vec<(u64, Node)>,
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
        match self.kind {
            Kind::Pointer => self.parts.push((0, Node::of(Kind::Row, self.id, Vec::new()))),
            Kind::Enum => {}
            _ => {
                let part = |(index, id): &(u64, TypeId)| (*index, self.inner(splits, *id));
                self.parts = splits.parts(self.id).iter().map(part).collect();
            }
        }
    }

    fn inner(&self, splits: &Splits, id: TypeId) -> Node {
        let around = [&*self.around, &[self.id]].concat();
        Node::new(splits, id, &around)
    }

    /// Returns the columns of the payload of a variant, if that takes bytes.
    pub(crate) fn payload(&mut self, splits: &Splits, variant: u64) -> Option<&mut Node> {
        let all = splits.parts(self.id);
        let id = all[all.binary_search_by_key(&variant, |(index, _)| *index).ok()?].1;
        let at = match self.parts.binary_search_by_key(&variant, |(index, _)| *index) {
            Ok(at) => at,
            Err(at) => {
                self.parts.insert(at, (variant, self.inner(splits, id)));
                at
            }
        };
        Some(&mut self.parts[at].1)
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
        let ints = self.ints.iter().copied();
        if let Some(bounds) = ints::bounds(int, ints.clone()) {
            ints::put(int, bounds, ints, out);
        }
        match self.kind {
            Kind::Nothing | Kind::Int(_) => {}
            Kind::Fixed(_) => out.extend_from_slice(&self.bytes),
            Kind::Text | Kind::Row => put_bytes(out, &self.bytes),
            Kind::Option | Kind::List => {
                for (_, part) in &mut self.parts {
                    put_u64(out, part.rows);
                    part.put(out);
                }
            }
            Kind::Enum => {
                put_u64(out, self.parts.iter().filter(|(_, part)| part.rows > 0).count() as u64);
                for (variant, part) in self.parts.iter_mut().filter(|(_, part)| part.rows > 0) {
                    put_u64(out, *variant);
                    put_u64(out, part.rows);
                    part.put(out);
                }
            }
            Kind::Group | Kind::Array(_) | Kind::Pointer => {
                self.parts.iter_mut().for_each(|(_, part)| part.put(out));
            }
        }
        self.rows = 0;
        self.ints.clear();
        self.bytes.clear();
    }
}
