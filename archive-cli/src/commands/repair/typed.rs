//! Repairing binary and ObjectBlob files: the values before the damage are written as JSON, because
//! they are not a complete file.

use archive::error::Position;
use archive::{Error, ErrorKind, Format, Result, binary};

use super::text::as_json;
use crate::{show, stream};

/// Returns the readable part of a file, and a description of what was lost, which is empty for a
/// good file.
///
/// # Errors
/// An error if nothing can be read.
pub fn up_to_the_damage(
    format: Format,
    bytes: &[u8],
    name: &str,
) -> Result<(Vec<u8>, Vec<String>)> {
    let Err(error) = stream::check(format, bytes) else {
        return Ok((bytes.to_vec(), Vec::new()));
    };
    if format == Format::Binary
        && let Some(end) = end_of_binary(bytes)
    {
        let rest = show::bytes((bytes.len() - end) as u64);
        let lost = format!("{rest} at the end that did not belong to the file");
        return Ok((bytes[..end].to_vec(), vec![lost]));
    }
    let Some(kept) = as_json(format, bytes).ok().flatten() else {
        let hopeless = hopeless(format, &error);
        // Offsets are not those of the file.
        let is_expanded = format == Format::Binary && binary::columns::has_columns(bytes);
        let name = if is_expanded { format!("{name} (as rows)") } else { name.to_owned() };
        return Err(hopeless.in_file(name));
    };
    let position = error.position().unwrap_or(Position::Unknown);
    let place =
        if error.path().is_empty() { "the end".to_owned() } else { error.path().to_owned() };
    let lost = vec![
        format!("{place} and everything after it, at {position}: {}", error.message()),
        "the types: the readable values were written as JSON".to_owned(),
    ];
    Ok((kept, lost))
}

/// Returns the end of a binary file that is followed by other data, such as zeros. The last eight
/// bytes of a file are its length.
fn end_of_binary(bytes: &[u8]) -> Option<usize> {
    // The length of the tables comes before that of the file.
    const FOOTER: usize = 16;
    let is_end = |end: &usize| {
        let len = bytes[..*end].last_chunk().map(|len| u64::from_le_bytes(*len));
        len == Some(*end as u64)
    };
    // A forged file may have many possible ends.
    const MAX_ENDS: usize = 16;
    let mut ends = (FOOTER..bytes.len()).rev().filter(is_end).take(MAX_ENDS);
    ends.find(|end| {
        binary::inspect_types(&bytes[..*end]).is_ok()
            && stream::check(Format::Binary, &bytes[..*end]).is_ok()
    })
}

/// Returns the error for an unreadable file.
#[cold]
fn hopeless(format: Format, error: &Error) -> Error {
    let why = match (format, error.kind()) {
        (Format::Binary, ErrorKind::UnexpectedEnd) => {
            "a binary file cannot be read without the types at its end, so use a backup"
        }
        (Format::Binary, _) => "no value before the damage can be read, so use a backup",
        _ => {
            "an ObjectBlob file that is cut short cannot be read, because its sizes come first, so \
             use a backup"
        }
    };
    let new = Error::new(error.kind(), format_args!("{why}: {}", error.message()));
    new.at(error.position().unwrap_or(Position::Unknown))
}
