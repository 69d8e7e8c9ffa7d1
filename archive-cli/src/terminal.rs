//! Escapes characters in text from files that a terminal would act upon, as JSON does.

use std::borrow::Cow;

/// Returns whether a terminal acts upon a character, or shows the text after it in another order.
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn escaped(text: &str, is_active: impl Fn(char) -> bool) -> Cow<'_, str> {
    // All of these begin with one of a few bytes.
    let may_be = |byte: u8| byte < b' ' || matches!(byte, 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xef);
    if !text.bytes().any(may_be) || !text.contains(&is_active) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| match is_active(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(escape).collect())
}

/// Returns text on one line without characters that a terminal acts upon.
pub fn safe(text: &str) -> Cow<'_, str> {
    escaped(text, is_active)
}

/// As [`safe`], but keeps line breaks.
pub fn safe_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_active(c) && !matches!(c, '\n' | '\t'))
}

/// Makes text safe that arrives in pieces.
#[derive(Default)]
pub struct Pieces {
    /// The bytes of a character that is not complete.
    rest: Vec<u8>,
}

impl Pieces {
    /// Returns what can be shown of the text so far.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let mut shown = String::new();
        let mut len = 0;
        for chunk in self.rest.utf8_chunks() {
            shown += &safe_lines(chunk.valid());
            len += chunk.valid().len();
            if len + chunk.invalid().len() == self.rest.len() {
                // The rest may be in the next piece.
                break;
            }
            shown.push(char::REPLACEMENT_CHARACTER);
            len += chunk.invalid().len();
        }
        self.rest.drain(..len);
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = "\u{1b}[31m\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2028}\u{feff}\r";
    const ESCAPED: &str = r"\u001b[31m\u007f\u009b2J\u202e\u2066\u2028\ufeff\u000d";

    #[test]
    fn active_characters_are_escaped() {
        assert_eq!(safe(ACTIVE), ESCAPED);
        assert_eq!(safe_lines(&format!("{ACTIVE}\n\t")), format!("{ESCAPED}\n\t"));
        assert_eq!(safe("a\nb"), r"a\u000ab");
        for plain in ["", "Ann", "\u{e4}\u{2192}\u{1f600}\u{627}\u{a0}", "a\\b\"c"] {
            assert!(matches!(safe(plain), Cow::Borrowed(same) if same == plain));
        }
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert_eq!(safe(&text) != text, is_active(c), "{c:?}");
        }
    }

    #[test]
    fn pieces_may_be_cut_anywhere() {
        let text = format!("{ACTIVE}\u{1f600}\u{e4}\n").into_bytes();
        let expected = format!("{ESCAPED}\u{1f600}\u{e4}\n");
        for at in 0..text.len() {
            let mut pieces = Pieces::default();
            let both = pieces.push(&text[..at]) + &pieces.push(&text[at..]);
            assert_eq!(both, expected, "{at}");
        }
        assert_eq!(Pieces::default().push(b"a\xffb\xc2"), "a\u{fffd}b");
    }
}
