//! [`Token`]: the name of a member as text formats write it.

use super::table::same;

/// The name of a member as text formats write it before the value, including the comma after the
/// previous member: `,"name":`.
#[derive(Clone, Copy)]
pub struct Token {
    /// The text, padded with zeros, with one more byte than the room.
    text: [u8; Token::ROOM + 1],
    len: u8,
}

impl Token {
    /// The room for a token. The whole room is always copied, which is faster than copying only the
    /// text.
    pub const ROOM: usize = 32;

    /// Creates the token of a name. It is empty if the name is too long or contains characters that
    /// must be escaped.
    pub const fn new(name: &str) -> Self {
        const NONE: Token = Token { text: [0; Token::ROOM + 1], len: 0 };
        if name.len() + 4 > Self::ROOM || has_escapes(name) {
            return NONE;
        }
        let name = name.as_bytes();
        let mut token = NONE;
        token.text[0] = b',';
        token.text[1] = b'"';
        let mut i = 0;
        while i < name.len() {
            token.text[i + 2] = name[i];
            i += 1;
        }
        token.text[i + 2] = b'"';
        token.text[i + 3] = b':';
        token.len = i as u8 + 4;
        token
    }

    /// Returns the text with its padding, and the length of the text. For the first member of an
    /// object, the comma is left out. Returns `None` if the token is empty.
    #[inline]
    pub fn text(&self, first: bool) -> Option<(&[u8; Self::ROOM], usize)> {
        let skip = usize::from(first);
        match self.text[skip..].first_chunk() {
            Some(text) if self.len != 0 => Some((text, usize::from(self.len) - skip)),
            _ => None,
        }
    }

    /// Returns the length of the text, if `input` begins with it. For the first member of an object,
    /// the comma is left out.
    #[inline]
    pub fn begins(&self, input: &[u8], first: bool) -> Option<usize> {
        let (text, len) = self.text(first)?;
        // In words that overlap; the last word ends with the text.
        let same = match len {
            0..4 => input.get(..len) == text.get(..len),
            4..8 => same::<4>(input, text, 0) && same::<4>(input, text, len - 4),
            8..=16 => same::<8>(input, text, 0) && same::<8>(input, text, len - 8),
            _ => same::<16>(input, text, 0) && same::<16>(input, text, len - 16),
        };
        same.then_some(len)
    }
}

/// Returns whether a text format must escape a character of the name.
pub(super) const fn has_escapes(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] < b' ' || bytes[i] == b'"' || bytes[i] == b'\\' {
            return true;
        }
        i += 1;
    }
    false
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.text[..usize::from(self.len)]))
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn tokens_of_plain_short_names() {
        assert_eq!(format!("{:?}", Token::new("größe")), ",\"größe\":");
        let long = Token::new(&"x".repeat(28));
        assert_eq!(long.text(false).map(|(text, len)| (text[0], len)), Some((b',', 32)));
        assert_eq!(long.text(true).map(|(text, len)| (text[0], len)), Some((b'"', 31)));
        for len in 0..=28 {
            let token = Token::new(&"x".repeat(len));
            for first in [false, true] {
                let (text, end) = token.text(first).unwrap();
                let mut input = text[..end].to_vec();
                for at in 0..end {
                    assert_eq!(token.begins(&input[..at], first), None);
                    input[at] ^= 1;
                    assert_eq!(token.begins(&input, first), None);
                    input[at] ^= 1;
                }
                assert_eq!(token.begins(&input, first), Some(end));
                assert_eq!(token.begins(&[&input[..], b"1, 2, 3, 4"].concat(), first), Some(end));
            }
        }
        for none in ["\"", "a\\b", "tab\t", &"x".repeat(29)] {
            assert!(Token::new(none).text(false).is_none(), "{none}");
        }
    }
}
