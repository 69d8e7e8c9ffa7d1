//! Detects the kind of a file by its first bytes, and if they are ambiguous, by its name.

use std::path::{Path, PathBuf};

use archive::save::SaveFile;
use archive::store::storage::export_path;
use archive::{Error, ErrorKind, Format, Result};

use super::formats::bins_format;
use super::{Kind, untyped};
use crate::stream;

/// Detects the kind of a file. `is_whole` says whether `start` is the whole file.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if it is not in a known format.
pub fn detect(start: &[u8], is_whole: bool, path: Option<&Path>) -> Result<Kind> {
    if let Some(kind) = signature(start) {
        return Ok(kind);
    }
    if let Some(packet) = untyped::refuse_packet(start, path) {
        return Err(packet);
    }
    let named = path.and_then(by_name);
    let found = match Format::detect(start) {
        Ok(format @ (Format::Blob | Format::MessagePack)) => {
            named.map_or_else(|| without_signature(format, start, is_whole), Ok)
        }
        Ok(format) => Ok(format),
        Err(error) if start.is_empty() => return Err(error),
        Err(error) if start.iter().all(|byte| *byte == 0) => Err(error),
        Err(error) => named.or_else(|| by_first_bytes(start)).ok_or(error),
    };
    match found {
        Ok(format) => Ok(Kind::Value(format)),
        Err(error) => {
            if let Some(kind) = path.and_then(by_neighbours) {
                return Ok(kind);
            }
            match untyped::guess(start, path) {
                Some(guess) => {
                    let message = format_args!("{}: {guess}", error.message());
                    Err(Error::new(ErrorKind::Unsupported, message))
                }
                // The decoder returns the error.
                None if path.is_some_and(is_binary) => Ok(Kind::Value(Format::Binary)),
                None if start.is_empty() => Err(error),
                None => {
                    let message = format_args!(
                        "{}; the known formats are JSON, binary, MessagePack, ObjectBlob, Bins, save files and object stores",
                        error.message()
                    );
                    Err(Error::new(ErrorKind::Unsupported, message))
                }
            }
        }
    }
}

/// Returns the kind of a file with a signature.
fn signature(start: &[u8]) -> Option<Kind> {
    if SaveFile::detect(start) {
        return Some(Kind::Save);
    }
    if start.starts_with(b"redb") {
        return Some(Kind::Rows);
    }
    [bins_format(), Format::Binary]
        .into_iter()
        .find(|format| format.erased().detect(start))
        .map(Kind::Value)
}

/// Returns the format that the name of a file says, if files of that format may lack a signature.
fn by_name(path: &Path) -> Option<Format> {
    // `.sav` is also the name of save files.
    let is_save = path.extension()?.eq_ignore_ascii_case("sav");
    Format::from_path(path).ok().filter(|format| !is_save && *format != Format::Binary)
}

fn is_binary(path: &Path) -> bool {
    Format::from_path(path).is_ok_and(|format| format == Format::Binary)
}

/// Checks the format without a signature that the first bytes may have.
fn without_signature(format: Format, start: &[u8], is_whole: bool) -> Result<Format> {
    if start.iter().all(|byte| *byte == 0) {
        let message = "the content is not in a known format";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let is = |format| stream::check(format, start).is_ok();
    let is_other = format == Format::Blob && is_whole && !is(format) && is(Format::MessagePack);
    Ok(if is_other { Format::MessagePack } else { format })
}

/// Returns the format of a file that is damaged or slightly malformed.
fn by_first_bytes(start: &[u8]) -> Option<Format> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    if utf16(start).is_some() || matches!(text, [b'{' | b'[', ..]) {
        return Some(Format::Json);
    }
    // A map whose first key is text.
    let key = match start {
        [0x81..=0x8f, rest @ ..] | [0xde, _, _, rest @ ..] | [0xdf, _, _, _, _, rest @ ..] => rest,
        _ => return None,
    };
    let (len, name) = match key {
        [marker @ 0xa1..=0xbf, rest @ ..] => (usize::from(marker & 0x1f), rest),
        [0xd9, len, rest @ ..] => (usize::from(*len), rest),
        _ => return None,
    };
    let name = str::from_utf8(name.get(..len)?).ok()?;
    (!name.contains(char::is_control)).then_some(Format::MessagePack)
}

/// Returns the text of JSON in UTF-16, as some editors write it.
pub fn utf16(bytes: &[u8]) -> Option<String> {
    let is_little = match bytes {
        [0xff, 0xfe, ..] | [b'{' | b'[', 0, ..] => true,
        [0xfe, 0xff, ..] | [0, b'{' | b'[', ..] => false,
        _ => return None,
    };
    let unit = |pair: &[u8; 2]| match is_little {
        true => u16::from_le_bytes(*pair),
        false => u16::from_be_bytes(*pair),
    };
    let units = bytes.as_chunks().0.iter().map(unit);
    let text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Some(text.trim_start_matches('\u{feff}').to_owned())
}

/// Returns the kind of a file whose first bytes are damaged, by the files next to it: the backups
/// of a save file, or the export of an object store.
fn by_neighbours(path: &Path) -> Option<Kind> {
    if export_path(path).is_file() {
        return Some(Kind::Rows);
    }
    let is_save = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let start = super::first_bytes(&PathBuf::from(name));
        start.is_ok_and(|start| SaveFile::detect(&start))
    };
    [".1", ".old"].iter().any(|ending| is_save(ending)).then_some(Kind::Save)
}
