//! Recognizes an input that belongs to another format, or to none.

use super::{Error, ErrorKind};

/// Creates the error for an empty input.
#[cold]
pub fn empty_input() -> Error {
    Error::new(ErrorKind::UnexpectedEnd, "the file is empty")
}

/// The signatures of files that are in none of the formats, and the tools that open them.
const OTHERS: [(&[u8], &str); 2] = [
    (b"\xc1SAV\r\n\x1a\n", "a save file, which `archive::save::SaveFile` opens"),
    (b"redb\x1a\n", "an object store, which `archive::store::Store` opens"),
];

/// Returns a description of the input and of its tool, if the input begins with the signature of a
/// file that is in none of the formats.
pub fn opened_elsewhere(input: &[u8]) -> Option<&'static str> {
    OTHERS.iter().find(|(magic, _)| input.starts_with(magic)).map(|(_, what)| *what)
}

/// Returns the name of the format that the beginning of an input looks like. For the message of a
/// format that received a file in another format.
pub fn looks_like(input: &[u8]) -> Option<&'static str> {
    const MAGIC: &[u8] = b"\x8bARC";
    const MAX_BYTES: usize = 64;
    if input.starts_with(MAGIC) {
        return Some("a file of `archive::binary`");
    }
    if let Some(other) = opened_elsewhere(input) {
        return Some(other);
    }
    let start = &input[..input.len().min(MAX_BYTES)];
    if start.iter().any(|byte| matches!(byte, 0..=8 | 14..=31)) {
        return None;
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let (open, rest) = start.split_first()?;
    let first = rest.trim_ascii_start().first();
    let json = match open {
        b'{' => matches!(first, Some(b'"' | b'}')),
        b'[' => matches!(
            first,
            Some(b'{' | b'[' | b']' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
        ),
        _ => false,
    };
    json.then_some("JSON")
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn json_and_binary_are_seen() {
        for text in ["{\"a\":1}", " [1]", "\u{feff}{}", "[\n  {", "[true]"] {
            assert_eq!(looks_like(text.as_bytes()), Some("JSON"), "{text:?}");
        }
        assert_eq!(looks_like(b"\x8bARC\x02\0"), Some("a file of `archive::binary`"));
        for bytes in [&b""[..], b"{", b"[", b"{a", b"[package]", b"[\x01\0\0", b"text", b"\x8bAR"] {
            assert_eq!(looks_like(bytes), None, "{bytes:?}");
        }
    }
}
