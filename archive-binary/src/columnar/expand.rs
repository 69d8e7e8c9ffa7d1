//! Columns to rows.

use archive_core::shape::Primitive;
use archive_core::{Error, ErrorKind, Result};

use super::ints::{EXPANSION, Int, Ints, too_few};
use super::splits::{Kind, ROWS, Splits};
use crate::container::{self, HEADER};
use crate::cursor::{Cursor, offset, syntax, too_many};
use crate::types::TypeId;

/// A block of a file that is turned into rows.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The type of the entries, and their number.
    pub(crate) item: TypeId,
    pub(crate) count: u64,
    /// The offset of the block.
    pub(crate) at: usize,
    /// The end of the rows before the block.
    pub(crate) row: usize,
}

/// Returns whether the rows of a block are left out.
pub(crate) type LeaveOut<'l> = &'l mut dyn FnMut(Block) -> bool;

/// Returns the start of a file up to the end of its data, with rows in place of columns. The types
/// are read when the first block is found.
pub(crate) fn expand(
    file: &[u8],
    read_splits: impl Fn() -> Result<Splits>,
    leave_out: LeaveOut<'_>,
) -> Result<Vec<u8>> {
    let from = &mut Cursor::new(file, HEADER);
    let len = from.u64()?;
    let end = usize::try_from(len).ok().and_then(|len| len.checked_add(HEADER));
    let Some(end) = end.filter(|_| len / EXPANSION <= file.len() as u64) else {
        return Err(too_many(len, from.left(), HEADER));
    };
    // A length that is not true reserves no more than a few times the file.
    let mut rows = Vec::with_capacity(end.min(4 * file.len()));
    container::put_header_of(container::version(file), false, &mut rows);
    rows.extend_from_slice(from.bytes()?);
    let mut has_gaps = false;
    let leave_out = &mut |block| {
        let leaves = leave_out(block);
        has_gaps |= leaves;
        leaves
    };
    copy_blocks(from, end, read_splits, &mut rows, leave_out)?;
    if rows.len() != end && !has_gaps {
        let message = format_args!("the rows of the columns do not have {len} bytes");
        return Err(syntax(message, HEADER));
    }
    Ok(rows)
}

/// Copies blocks, each with the rows after it, as long as the rows have no more than `end` bytes.
pub(crate) fn copy_blocks(
    from: &mut Cursor<'_>,
    end: usize,
    read_splits: impl Fn() -> Result<Splits>,
    rows: &mut Vec<u8>,
    leave_out: LeaveOut<'_>,
) -> Result {
    let mut splits = None;
    while from.left() > 0 && rows.len() <= end {
        let at = from.at();
        let splits = match &mut splits {
            Some(splits) => splits,
            none => none.insert(read_splits()?),
        };
        let item = u32::try_from(from.u64()?).ok().map(TypeId);
        let count = from.u64()?;
        let Some(item) = item.filter(|id| (1..=ROWS).contains(&count) && splits.become_blocks(*id))
        else {
            return Err(syntax("there is no such block", at));
        };
        let mut block = Columns::open(splits, item, &mut Vec::new(), count, from)?;
        if !leave_out(Block { item, count, at, row: rows.len() }) {
            let copied = (0..count).try_for_each(|_| block.copy(splits, rows));
            copied.map_err(|error| error.at(offset(at)))?;
            if !block.is_done() {
                return Err(syntax("a block has more values than its entries", at));
            }
        }
        rows.extend_from_slice(from.bytes()?);
    }
    Ok(())
}

/// The columns of the values of one type at one place. There are only those that have values.
struct Columns<'a> {
    kind: Kind,
    id: TypeId,
    /// The number of values that are left.
    left: u64,
    ints: Ints<'a>,
    /// The bytes of the values that are left.
    bytes: &'a [u8],
    /// The components. Those of an enum are the payloads of the variants with these indices.
    parts: Vec<(u64, Columns<'a>)>,
}

impl<'a> Columns<'a> {
    fn new(kind: Kind, id: TypeId, rows: u64) -> Self {
        Columns { kind, id, left: rows, ints: Ints::EMPTY, bytes: &[], parts: Vec::new() }
    }

