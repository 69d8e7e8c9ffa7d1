//! [`skim`]: the fast path of skipping values, for text in the simplest form.

use crate::cursor::indent_end;
use crate::digits::digits_end;
use crate::escape::plain_len;

/// The position of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// At the first byte of a value.
    Value,
    /// After a value.
    After,
}

/// Skips values in the simplest form. No more than `limit` of them may be open at a time. Stops at
/// anything else, which the walk then reads: the end of the text in memory, comments, escapes, exponents,
/// keys with a `$`, and every syntax error. Returns the new offset and the position of the walk there.
///
/// `open` has a closing bracket for each open object and sequence.
pub(crate) fn skim(bytes: &[u8], mut at: usize, open: &mut Vec<u8>, limit: usize) -> (usize, At) {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    loop {
        at = match byte(at) {
            b'"' => match string_end(bytes, at) {
                Some(end) => end,
                None => return (at, At::Value),
            },
            b'-' | b'0'..=b'9' => match number_end(bytes, at) {
                Some(end) => end,
                None => return (at, At::Value),
            },
            b't' if bytes[at..].starts_with(b"true") => at + 4,
            b'f' if bytes[at..].starts_with(b"false") => at + 5,
            b'n' if bytes[at..].starts_with(b"null") => at + 4,
            bracket @ (b'[' | b'{') if open.len() < limit => {
                let close = bracket + 2;
                let Some(inside) = token(bytes, at + 1) else { return (at, At::Value) };
                if byte(inside) == close {
                    inside + 1
                } else {
                    let value = if bracket == b'[' { Some(inside) } else { key_end(bytes, inside) };
                    let Some(value) = value else { return (at, At::Value) };
                    open.push(close);
                    at = value;
                    continue;
                }
            }
            _ => return (at, At::Value),
        };
        loop {
            let Some(close) = open.last().copied() else { return (at, At::After) };
            let after = blank_end(bytes, at);
            match byte(after) {
                b',' => {
                    let next = token(bytes, after + 1).filter(|next| byte(*next) != close);
                    let value = if close == b']' {
                        next
                    } else {
                        next.and_then(|next| key_end(bytes, next))
                    };
                    let Some(value) = value else { return (at, At::After) };
                    at = value;
                    break;
                }
                end if end == close => {
                    open.pop();
                    at = after + 1;
                }
                _ => return (at, At::After),
            }
        }
    }
}

/// Returns the offset after a string without escapes.
#[inline]
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = at + 1 + plain_len(bytes.get(at + 1..)?);
    (bytes.get(end) == Some(&b'"')).then_some(end + 1)
}

/// Returns the offset of the value after a key. The key is not the name of a pointer's member.
#[inline]
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'"') || bytes.get(at + 1) == Some(&b'$') {
        return None;
    }
    let colon = string_end(bytes, at)?;
    if bytes.get(colon) == Some(&b':') { token(bytes, colon + 1) } else { None }
}

/// Returns the offset after a number without an exponent.
#[inline]
fn number_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = at + usize::from(bytes[at] == b'-');
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut end = digits_end(bytes, start);
    if end == start || (end > start + 1 && bytes[start] == b'0') {
        return None;
    }
    if byte(end) == b'.' {
        let point = end;
        end = digits_end(bytes, point + 1);
        if end == point + 1 {
            return None;
        }
    }
    (!matches!(byte(end), b'e' | b'E')).then_some(end)
}

/// Returns the offset of the token after white space, unless that is the end of the text in memory
/// or a comment.
#[inline]
fn token(bytes: &[u8], at: usize) -> Option<usize> {
    let at = blank_end(bytes, at);
    bytes.get(at).filter(|byte| **byte > b' ' && **byte != b'/').map(|_| at)
}

/// Returns the offset after white space.
#[inline]
fn blank_end(bytes: &[u8], mut at: usize) -> usize {
    if bytes.get(at).is_none_or(|byte| *byte > b' ') {
        return at;
    }
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at = indent_end(bytes, at + 1);
    }
    at
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use archive_core::Error;

    use crate::cursor::Cursor;
    use crate::skip::{Walker, Watch};
    use crate::source::{Slice, Source};
    use crate::window::Window;

    /// Whether values in the simplest form are skimmed.
    struct Skims(bool);

    impl Watch for Skims {
        fn open(&mut self, _: usize) -> Option<usize> {
            None
        }
        fn close(&mut self, _: usize) {}
        fn is_idle(&self) -> bool {
            self.0
        }
    }

    /// Walks over the first value. Returns the offset of its end, or the error.
    fn walked<S: Source>(source: S, relaxed: bool, limit: usize, skims: bool) -> String {
        let mut cursor = Cursor::new(source);
        cursor.relaxed = relaxed;
        if relaxed {
            cursor.source.allow_comments();
            cursor.source.drop_mark();
        }
        cursor.space();
        cursor.begin();
        let walk = Walker::new(limit).walk(&mut cursor, limit, &mut Skims(skims));
        let told = |error: Error| format!("{:?}: {error}", error.kind());
        walk.map_or_else(told, |()| format!("{} {:?}", cursor.offset(), cursor.position()))
    }

    fn compare(text: &[u8]) {
        let shown = || String::from_utf8_lossy(text).into_owned();
        for relaxed in [false, true] {
            for limit in [3, 100] {
                let expected = walked(Slice::new(text), relaxed, limit, false);
                assert_eq!(walked(Slice::new(text), relaxed, limit, true), expected, "{}", shown());
                let mut rest = text;
                let feed = &mut |buffer: &mut [u8]| {
                    let (now, later) = rest.split_at(rest.len().min(buffer.len()).min(7));
                    buffer[..now.len()].copy_from_slice(now);
                    rest = later;
                    Ok(now.len())
                };
                assert_eq!(
                    walked(Window::new(feed), relaxed, limit, true),
                    expected,
                    "{}",
                    shown()
                );
            }
        }
    }

    #[test]
    fn a_walk_that_skims_finds_the_same() {
        let texts = [
            r#" [1, -2.5 ,3e4,"a\"b" , "c", {"a" : null, "b":[], "\u0024id":1, "$id": {}} ,true,false] ,"#,
            "[1, 2,\n  {\n    \"a\": 1,\n    \"b\": {},\r\n\t\"c\": [ ]\n  },\n]",
            "// one, two\n{\"a\": /* , */ [1, // \"\n2,], /**/ }",
            "{\"a\":01,\"b\":1.,\"c\":-,\"d\":1.5e}",
            "[[[[[[]]]]]]",
            "\u{feff}[\"é\u{1f600}\",0.125]",
        ];
        for text in texts {
            let text = text.as_bytes();
            compare(text);
            for at in 0..text.len() {
                compare(&text[..at]);
                for byte in *b"\0 \n\"\\,:[]{}0-.e/*tx\xff\x0b" {
                    let mut changed = text.to_vec();
                    changed[at] = byte;
                    compare(&changed);
                }
            }
        }
    }

    #[test]
    fn golden_files_and_changed_ones() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
        let (mut files, mut random) = (0, 1_u64);
        for folder in ["json/v1", "serde_json/v1"] {
            for file in std::fs::read_dir(golden.join(folder)).unwrap() {
                let text = std::fs::read(file.unwrap().path()).unwrap();
                compare(&text);
                for _ in 0..20 {
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let mut changed = text.clone();
                    let at = (random >> 33) as usize % text.len();
                    changed[at] = b"\"\\,:[]{}0-. \n/"[(random >> 20) as usize % 14];
                    compare(&changed);
                }
                files += 1;
            }
        }
        assert!(files > 10, "{files}");
    }
}
