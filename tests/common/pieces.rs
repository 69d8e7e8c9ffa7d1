//! Trees that are written piece by piece.

use archive::format::{Encoder, Patch, Pieces, encoder, patch};
use archive::shape::{OBJECT, Shape};
use archive::value::Number;
use archive::{Result, Value};

/// Writes a tree, and flushes the output when more than `most` bytes are pending. Returns the
/// complete output, and the number of flushed bytes.
pub fn in_pieces<E: Pieces>(mut encoder: E, tree: &Value, most: usize) -> Result<(Vec<u8>, usize)> {
    let mut passed = Vec::new();
    encoder.begin_root(&Shape::Any)?;
    write(&mut encoder, tree, &mut |encoder: &mut E| {
        if encoder.pending() <= most {
            return Ok(());
        }
        encoder.pass_on(&mut |bytes| {
            passed.extend_from_slice(bytes);
            Ok(())
        })
    })?;
    encoder.end_root()?;
    let (rest, patches) = encoder.into_pieces()?;
    let count = passed.len();
    passed.extend(rest);
    Ok((patched(&passed, patches)?, count))
}

fn patched(bytes: &[u8], patches: Vec<Patch>) -> Result<Vec<u8>> {
    let (mut left, mut out) = (bytes, Vec::new());
    let feed = &mut |buffer: &mut [u8]| {
        let (now, rest) = left.split_at(left.len().min(buffer.len()));
        buffer[..now.len()].copy_from_slice(now);
        left = rest;
        Ok(now.len())
    };
    patch(patches, feed, &mut |bytes| {
        out.extend_from_slice(bytes);
        Ok(())
    })?;
    Ok(out)
}

/// Writes a tree in the calls of one that is read. Calls `between` before each item and member.
pub fn write<E: Encoder>(
    to: &mut E,
    value: &Value,
    between: &mut dyn FnMut(&mut E) -> Result,
) -> Result {
    match value {
        Value::Null => to.null(),
        Value::Bool(value) => to.bool(*value),
        Value::Number(Number::Int(value)) => match (i64::try_from(*value), u64::try_from(*value)) {
            (Ok(value), _) => to.i64(value),
            (_, Ok(value)) => to.u64(value),
            _ => to.i128(*value),
        },
        Value::Number(Number::UInt(value)) => to.u128(*value),
        Value::Number(Number::F32(value)) => to.f32(*value),
        Value::Number(Number::F64(value)) => to.f64(*value),
        Value::Str(text) => to.str(text),
        Value::Bytes(bytes) => to.bytes(bytes),
        Value::Array(items) => {
            to.begin_seq(&Shape::Any, encoder::UNCOUNTED)?;
            for item in items {
                between(to)?;
                to.item()?;
                write(to, item, between)?;
            }
            to.end_seq()
        }
        Value::Object(members) => {
            to.begin_object(&OBJECT)?;
            for (name, value) in members {
                between(to)?;
                to.member(name, &Shape::Any)?;
                write(to, value, between)?;
            }
            to.end_object()
        }
    }
}
