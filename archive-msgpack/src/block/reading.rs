//! Reads values into a block.

use archive_core::shape::Primitive;
use archive_core::{Integer, Number};

use super::Plan;
use super::plan::Step;
use crate::cursor::Cursor;

impl Plan {
    /// Appends `count` consecutive values to a block. Returns `None` if one of them differs from
    /// the plan.
    pub(crate) fn read(
        &self,
        cursor: &mut Cursor<'_>,
        count: usize,
        block: &mut Vec<u8>,
    ) -> Option<()> {
        // Reserves no more memory than the length of the input, because the count is not verified
        // yet.
        block.reserve(self.size.saturating_mul(count).min(cursor.left()));
        for _ in 0..count {
            for step in &self.steps {
                step.pass(cursor)?;
                match step.number {
                    Primitive::F32 => {
                        let bits = u32::from_be_bytes(cursor.bytes()?);
                        block.extend_from_slice(&bits.to_le_bytes());
                    }
                    Primitive::F64 => {
                        let bits = u64::from_be_bytes(cursor.bytes()?);
                        block.extend_from_slice(&bits.to_le_bytes());
                    }
                    Primitive::Bool => {
                        let value = cursor.byte().checked_sub(0xc2).filter(|value| *value < 2)?;
                        cursor.at += 1;
                        block.push(value);
                    }
                    Primitive::U8 => block.push(integer::<u8>(cursor)?),
                    Primitive::U16 => {
                        block.extend_from_slice(&integer::<u16>(cursor)?.to_le_bytes())
                    }
                    Primitive::U32 => {
                        block.extend_from_slice(&integer::<u32>(cursor)?.to_le_bytes())
                    }
                    Primitive::U64 => {
                        block.extend_from_slice(&integer::<u64>(cursor)?.to_le_bytes())
                    }
                    Primitive::I8 => block.extend_from_slice(&integer::<i8>(cursor)?.to_le_bytes()),
                    Primitive::I16 => {
                        block.extend_from_slice(&integer::<i16>(cursor)?.to_le_bytes())
                    }
                    Primitive::I32 => {
                        block.extend_from_slice(&integer::<i32>(cursor)?.to_le_bytes())
                    }
                    Primitive::I64 => {
                        block.extend_from_slice(&integer::<i64>(cursor)?.to_le_bytes())
                    }
                    _ => return None,
                }
            }
        }
        Some(())
    }
}

impl Step {
    /// Skips the bytes before a number.
    #[inline]
    fn pass(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        let rest = cursor.rest();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => last_word(rest),
        };
        let same = (word ^ self.word) & self.mask == 0
            && (self.len <= 8 || rest.get(8..self.len) == self.front.get(8..self.len));
        cursor.at += self.len;
        // At the end of the input there may be fewer bytes than the mask covers.
        (same && self.len <= rest.len()).then_some(())
    }
}

/// Returns a word from less than eight bytes.
#[cold]
fn last_word(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte))
}

#[inline]
fn integer<T: Integer>(cursor: &mut Cursor<'_>) -> Option<T> {
    let byte = cursor.byte();
    if byte < 0x80 {
        cursor.at += 1;
        return T::try_from(i128::from(byte)).ok();
    }
    match cursor.long_integer() {
        Some(value) => Some(value),
        None => last_integer(cursor),
    }
}

/// Reads an integer at the end of the input.
#[cold]
fn last_integer<T: Integer>(cursor: &mut Cursor<'_>) -> Option<T> {
    Number::Int(cursor.integer().ok()??).to_integer().ok()
}
