//! Writes the values of a block.

use archive_core::put::padded;
use archive_core::shape::Primitive;
use rmp::Marker;

use super::Plan;
use crate::put;

impl Plan {
    /// Appends the values of a block.
    pub(crate) fn write(&self, block: &[u8], out: &mut Vec<u8>) {
        for mut value in block.chunks_exact(self.size) {
            for step in &self.steps {
                padded(out, &step.front, step.len);
                let Some(number) = value.split_off(..step.number.block_size().unwrap_or(0)) else {
                    return; // a value has all its numbers
                };
                write_number(step.number, number, out);
            }
        }
    }
}

/// Appends the numbers of a block that consists only of numbers. Returns `false` if there is no
/// fast form for this kind of number.
#[inline]
pub(crate) fn write_numbers(kind: Primitive, block: &[u8], out: &mut Vec<u8>) -> bool {
    macro_rules! each {
        ($($kind:ident)*) => {
            match kind {
                $(Primitive::$kind => {
                    let size = const { Primitive::$kind.block_size().unwrap() };
                    block.chunks_exact(size).for_each(|value| {
                        write_number(Primitive::$kind, value, out);
                    });
                })*
                Primitive::Bool => out.extend(block.iter().map(|value| FALSE + value)),
                Primitive::F32 => {
                    let (values, _) = block.as_chunks();
                    out.reserve(5 * values.len());
                    for value in values {
                        let [a, b, c, d] = *value;
                        out.extend_from_slice(&[Marker::F32.to_u8(), d, c, b, a]);
                    }
                }
                Primitive::F64 => {
                    let (values, _) = block.as_chunks();
                    out.reserve(9 * values.len());
                    for value in values {
                        let [a, b, c, d, e, f, g, h] = *value;
                        out.extend_from_slice(&[Marker::F64.to_u8(), h, g, f, e, d, c, b, a]);
                    }
                }
                _ => return false,
            }
        };
    }
    each!(U8 U16 U32 U64 I8 I16 I32 I64);
    true
}

const FALSE: u8 = 0xc2;

/// Appends a number after the bytes before it.
#[inline(always)]
fn write_number(kind: Primitive, value: &[u8], out: &mut Vec<u8>) {
    match kind {
        Primitive::F32 => out.extend_from_slice(&u32::from_le_bytes(whole(value)).to_be_bytes()),
        Primitive::F64 => out.extend_from_slice(&u64::from_le_bytes(whole(value)).to_be_bytes()),
        Primitive::Bool => out.push(FALSE + u8::from_le_bytes(whole(value))),
        Primitive::U8 => put::byte(out, u8::from_le_bytes(whole(value))),
        Primitive::U16 => put::short(out, u16::from_le_bytes(whole(value))),
        Primitive::U32 => unsigned(out, u32::from_le_bytes(whole(value))),
        Primitive::U64 => unsigned(out, u64::from_le_bytes(whole(value))),
        Primitive::I8 => put::signed_byte(out, i8::from_le_bytes(whole(value))),
        Primitive::I16 => signed(out, i16::from_le_bytes(whole(value))),
        Primitive::I32 => signed(out, i32::from_le_bytes(whole(value))),
        Primitive::I64 => signed(out, i64::from_le_bytes(whole(value))),
        _ => {} // no number of a plan
    }
}

#[inline]
fn unsigned(out: &mut Vec<u8>, value: impl Into<u64>) {
    put::integer(out, value.into(), false);
}

#[inline]
fn signed(out: &mut Vec<u8>, value: impl Into<i64>) {
    let value = value.into();
    put::integer(out, value as u64, value < 0);
}

/// Returns the bytes of a number; all of them are present.
#[inline]
fn whole<const N: usize>(value: &[u8]) -> [u8; N] {
    value.first_chunk().copied().unwrap_or([0; N])
}
