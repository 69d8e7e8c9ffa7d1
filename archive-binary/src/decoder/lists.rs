//! Finds the long lists of a file, and stores their entries in columns.

use archive_core::Result;

use super::Decoder;
use crate::columns::{Kind, Node, ROWS, Splits};
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

    /// Stores the entries of the list at the cursor in blocks. Returns `false`, and reads nothing, if
    /// they are stored as rows.
    pub(super) fn store(
        &mut self,
        from: &mut Decoder<'_>,
        item: TypeId,
        count: u64,
    ) -> Result<bool> {
        if count < self.many || !self.splits.has_columns(item) {
            return Ok(false);
        }
        put_bytes(&mut self.out, from.data.since(self.copied));
        let mut node = Node::new(&self.splits, item, &[]);
        let mut left = count;
        while left > 0 {
            let rows = left.min(ROWS);
            if left < count {
                put_bytes(&mut self.out, &[]);
            }
            put_u64(&mut self.out, item.0.into());
            put_u64(&mut self.out, rows);
            for _ in 0..rows {
                from.gather(&mut node, &self.splits)?;
            }
            node.put(&mut self.out);
            left -= rows;
        }
        self.copied = from.data.at();
        Ok(true)
    }
}

impl Decoder<'_> {
    /// Whether the root is an object whose members the types do not list: one of a hand-written
    /// function, or the object around named roots.
    pub(crate) fn has_open_root(&self) -> bool {
        self.tables.root == TypeId::OBJECT
    }

    /// Appends the data of the file, in which long lists are blocks.
    pub(crate) fn put_columns(&mut self, out: Vec<u8>, many: u64) -> Result<Vec<u8>> {
        let splits = self.tables.splits();
        let contain = self.tables.containing(|described| match described {
            Type::Seq(item) | Type::Map(item) => splits.has_columns(*item),
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
        Ok(lists.out)
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
                let part = splits.parts(node.id).binary_search_by_key(&index, |(index, _)| *index);
                if let Ok(part) = part {
                    self.gather(&mut node.parts[part], splits)?;
                }
            }
            Kind::Group => {
                for part in &mut node.parts {
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
                node.parts[0].rows += 1;
                node.parts[0].push(self.data.since(object));
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
        let Some(part) = node.parts.first_mut() else { return Ok(()) };
        (0..count).try_for_each(|_| self.gather(part, splits))
    }
}
