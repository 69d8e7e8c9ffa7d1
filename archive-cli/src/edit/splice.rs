//! Formats in which a value is one range of bytes. Only these bytes are replaced, which keeps comments,
//! spaces and the spelling of numbers.

use std::ops::Range;

use archive::format::{Decoder, Encoder as _, Shape, ValueEncoder};
use archive::path::Pattern;
use archive::{Error, ErrorKind, Format, Result, Value};

use super::references::refers;
use super::{Change, insert, references};
use crate::input::{Input, options};
use crate::pump::Out;
use crate::select::select;
use crate::stream;
use crate::tree::{adapted, identical};

/// A range of bytes and its replacement.
pub type Piece = (Range<usize>, Vec<u8>);

/// Returns the changed bytes of a file, or `None` if nothing changes.
pub fn apply(input: &Input, changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let (mut pieces, mut has_pointers) = (Vec::<Piece>::new(), false);
    for change in changes {
        if let Some(name) = &change.new_member {
            let value = spelled(input, change, &change.value)?;
            pieces.extend(insert::member(input, &change.path, name, &value)?);
            has_pointers |= refers(&change.value);
            continue;
        }
        let (span, old) = find(input, change)?;
        if identical(&old, &change.value) {
            continue;
        }
        has_pointers |= refers(&old) || refers(&change.value);
        pieces.push((span, spelled(input, change, &adapted(&old, &change.value))?));
    }
    pieces.sort_by_key(|(span, _)| (span.start, span.end));
    // Two paths may lead to one object.
    pieces.dedup();
    if pieces.is_empty() {
        return Ok(None);
    }
    if let Some(two) = pieces.windows(2).find(|two| two[1].0.start < two[0].0.end) {
        let message = format_args!(
            "the value at byte {} is part of another one that is set as well",
            two[1].0.start
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let mut out = Vec::with_capacity(input.bytes.len());
    let mut at = 0;
    for (span, new) in pieces {
        out.extend_from_slice(&input.bytes[at..span.start]);
        out.extend_from_slice(&new);
        at = span.end;
    }
    out.extend_from_slice(&input.bytes[at..]);
    if has_pointers {
        references::check(input.format, &input.bytes, &out)?;
    }
    Ok(Some(out))
}

/// Returns the bytes of a new value, with the ids that its references have. JSON keeps the spelling of the
/// user.
fn spelled(input: &Input, change: &Change, value: &Value) -> Result<Vec<u8>> {
    if let (Some(text), Format::Json) = (&change.text, input.format) {
        return Ok(text.trim().as_bytes().to_vec());
    }
    stream::written(input.format, value, &options())
}

/// Returns the length of a byte order mark, which the offsets of values do not count.
pub fn mark_len(input: &Input) -> usize {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if input.format == Format::Json && input.bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Returns the range of the value that a change replaces, and the value.
fn find(input: &Input, change: &Change) -> Result<(Range<usize>, Value)> {
    let mut found = None;
    input.read(|from| {
        select(from, &Pattern::from(change.path.clone()), &mut |from, _| {
            let start = from.mark();
            let span = from.skip_span()?;
            from.recover(start);
            found = span.map(|span| (span, Value::Null));
            if let Some((_, old)) = &mut found {
                *old = tree(from)?;
            }
            Ok(())
        })
    })?;
    let (span, old) = found.ok_or_else(|| Error::custom("this value has no bytes of its own"))?;
    let mark = mark_len(input);
    Ok((span.start as usize + mark..span.end as usize + mark, old))
}

/// Returns the value at the cursor as a tree, with the ids of the file.
fn tree(from: &mut dyn Decoder) -> Result<Value> {
    let mut encoder = ValueEncoder::new();
    encoder.begin_root(&Shape::Any)?;
    Out::new(&mut encoder).pump(from)?;
    encoder.end_root()?;
    encoder.finish()
}
