//! Detects the format, which has no magic number.

use std::collections::BTreeSet;

use archive_core::ErrorKind;
use rmp::Marker;

use crate::cursor::{Cursor, Token};

/// The number of bytes that are examined.
const MAX_BYTES: usize = 4096;

/// Returns whether these bytes can be a MessagePack file, or the first bytes of one: exactly one
/// value, as far as the bytes go.
///
/// Every byte of plain text is a MessagePack number, and so are the first bytes of most files of
/// other programs. A file with more data after such a number is not MessagePack. A single printable
/// character counts as text. Files that begin like an array or a map, such as PNG images, are
/// rejected if they contain anything that no encoder writes: a key that occurs twice, text that is
/// not UTF-8, more data after the value.
pub(crate) fn is_plausible(start: &[u8]) -> bool {
    let whole = start.len() <= MAX_BYTES;
    let start = &start[..start.len().min(MAX_BYTES)];
    if matches!(start, [] | [b'\t' | b'\n' | b'\r' | b' '..=b'~']) {
        return false;
    }
    let mut cursor = Cursor::new(start);
    match walk(&mut cursor) {
        Walk::Ended => whole && cursor.left() == 0,
        Walk::Cut => true,
        Walk::Impossible => false,
    }
}

/// The result of a walk.
enum Walk {
    /// The end of the value.
    Ended,
    /// The end of the bytes, inside the value.
    Cut,
    /// Data that no value contains.
    Impossible,
}

/// An open array or map.
struct Level<'a> {
    /// The number of values that are left. In a map, keys count as values, and a key comes next
    /// when the number is even.
    left: u64,
    /// The keys so far, if it is a map.
    keys: Option<BTreeSet<&'a [u8]>>,
}

/// Moves past one value. Unlike [`Walker`](crate::walk::Walker), it examines the items of an array
/// that announces more items than there are bytes.
fn walk(cursor: &mut Cursor<'_>) -> Walk {
    let mut open: Vec<Level<'_>> = Vec::new();
    loop {
        let begin = cursor.at;
        let counted = match container(cursor) {
            Ok(Some((count, map))) => {
                let left = if map { 2 * count as u64 } else { count as u64 };
                open.push(Level { left, keys: map.then(BTreeSet::new) });
                Ok(false)
            }
            Ok(None) => leaf(cursor),
            Err(walk) => Err(walk),
        };
        match counted {
            Err(walk) => return walk,
            // A key that is itself an array or a map is not compared.
            Ok(true) => {
                if let Some(Level { left, keys: Some(keys) }) = open.last_mut()
                    && *left % 2 == 0
                    && !keys.insert(cursor.slice(begin, cursor.at))
                {
                    return Walk::Impossible;
                }
                count_down(&mut open);
            }
            Ok(false) => {}
        }
        while open.last().is_some_and(|level| level.left == 0) {
            open.pop();
            count_down(&mut open);
        }
        if open.is_empty() {
            return Walk::Ended;
        }
    }
}

fn count_down(open: &mut [Level<'_>]) {
    if let Some(level) = open.last_mut() {
        level.left -= 1;
    }
}

/// Skips the header of an array or a map. Returns the number of its items or entries, and whether
/// it is a map; `None` if there is no container here.
fn container(cursor: &mut Cursor<'_>) -> Result<Option<(usize, bool)>, Walk> {
    let (bytes, map) = match cursor.marker() {
        Marker::FixArray(len) => return Ok(short(cursor, len, false)),
        Marker::FixMap(len) => return Ok(short(cursor, len, true)),
        Marker::Array16 => (2, false),
        Marker::Map16 => (2, true),
        Marker::Array32 => (4, false),
        Marker::Map32 => (4, true),
        _ => return Ok(None),
    };
    cursor.at += 1;
    let length = cursor.take(bytes).map_err(|_| Walk::Cut)?;
    Ok(Some((length.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)), map)))
}

fn short(cursor: &mut Cursor<'_>, len: u8, map: bool) -> Option<(usize, bool)> {
    cursor.at += 1;
    Some((len.into(), map))
}

/// Skips a value that is neither an array nor a map.
fn leaf(cursor: &mut Cursor<'_>) -> Result<bool, Walk> {
    if cursor.left() == 0 {
        return Err(Walk::Cut);
    }
    let token = cursor.token().map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEnd => Walk::Cut,
        _ => Walk::Impossible,
    })?;
    let (len, text) = match token {
        Token::Str(len) => (len, true),
        Token::Fixed(len) | Token::Bin(len) => (len, false),
        Token::Ext(len) => (len.saturating_add(1), false),
        Token::Seq(_) | Token::Map(_) => return Err(Walk::Impossible),
    };
    let rest = cursor.rest();
    let bytes = &rest[..rest.len().min(len)];
    if text && let Err(error) = std::str::from_utf8(bytes) {
        // The bytes may end inside a character.
        if error.error_len().is_some() || bytes.len() == len {
            return Err(Walk::Impossible);
        }
    }
    match cursor.take(len) {
        Ok(_) => Ok(true),
        Err(_) => Err(Walk::Cut),
    }
}
