//! Columns to rows.

use archive_core::Result;

use super::ints::{EXPANSION, Int, Ints};
use super::splits::{Kind, ROWS, Splits};
use crate::container::{HEADER, put_header};
use crate::cursor::{Cursor, no_variant, syntax, too_many};
use crate::types::TypeId;

/// Returns the start of a file up to the end of its data, with rows in place of columns.
pub(super) fn expand(file: &[u8], splits: &Splits) -> Result<Vec<u8>> {
    let from = &mut Cursor::new(file, HEADER);
    let len = from.u64()?;
    if len / EXPANSION > file.len() as u64 {
        return Err(too_many(len, from.left(), HEADER));
    }
    let end = HEADER + len as usize;
    let mut rows = Vec::with_capacity(end);
    put_header(&mut rows);
    rows.extend_from_slice(from.bytes()?);
    while from.left() > 0 && rows.len() <= end {
        let at = from.at();
        let item = u32::try_from(from.u64()?).ok().map(TypeId);
        // Each entry of a block takes at least a bit.
        let item = item.filter(|id| splits.has(*id) && splits.has_columns(*id));
        let count = from.u64()?;
        let Some(item) = item.filter(|_| count <= ROWS) else {
            return Err(syntax("there is no such block", at));
        };
        let mut block = Columns::open(splits, item, &mut Vec::new(), count, from)?;
        for _ in 0..count {
            block.copy(splits, &mut rows)?;
        }
        if !block.is_done() {
            return Err(syntax("a block has more values than its entries", at));
        }
        rows.extend_from_slice(from.bytes()?);
    }
    if rows.len() != end {
        let message = format_args!("the rows of the columns do not have {len} bytes");
        return Err(syntax(message, HEADER));
    }
    Ok(rows)
}

/// The columns of the values of one type at one place.
struct Columns<'a> {
    kind: Kind,
    id: TypeId,
    /// The number of values that are left.
    left: u64,
    ints: Ints<'a>,
    /// The bytes of all values.
    bytes: Cursor<'a>,
    /// The components, unless there are no values.
    parts: Vec<Columns<'a>>,
}

impl<'a> Columns<'a> {
    /// Reads the columns at the cursor, of a type inside of other types.
    fn open(
        splits: &Splits,
        id: TypeId,
        around: &mut Vec<TypeId>,
        rows: u64,
        from: &mut Cursor<'a>,
    ) -> Result<Self> {
        let (id, kind) = splits.kind(id, around);
        let none = Cursor::new(&[], 0);
        let (ints, parts) = (Ints::EMPTY, Vec::new());
        let mut columns = Columns { kind, id, left: rows, ints, bytes: none, parts };
        if rows == 0 {
            return Ok(columns);
        }
        let at = from.at();
        match kind {
            Kind::Nothing | Kind::Group | Kind::Array(_) => {}
            Kind::Fixed(len) => {
                let len = rows.saturating_mul(len);
                columns.bytes = Cursor::new(from.take(len)?, 0);
            }
            Kind::Int(int) => columns.ints = Ints::open(int, rows, from)?,
            _ => columns.ints = Ints::open(Int::VARINT, rows, from)?,
        }
        around.push(id);
        match kind {
            Kind::Nothing | Kind::Int(_) | Kind::Fixed(_) => {}
            Kind::Text | Kind::Row => columns.bytes = Cursor::new(from.bytes()?, 0),
            Kind::Pointer => {
                columns.parts.push(Columns {
                    kind: Kind::Row,
                    id,
                    left: rows,
                    ints: Ints::open(Int::VARINT, rows, from)?,
                    bytes: Cursor::new(from.bytes()?, 0),
                    parts: Vec::new(),
                });
            }
            Kind::Group | Kind::Array(_) => {
                let len = if let Kind::Array(len) = kind { len } else { 1 };
                let Some(rows) = rows.checked_mul(len) else {
                    return Err(too_many(len, from.left(), at));
                };
                for (_, part) in splits.parts(id) {
                    columns.parts.push(Columns::open(splits, *part, around, rows, from)?);
                }
            }
            Kind::Option | Kind::Enum | Kind::List => {
                for (_, part) in splits.parts(id) {
                    let rows = from.u64()?;
                    columns.parts.push(Columns::open(splits, *part, around, rows, from)?);
                }
            }
        }
        around.pop();
        Ok(columns)
    }

    /// Copies the next value to the rows.
    fn copy(&mut self, splits: &Splits, rows: &mut Vec<u8>) -> Result {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(syntax("a block has fewer values than its entries", self.ints.at()));
        };
        self.left = left;
        match self.kind {
            Kind::Nothing => {}
            Kind::Int(_) => drop(self.ints.copy(rows)?),
            Kind::Fixed(len) => rows.extend_from_slice(self.bytes.take(len)?),
            Kind::Text => {
                let len = self.ints.copy(rows)?;
                rows.extend_from_slice(self.bytes.take(len)?);
            }
            Kind::Option | Kind::List => {
                let count = self.ints.copy(rows)?;
                self.copy_all(splits, count, rows)?;
            }
            Kind::Array(len) => self.copy_all(splits, len, rows)?,
            Kind::Enum => {
                let index = self.ints.copy(rows)?;
                let parts = splits.parts(self.id);
                if index >= splits.variants(self.id) {
                    return Err(no_variant(index, self.ints.at()));
                }
                if let Ok(part) = parts.binary_search_by_key(&index, |(index, _)| *index) {
                    self.parts[part].copy(splits, rows)?;
                }
            }
            Kind::Group => {
                for part in &mut self.parts {
                    part.copy(splits, rows)?;
                }
            }
            Kind::Pointer => {
                self.ints.copy(rows)?;
                self.parts[0].copy(splits, rows)?;
            }
            Kind::Row => {
                let len = self.ints.next()?;
                rows.extend_from_slice(self.bytes.take(len)?);
            }
        }
        Ok(())
    }

    /// Whether all values were copied.
    fn is_done(&self) -> bool {
        self.left == 0 && self.bytes.left() == 0 && self.parts.iter().all(Columns::is_done)
    }

    fn copy_all(&mut self, splits: &Splits, count: u64, rows: &mut Vec<u8>) -> Result {
        let Some(part) = self.parts.first_mut() else { return Ok(()) };
        (0..count).try_for_each(|_| part.copy(splits, rows))
    }
}
