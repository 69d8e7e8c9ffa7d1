//! [`Quotes`]: finds the commas of a text that are not part of strings, without parsing it.

use std::ops::BitXor;

/// Whether the text up to here ends inside a string.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quotes {
    inside: bool,
    /// Whether the last character was a backslash, so that the next one is escaped.
    escaped: bool,
}

impl Quotes {
    /// The number of bytes that are scanned at once. Only the block that may have the last comma is
    /// scanned byte by byte.
    const BLOCK: usize = 2048;

    /// Returns the offset of the last comma that is not part of a string. The text continues the
    /// one of the call before.
    pub(crate) fn last_comma(&mut self, text: &[u8]) -> Option<usize> {
        let mut states = Vec::with_capacity(text.len() / Self::BLOCK + 1);
        for block in text.chunks(Self::BLOCK) {
            states.push(*self);
            self.pass(block);
        }
        let blocks = text.chunks(Self::BLOCK).enumerate().zip(states).rev();
        blocks.into_iter().find_map(|((index, block), state)| {
            state.comma_in(block).map(|comma| index * Self::BLOCK + comma)
        })
    }

    /// Advances the state over a text. Between backslashes, counting quotes is enough.
    fn pass(&mut self, mut text: &[u8]) {
        if self.escaped && !text.is_empty() {
            text = &text[1..];
            self.escaped = false;
        }
        while let Some(backslash) = memchr::memchr(b'\\', text) {
            self.inside ^= is_odd(&text[..backslash]);
            match text.get(backslash + 2..) {
                Some(rest) => text = rest,
                None => {
                    self.escaped = true;
                    return;
                }
            }
        }
        self.inside ^= is_odd(text);
    }

    fn comma_in(mut self, text: &[u8]) -> Option<usize> {
        let mut last = None;
        for (at, byte) in text.iter().enumerate() {
            if self.escaped {
                self.escaped = false;
                continue;
            }
            match byte {
                b'"' => self.inside = !self.inside,
                b'\\' => self.escaped = true,
                b',' if !self.inside => last = Some(at),
                _ => {}
            }
        }
        last
    }
}

/// Returns whether the number of quotes is odd.
fn is_odd(text: &[u8]) -> bool {
    text.iter().map(|byte| *byte == b'"').fold(false, BitXor::bitxor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_strings_are_none() {
        let text = br#"{"a,\\":1,"b\",":",","c\u002c": [1,",\"",2],"d":","}"#.repeat(200);
        let whole = {
            let (mut inside, mut at, mut commas) = (false, 0, Vec::new());
            while at < text.len() {
                match text[at] {
                    b'\\' => at += 1,
                    b'"' => inside = !inside,
                    b',' if !inside => commas.push(at),
                    _ => {}
                }
                at += 1;
            }
            commas
        };
        for len in [1, 2, 3, 7, 64, 1000, 2048, 5000, text.len()] {
            let mut quotes = Quotes::default();
            for (i, part) in text.chunks(len).enumerate() {
                let start = i * len;
                let expected = whole.iter().rfind(|at| (start..start + part.len()).contains(at));
                let found = quotes.last_comma(part).map(|comma| start + comma);
                assert_eq!(found, expected.copied(), "{i} of {len}");
            }
        }
    }
}
