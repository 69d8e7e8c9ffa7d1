//! Repairing JSON and MessagePack: everything before the damage is kept, and open containers are closed.

use archive::error::Position;
use archive::format::{Decoder, Encoder};
use archive::path::Path;
use archive::shape::Shape;
use archive::{Error, ErrorKind, Format, Result, Value};

use super::msgpack;
use crate::input::{options, tree_options, utf16};
use crate::nothing::Nothing;
use crate::pump::{Out, Twice};
use crate::{show, stream};

/// Returns the readable part of a file, and a description of what was lost, which is empty for a
/// good file.
///
/// # Errors
/// An error if nothing can be read.
pub fn up_to_the_hole(format: Format, bytes: &[u8], name: &str) -> Result<(Vec<u8>, Vec<String>)> {
    if format == Format::Json
        && let Some(text) = utf16(bytes)
    {
        let (kept, mut lost) = up_to_the_hole(format, text.as_bytes(), name)?;
        lost.insert(0, "nothing but the encoding UTF-16: the text was written as UTF-8".to_owned());
        return Ok((kept, lost));
    }
    let mut nothing = Nothing;
    let mut out = Out::new(&mut nothing);
    out.twice = Twice::Noted(None);
    let error = match (stream::bytes(format, bytes, &mut out), out.twice) {
        (Ok(()), Twice::Noted(Some(error))) => return without_duplicates(format, bytes, &error),
        (Ok(()), _) => return Ok((bytes.to_vec(), Vec::new())),
        (Err(error), _) => error,
    };
    let position = error.position().unwrap_or(Position::Unknown);
    let kept = match position {
        Position::Offset(hole) => msgpack::closed(bytes, hole as usize),
        // A text that was cut may end within a number.
        _ if error.kind() == ErrorKind::UnexpectedEnd => {
            as_json(Format::Json, without_last_number(bytes))?
        }
        _ => as_json(Format::Json, bytes)?,
    };
    let Some(kept) = kept else { return Err(error.in_file(name)) };
    let place = match position {
        Position::Offset(_) => format!("everything after {}", last_of(format, &kept)?),
        _ if error.path().is_empty() => "everything after the value".to_owned(),
        _ => format!("{} and everything after it", error.path()),
    };
    let mut lost = vec![format!("{place}, at {position}: {}", error.message())];
    if let Position::Offset(offset) = position {
        let (all, lost_bytes) = (bytes.len() as u64, (bytes.len() as u64).saturating_sub(offset));
        lost.push(format!("{} of {}", show::bytes(lost_bytes), show::bytes(all)));
    }
    Ok((kept, lost))
}

/// Returns a file without the members whose names occur again in their object.
fn without_duplicates(
    format: Format,
    bytes: &[u8],
    error: &Error,
) -> Result<(Vec<u8>, Vec<String>)> {
    let value: Value = format.from_slice_with(bytes, &tree_options(bytes.len()))?;
    let options = options().pretty(is_pretty(format, bytes));
    let mut new = stream::written(format, &value, &options)?;
    if format == Format::Json {
        new.push(b'\n');
    }
    let lost = format!(
        "{}: all but the last one of the members of that name, and others like it",
        error.path()
    );
    Ok((new, vec![lost]))
}

fn is_pretty(format: Format, bytes: &[u8]) -> bool {
    format != Format::Json || bytes.iter().take(256).any(|byte| *byte == b'\n')
}

/// Returns the path of the last value of a file.
fn last_of(format: Format, bytes: &[u8]) -> Result<String> {
    let value: Value = format.from_slice_with(bytes, &options())?;
    let (mut path, mut at) = (Path::new(), &value);
    loop {
        at = match at {
            Value::Array(items) if !items.is_empty() => {
                path.push(items.len() - 1);
                &items[items.len() - 1]
            }
            Value::Object(members) if !members.is_empty() => {
                let (name, value) = &members[members.len() - 1];
                path.push(name.as_str());
                value
            }
            _ => break,
        };
    }
    Ok(if path.is_empty() { "the value".to_owned() } else { path.to_string() })
}

/// Returns the values of a file that are before the damage, as JSON. Returns `None` if there are none.
///
/// # Errors
/// An error if the file cannot be opened.
pub fn as_json(format: Format, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let options = options().pretty(is_pretty(format, bytes));
    let mut encoder = Format::Json.erased().encoder(&options, None);
    let bytes = format.erased().expand(bytes, &options)?;
    let mut decoder = format.erased().decoder(&bytes, &options)?;
    let (from, to): (&mut dyn Decoder, &mut dyn Encoder) = (decoder.decoder(), encoder.encoder());
    from.begin_root(&Shape::Any)?;
    to.begin_root(&Shape::Any)?;
    let mut out = Out::new(to);
    out.twice = Twice::Noted(None);
    // The damage may be after the value.
    if out.pump(from).is_err() && !out.close()? {
        return Ok(None);
    }
    to.end_root()?;
    let mut written = encoder.finish()?;
    written.push(b'\n');
    Ok(Some(written))
}

fn without_last_number(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !b"0123456789+-.eE".contains(byte));
    end.map_or(&[], |end| &bytes[..=end])
}
