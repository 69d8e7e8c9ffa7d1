//! Escapes in strings, in both directions.

use std::ops::BitOr;

use crate::put;

/// Returns the number of bytes at the start of `bytes` that need no escape inside a JSON string:
/// everything before the first quote, backslash or control character.
///
/// Most strings are short, so the first sixteen bytes are tested a word at a time. After that,
/// whole blocks are tested in a form that compilers vectorize.
#[inline]
pub(crate) fn plain_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < 2 * WORD {
        let Some(word) = bytes[at..].first_chunk() else {
            return plain_tail(bytes, at);
        };
        match first_special(u64::from_le_bytes(*word)) {
            Some(index) => return at + index,
            None => at += WORD,
        }
    }
    at + plain_len_long(&bytes[at..])
}

const WORD: usize = size_of::<u64>();

fn plain_len_long(bytes: &[u8]) -> usize {
    const BLOCK: usize = 4 * WORD;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let clean =
        |block: &[u8; BLOCK]| !block.iter().map(|&b| is_special(b)).fold(false, BitOr::bitor);
    let at = BLOCK * blocks.iter().take_while(|block| clean(block)).count();

    let (words, _) = bytes[at..].as_chunks::<WORD>();
    for (i, word) in words.iter().enumerate() {
        if let Some(index) = first_special(u64::from_le_bytes(*word)) {
            return at + i * WORD + index;
        }
    }
    plain_tail(bytes, at + words.len() * WORD)
}

/// Like [`plain_len`], if less than a word is left after the `known` bytes. Tests a word that ends with
/// the last byte, or two halves of a word, which may overlap.
#[inline]
fn plain_tail(bytes: &[u8], known: usize) -> usize {
    if let Some(last) = bytes.last_chunk() {
        let special = first_special(u64::from_le_bytes(*last));
        return special.map_or(bytes.len(), |index| bytes.len() - WORD + index);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
        if first_special(first | last << 32).is_none() {
            return bytes.len();
        }
    }
    let rest = bytes[known..].iter().position(|&b| is_special(b));
    rest.map_or(bytes.len(), |index| known + index)
}

#[inline]
fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Returns the index of the first of eight bytes that needs an escape.
///
/// Each test sets the high bit of the bytes that it finds. Subtraction may borrow from the next
/// higher byte and set its bit too, but only above a byte that was correctly found, so the lowest
/// bit is exact.
#[inline]
fn first_special(word: u64) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = word ^ (ONES * b'"' as u64);
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = word ^ (ONES * b'\\' as u64);
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    let found = (control | quote | backslash) & (ONES * 0x80);
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// Appends `text` as a JSON string with quotes and escapes.
#[inline]
pub(crate) fn quote_into(out: &mut Vec<u8>, text: &str) {
    let text = text.as_bytes();
    let plain = plain_len(text);
    if plain == text.len() {
        return put::all::<{ put::TEXT }>(out, plain + 2, [b"\"", text, b"\""]);
    }
    out.reserve(text.len() + 2);
    out.push(b'"');
    put::short(out, &text[..plain]);
    escape_into(out, &text[plain..]);
    out.push(b'"');
}

/// Appends text that starts with a character to escape.
#[cold]
fn escape_into(out: &mut Vec<u8>, mut text: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    while let Some((&byte, rest)) = text.split_first() {
        let short = |c| [b'\\', c];
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&short(byte)),
            b'\n' => out.extend_from_slice(&short(b'n')),
            b'\r' => out.extend_from_slice(&short(b'r')),
            b'\t' => out.extend_from_slice(&short(b't')),
            0x08 => out.extend_from_slice(&short(b'b')),
            0x0c => out.extend_from_slice(&short(b'f')),
            control => {
                let digit = |half: u8| HEX[usize::from(half)];
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&[digit(control >> 4), digit(control & 15)]);
            }
        }
        let plain = plain_len(rest);
        out.extend_from_slice(&rest[..plain]);
        text = &rest[plain..];
    }
}

/// The reason why an escape is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BadEscape {
    /// The input ends inside the escape.
    End,
    /// There is no such escape.
    Unknown,
    /// Half of a surrogate pair.
    Surrogate,
}

/// Returns the character of an escape and the number of bytes that it takes; `bytes` start after
/// the backslash.
pub(crate) fn unescape(bytes: &[u8]) -> Result<(char, usize), BadEscape> {
    let simple = match bytes.first().ok_or(BadEscape::End)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unescape_unicode(&bytes[1..]).map(|(c, len)| (c, len + 1)),
        _ => return Err(BadEscape::Unknown),
    };
    Ok((simple, 1))
}

/// Decodes four hexadecimal digits, or for a surrogate pair eight with `\u` between them.
fn unescape_unicode(bytes: &[u8]) -> Result<(char, usize), BadEscape> {
    let first = hex4(bytes)?;
    if let Some(c) = char::from_u32(first) {
        return Ok((c, 4));
    }
    let rest = &bytes[4..];
    if first >= 0xdc00 || !(rest.starts_with(b"\\u") || b"\\u".starts_with(rest)) {
        return Err(BadEscape::Surrogate);
    }
    let second = hex4(rest.get(2..).unwrap_or_default())?;
    if !(0xdc00..0xe000).contains(&second) {
        return Err(BadEscape::Surrogate);
    }
    let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    char::from_u32(code).map(|c| (c, 10)).ok_or(BadEscape::Surrogate)
}

fn hex4(bytes: &[u8]) -> Result<u32, BadEscape> {
    (0..4).try_fold(0, |code, i| {
        let byte = *bytes.get(i).ok_or(BadEscape::End)?;
        let digit = char::from(byte).to_digit(16).ok_or(BadEscape::Unknown)?;
        Ok(code << 4 | digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_special_byte_at_any_position() {
        for len in 0..100 {
            for special in [b'"', b'\\', 0, 0x1f] {
                for at in 0..len {
                    let mut bytes = vec![0xe9; len];
                    bytes[at..].fill(special);
                    assert_eq!(plain_len(&bytes), at, "{special} at {at} of {len}");
                }
            }
            for plain in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
                assert_eq!(plain_len(&vec![plain; len]), len);
            }
        }
    }

    #[test]
    fn quotes_texts_of_all_lengths() {
        for len in 0..70 {
            for at in 0..=len {
                let text = format!("{}\n{}", "a".repeat(at), "b".repeat(len - at));
                let mut out = b"[".to_vec();
                quote_into(&mut out, &text);
                assert_eq!(out, format!("[\"{}\"", text.replace('\n', "\\n")).as_bytes());
            }
            let (plain, mut out) = ("a".repeat(len), b"[".to_vec());
            quote_into(&mut out, &plain);
            assert_eq!(out, format!("[\"{plain}\"").as_bytes());
        }
    }

    #[test]
    fn joins_surrogate_pairs_and_refuses_halves() {
        assert_eq!(unescape(br"ud83d\ude00."), Ok(('\u{1f600}', 11)));
        assert_eq!(unescape(br"u00e9"), Ok(('é', 5)));
        for half in [&br"ud83d"[..], br"ud83d\u", br"ud83d\"] {
            assert_eq!(unescape(half), Err(BadEscape::End));
        }
        for half in [&br"ude00"[..], br"ud83dx", br"ud83d\n", br"ud83d\u0041", br"ud83d\ud83d"] {
            assert_eq!(unescape(half), Err(BadEscape::Surrogate));
        }
        assert_eq!(unescape(b"x"), Err(BadEscape::Unknown));
        assert_eq!(unescape(b"u00g0"), Err(BadEscape::Unknown));
    }
}
