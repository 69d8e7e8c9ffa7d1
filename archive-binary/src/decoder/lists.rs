//! Finds the long lists of a file, and stores their entries in columns.

use archive_core::Result;

use super::Decoder;
use crate::columnar::{Kind, MANY, Node, ROWS, Splits};
use crate::cursor::no_variant;
use crate::types::{Type, TypeId};
use crate::varint::{put_bytes, put_u64};

/// The data of a file, in which the lists that were found are blocks.
pub(super) struct Lists {
    splits: Splits,
    /// The number of entries from which on a list becomes blocks.
    many: u64,
    /// For each type, whether its values may contain a list that becomes blocks.
    contain: Vec<bool>,
    out: Vec<u8>,
    /// The end of the data that is in the output.
    copied: usize,
}

impl Lists {
    /// Whether values of a type contain no list that becomes blocks.
    pub(super) fn can_pass(&self, kind: TypeId) -> bool {
        kind.index().is_none_or(|index| !self.contain[index])
    }

    /// Stores the entries of the list at the cursor in blocks, if these are shorter. Returns `false`, and
    /// reads nothing, if they cannot be.
    pub(super) fn store(
        &mut self,
        from: &mut Decoder<'_>,
        item: TypeId,
        count: u64,
    ) -> Result<bool> {
        if count < self.many || !self.splits.become_blocks(item) {
            return Ok(false);
        }
        let start = from.data.at();
        let mut node = Node::new(&self.splits, item, &[]);
        let mut blocks = Vec::new();
        let mut left = count;
        while left > 0 {
            let rows = left.min(ROWS);
            if left < count {
                put_bytes(&mut blocks, &[]);
            }
            put_u64(&mut blocks, item.0.into());
            put_u64(&mut blocks, rows);
            for _ in 0..rows {
                from.gather(&mut node, &self.splits)?;
            }
            node.put(&mut blocks);
            left -= rows;
        }
        // Otherwise they are a part of the next run. Tests store short lists, whose blocks are longer.
        if blocks.len() < from.data.since(start).len() || self.many < MANY {
            let run = from.data.between(self.copied, start);
            put_bytes(&mut self.out, run);
            self.out.append(&mut blocks);
            self.copied = from.data.at();
        }
        Ok(true)
    }
}

impl Decoder<'_> {
    /// Whether the root is an object whose members the types do not list: one of a hand-written
    /// function, or the object around named roots.
    pub(crate) fn has_open_root(&self) -> bool {
        self.tables.root == TypeId::OBJECT
    }

    /// Appends the data of the file, in which lists of that many entries are blocks. Returns `None` if
    /// there are no blocks.
    pub(crate) fn put_columns(&mut self, out: Vec<u8>, many: u64) -> Result<Option<Vec<u8>>> {
        let splits = self.tables.splits();
        let contain = self.tables.containing(|described| match described {
            Type::Seq(item) | Type::Map(item) => splits.become_blocks(*item),
            _ => false,
        });
        let start = self.tables.start;
        self.data.goto(start);
        let mut lists = Lists { splits, many, contain, out, copied: start };
        self.walk_lists(self.tables.root, &mut lists)?;
        while self.data.at() < self.end {
            self.walk_lists(TypeId::POINTER, &mut lists)?;
        }
        put_bytes(&mut lists.out, self.data.since(lists.copied));
        Ok((lists.copied > start).then_some(lists.out))
    }

    /// Adds the value at the cursor to columns.
    fn gather(&mut self, node: &mut Node, splits: &Splits) -> Result {
        node.rows += 1;
        if !node.is_split {
            node.split(splits);
        }
        match node.kind {
            Kind::Nothing => {}
            Kind::Int(int) => node.ints.push(int.read(&mut self.data)?),
            Kind::Fixed(len) => node.bytes.extend_from_slice(self.data.take(len)?),
            Kind::Text => node.push(self.data.bytes()?),
            Kind::Option => {
                let has_value = self.data.flag("an option")?;
                node.ints.push(has_value.into());
                self.gather_all(node, splits, has_value.into())?;
            }
            Kind::Enum => {
                let at = self.data.at();
                let index = self.data.u64()?;
                node.ints.push(index);
                if index >= splits.variants(node.id) {
                    return Err(no_variant(index, at));
                }
                if let Some(payload) = node.payload(splits, index) {
                    self.gather(payload, splits)?;
                }
            }
            Kind::Group => {
                for (_, part) in &mut node.parts {
                    self.gather(part, splits)?;
                }
            }
            Kind::Array(len) => self.gather_all(node, splits, len)?,
            Kind::List => {
                let len = self.count(node.parts.is_empty())? as u64;
                node.ints.push(len);
                self.gather_all(node, splits, len)?;
            }
            Kind::Pointer => {
                let id = self.data;
                node.ints.push(self.data.u64()?);
                let object = self.data.at();
                self.data = id;
                self.skip_value(TypeId::POINTER)?;
                if let Some((_, objects)) = node.parts.first_mut() {
                    objects.rows += 1;
                    objects.push(self.data.since(object));
                }
            }
            Kind::Row => {
                let start = self.data.at();
                self.skip_value(node.id)?;
                node.push(self.data.since(start));
            }
        }
        Ok(())
    }

    /// Adds a number of values at the cursor to the only component, if that takes bytes.
    fn gather_all(&mut self, node: &mut Node, splits: &Splits, count: u64) -> Result {
        let Some((_, part)) = node.parts.first_mut() else { return Ok(()) };
        (0..count).try_for_each(|_| self.gather(part, splits))
    }
}