    /// Reads the columns at the cursor, of values of a type inside of other types.
    fn open(
        splits: &Splits,
        id: TypeId,
        around: &mut Vec<TypeId>,
        rows: u64,
        from: &mut Cursor<'a>,
    ) -> Result<Self> {
        let (id, kind) = splits.kind(id, around);
        let mut columns = Columns::new(kind, id, rows);
        if rows == 0 {
            return Ok(columns);
        }
        let at = from.at();
        match kind {
            Kind::Nothing | Kind::Group | Kind::Array(_) => {}
            Kind::Fixed(len) => columns.bytes = from.take(rows.saturating_mul(len))?,
            Kind::Int(int) => columns.ints = Ints::open(int, rows, from)?,
            _ => columns.ints = Ints::open(Int::VARINT, rows, from)?,
        }
        let parts = splits.parts(id);
        around.push(id);
        match kind {
            Kind::Nothing | Kind::Int(_) | Kind::Fixed(_) => {}
            Kind::Text | Kind::Row => columns.bytes = from.bytes()?,
            Kind::Pointer => {
                let mut objects = Columns::new(Kind::Row, id, rows);
                objects.ints = Ints::open(Int::VARINT, rows, from)?;
                objects.bytes = from.bytes()?;
                columns.parts.push((0, objects));
            }
            Kind::Group | Kind::Array(_) => {
                let len = if let Kind::Array(len) = kind { len } else { 1 };
                let Some(rows) = rows.checked_mul(len) else {
                    return Err(too_many(len, from.left(), at));
                };
                columns.parts.reserve_exact(parts.len().min(from.left()));
                for (index, part) in parts {
                    let part = Columns::open(splits, *part, around, rows, from)?;
                    columns.parts.push((*index, part));
                }
            }
            Kind::Option | Kind::List => {
                for (index, part) in parts {
                    let rows = from.u64()?;
                    if rows > 0 {
                        let part = Columns::open(splits, *part, around, rows, from)?;
                        columns.parts.push((*index, part));
                    }
                }
            }
            Kind::Enum => columns.open_payloads(splits, around, from)?,
        }
        around.pop();
        Ok(columns)
    }

    /// Reads the payloads of an enum: their number, and the index, the number of values and the columns
    /// of each.
    fn open_payloads(
        &mut self,
        splits: &Splits,
        around: &mut Vec<TypeId>,
        from: &mut Cursor<'a>,
    ) -> Result {
        let all = splits.parts(self.id);
        for _ in 0..from.count()? {
            let at = from.at();
            let (index, rows) = (from.u64()?, from.u64()?);
            let found = all.binary_search_by_key(&index, |(index, _)| *index);
            let is_next = self.parts.last().is_none_or(|(last, _)| *last < index);
            let Some((_, part)) = found.ok().filter(|_| is_next && rows > 0).map(|at| all[at])
            else {
                return Err(syntax("the payloads of an enum are not those of its variants", at));
            };
            self.parts.push((index, Columns::open(splits, part, around, rows, from)?));
        }
        Ok(())
    }

    /// Copies the next value to the rows.
    fn copy(&mut self, splits: &Splits, rows: &mut Vec<u8>) -> Result {
        let Some(left) = self.left.checked_sub(1) else { return Err(too_few()) };
        self.left = left;
        match self.kind {
            Kind::Nothing => {}
            Kind::Int(_) => drop(self.ints.copy(rows)?),
            Kind::Fixed(len) => self.copy_bytes(len, rows)?,
            Kind::Text => {
                let len = self.ints.copy(rows)?;
                self.copy_bytes(len, rows)?;
            }
            Kind::Option | Kind::List => {
                let count = self.ints.copy(rows)?;
                self.copy_all(splits, count, rows)?;
            }
            Kind::Array(len) => self.copy_all(splits, len, rows)?,
            Kind::Enum => {
                let index = self.ints.copy(rows)?;
                if let Ok(part) = self.parts.binary_search_by_key(&index, |(index, _)| *index) {
                    self.parts[part].1.copy(splits, rows)?;
                } else if index >= splits.variants(self.id) {
                    let message = format_args!("there is no variant {index}");
                    return Err(Error::new(ErrorKind::Syntax, message));
                } else if splits.parts(self.id).binary_search_by_key(&index, |(at, _)| *at).is_ok()
                {
                    return Err(too_few());
                }
            }
            Kind::Group => {
                for (_, part) in &mut self.parts {
                    part.copy(splits, rows)?;
                }
            }
            Kind::Pointer => {
                self.ints.copy(rows)?;
                self.copy_all(splits, 1, rows)?;
            }
            Kind::Row => {
                let start = rows.len();
                let len = self.ints.next()?;
                self.copy_bytes(len, rows)?;
                if matches!(self.id.primitive(), Some(Primitive::U128 | Primitive::I128)) {
                    let mut row = Cursor::new(rows, start);
                    row.u128()?;
                    if row.left() > 0 {
                        return Err(too_few());
                    }
                }
            }
        }
        Ok(())
    }

    fn copy_bytes(&mut self, len: u64, rows: &mut Vec<u8>) -> Result {
        let next = usize::try_from(len).ok().and_then(|len| self.bytes.split_at_checked(len));
        let Some((next, rest)) = next else { return Err(too_few()) };
        rows.extend_from_slice(next);
        self.bytes = rest;
        Ok(())
    }

    /// Copies a number of values of the only component, if that takes bytes.
    fn copy_all(&mut self, splits: &Splits, count: u64, rows: &mut Vec<u8>) -> Result {
        match self.parts.first_mut() {
            Some((_, part)) => (0..count).try_for_each(|_| part.copy(splits, rows)),
            None if count == 0 || splits.parts(self.id).is_empty() => Ok(()),
            None => Err(too_few()),
        }
    }

    /// Whether all values were copied.
    fn is_done(&self) -> bool {
        self.left == 0 && self.bytes.is_empty() && self.parts.iter().all(|(_, part)| part.is_done())
    }
}
