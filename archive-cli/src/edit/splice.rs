//! Formats in which a value is one range of bytes: only these bytes are replaced, so that comments,
//! spaces and the spelling of numbers stay.

use std::ops::Range;

use archive::backend::ValueEncoder;
use archive::backend::{Decoder, Encoder as _, Shape};
use archive::path::Pattern;
use archive::{Error, ErrorKind, Format, Result, Value};

use super::Change;
use crate::input::{Input, options};
use crate::pump::Out;
use crate::select::select;
use crate::tree::{adapted, identical};

/// Returns the bytes of a file with values replaced, or `None` if they are what the file has.
pub fn apply(input: &Input, changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut pieces: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    for change in changes {
        let (span, old) = find(input, change)?;
        if identical(&old, &change.value) {
            continue;
        }
        let new = match (&change.text, input.format) {
            (Some(text), Format::Json) => text.trim().as_bytes().to_vec(),
            _ => input.format.to_vec_with(&adapted(&old, &change.value), &options())?,
        };
        pieces.push((span, new));
    }
    pieces.sort_by_key(|(span, _)| (span.start, span.end));
    // Two paths may lead to one object.
    pieces.dedup();
    if pieces.is_empty() {
        return Ok(None);
    }
    if let Some(two) = pieces.windows(2).find(|two| two[1].0.start < two[0].0.end) {
        let message =
            format_args!("a value at byte {} is in another one that is set", two[1].0.start);
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
    Ok(Some(out))
}

/// Returns where a value is, and what it is.
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
    let (span, old) =
        found.ok_or_else(|| Error::custom("the format does not say where values are"))?;
    Ok((span.start as usize..span.end as usize, old))
}

/// Returns the value at the cursor as a tree, with the ids of the file.
fn tree(from: &mut dyn Decoder) -> Result<Value> {
    let mut encoder = ValueEncoder::new();
    encoder.begin_root(&Shape::Any)?;
    Out::new(&mut encoder).pump(from)?;
    encoder.end_root()?;
    encoder.finish()
}
