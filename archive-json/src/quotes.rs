//! [`Quotes`]: finds the commas of a text that are not part of strings, without parsing it.

use std::ops::BitXor;

/// Whether the text so far ends inside a string or a comment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quotes {
    inside: bool,
    /// Whether the last character was a backslash, so that the next one is escaped.
    escaped: bool,
    comments: Comments,
}

/// The state of a scan that knows comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Comments {
    /// There are no comments.
    #[default]
    Refused,
    /// Comments are accepted, and the text so far does not end in one.
    Outside,
    /// After the first character of a comment.
    Slash,
    Line,
    Block,
    /// After an asterisk in a block comment.
    Star,
}

impl Quotes {
    /// The number of bytes that are scanned at once. Only the block that may contain the last comma
    /// is scanned byte by byte.
    const BLOCK: usize = 2048;

    /// Returns the offset of the last comma that is not part of a string. The text continues that
    /// of the previous call.
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

    /// Returns the state at the start of a text that may contain comments.
    pub(crate) fn and_comments() -> Self {
        Quotes { comments: Comments::Outside, ..Quotes::default() }
    }

    /// Advances the state over a text. Between backslashes, counting quotes is enough, unless there
    /// are comments.
    fn pass(&mut self, mut text: &[u8]) {
        let may_begin = self.comments != Comments::Refused && memchr::memchr(b'/', text).is_some();
        if may_begin || !matches!(self.comments, Comments::Refused | Comments::Outside) {
            for byte in text {
                self.step(*byte);
            }
            return;
        }
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
            if self.step(*byte) {
                last = Some(at);
            }
        }
        last
    }

    /// Advances the state over a byte. Returns whether it is a comma between values.
    #[inline]
    fn step(&mut self, byte: u8) -> bool {
        self.comments = match (self.comments, byte) {
            (Comments::Refused | Comments::Outside, _) => return self.step_outside(byte),
            (Comments::Slash, b'/') => Comments::Line,
            (Comments::Slash, b'*') => Comments::Block,
            (Comments::Slash, _) => {
                self.comments = Comments::Outside;
                return self.step_outside(byte);
            }
            (Comments::Line, b'\n') | (Comments::Star, b'/') => Comments::Outside,
            (Comments::Block | Comments::Star, b'*') => Comments::Star,
            (Comments::Star, _) => Comments::Block,
            (inside, _) => inside,
        };
        false
    }

    #[inline]
    fn step_outside(&mut self, byte: u8) -> bool {
        if std::mem::take(&mut self.escaped) {
            return false;
        }
        match byte {
            b'"' => self.inside = !self.inside,
            b'\\' => self.escaped = true,
            b',' => return !self.inside,
            b'/' if !self.inside && self.comments == Comments::Outside => {
                self.comments = Comments::Slash;
            }
            _ => {}
        }
        false
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

    #[test]
    fn commas_in_comments_are_none() {
        let text: &[u8] = br#"[ // it's, "
            "http://a, /* b", /*, " /* **, */ 1 /*/ , */, 2 / 3, "\\"//,
            ,/**/,"/*" "#;
        let expected: Vec<usize> = "\
            [ // it's, \"\n            \"http://a, /* b\"# /*, \" /* **, */ 1 /*/ , */# 2 / 3# \"\\\\\"//,\n            #/**/#\"/*\" "
            .match_indices('#')
            .map(|(at, _)| at)
            .collect();
        for blanks in [0, 1000, 5000] {
            let text = [&vec![b' '; blanks][..], text].concat();
            for len in 1..text.len().min(200) {
                let mut quotes = Quotes::and_comments();
                let mut found = Vec::new();
                for (i, part) in text.chunks(len).enumerate() {
                    found.extend(quotes.last_comma(part).map(|comma| i * len + comma - blanks));
                }
                if len == 1 {
                    assert_eq!(found, expected);
                }
                assert_eq!(found.last(), expected.last(), "{len}");
                assert!(found.iter().all(|comma| expected.contains(comma)), "{len}: {found:?}");
            }
        }
    }
}
