//! The members of open objects: [`Here`] is the cursor with the recorded keys.

use std::borrow::Cow;

use archive_core::lookup::{self, Keys as _, Members, State, duplicate};
use archive_core::shape::Token;
use archive_core::{Position, Result};

use crate::cursor::{Cursor, Text};
use crate::keys::{Key, Keys};
use crate::pointer::is_pointer_key;
use crate::source::Source;
use crate::spans::Passing;

/// An open object.
pub(crate) type Object = lookup::Object<Rest>;

/// The members of an object that come next.
#[derive(Debug)]
pub(crate) struct Rest {
    point: Point,
    /// The offset from which text was kept in memory before this object kept its own text.
    kept: Option<usize>,
}

impl Rest {
    /// The cursor is after the opening bracket.
    pub(crate) const ALL: Rest = Rest { point: Point::Start, kept: None };

    /// Like [`next`](Members::next), without the fast path.
    #[inline(never)]
    fn next_slow<S: Source>(&mut self, cursor: &mut Cursor<S>) -> Result<bool> {
        cursor.space();
        self.point = match (self.point, cursor.byte()) {
            (Point::Value, b',') => {
                cursor.at += 1;
                cursor.space();
                match cursor.byte() {
                    b'"' => Point::Key,
                    _ if cursor.is_trailing(b'}') => Point::End,
                    _ => return Err(cursor.unexpected("a member name")),
                }
            }
            (Point::Start, b'"') => Point::Key,
            (Point::Value | Point::Start, b'}') => Point::End,
            (Point::Value, _) => return Err(cursor.unexpected("`,` or `}`")),
            (Point::Start, _) => return Err(cursor.unexpected("a member name or `}`")),
            (point @ (Point::Key | Point::End), _) => point,
        };
        Ok(self.point == Point::Key)
    }
}

/// The position of the cursor in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// After the opening bracket.
    Start,
    /// At or after a value that was returned to the caller.
    Value,
    /// At a key.
    Key,
    /// At the closing bracket.
    End,
}

/// The cursor, and the recorded keys.
pub(crate) struct Here<'k, S> {
    cursor: &'k mut Cursor<S>,
    pub(crate) keys: &'k mut Keys,
}

impl<'k, S: Source> Here<'k, S> {
    #[inline]
    pub(crate) fn new(cursor: &'k mut Cursor<S>, keys: &'k mut Keys) -> Self {
        Here { cursor, keys }
    }

    /// Moves to the value of the next member, if the text here is the token and then the value.
    #[inline]
    pub(crate) fn take_token(&mut self, rest: &mut Rest, token: &Token) -> bool {
        let first = match rest.point {
            Point::Start | Point::Key => true,
            Point::Value => false,
            Point::End => return false,
        };
        let Some(value) = self.cursor.token_end(token, first) else { return false };
        self.cursor.at += usize::from(!first);
        self.keys.note(self.cursor, Key::ESCAPED, State::Asked);
        self.cursor.at = value;
        rest.point = Point::Value;
        true
    }

    /// Moves from a key to its value, and returns the name.
    fn hand_out(&mut self) -> Result<Text> {
        if S::DROPS_TEXT && is_pointer_key(&self.cursor.view()) {
            // References anywhere in the file may refer to this object.
            self.cursor.source.retain_all();
        }
        let name = self.cursor.string()?;
        self.cursor.colon()?;
        Ok(name)
    }

    /// Like [`duplicate`], for keys that were all recorded with a hash.
    #[inline(never)]
    pub(crate) fn unknown_twice(&self, from: usize) -> Result<Option<usize>> {
        const MAX_KEYS: usize = 64;
        let keys = &self.keys.list[from..];
        if keys.len() > MAX_KEYS {
            return duplicate(self, from);
        }
        for (index, key) in keys.iter().enumerate() {
            for other in (0..index).filter(|other| keys[*other].len == key.len) {
                if self.name(from + other)? == self.name(from + index)? {
                    return Ok(Some(from + index));
                }
            }
        }
        Ok(None)
    }
}

impl<S: Source> lookup::Keys for Here<'_, S> {
    fn count(&self) -> usize {
        self.keys.list.len()
    }
    #[inline]
    fn state(&self, index: usize) -> State {
        self.keys.list[index].state
    }
    #[inline]
    fn is(&self, index: usize, name: &[u8]) -> bool {
        let key = &self.keys.list[index];
        if key.is_copied || key.len == Key::ESCAPED {
            let spelled = self.keys.name(index, self.cursor);
            return spelled.is_ok_and(|other| other.as_bytes() == name);
        }
        let start = self.cursor.seen(key.at).at + 1;
        key.len as usize == name.len()
            && self.cursor.bytes().get(start..start + name.len()) == Some(name)
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(match self.keys.name(index, self.cursor)? {
            Cow::Borrowed(name) => Cow::Borrowed(name.as_bytes()),
            Cow::Owned(name) => Cow::Owned(name.into_bytes()),
        })
    }
}

impl<S: Source> Members for Here<'_, S> {
    type Rest = Rest;
    type Name = Text;

    #[inline]
    fn next(&mut self, rest: &mut Rest) -> Result<bool> {
        if rest.point == Point::Value && self.cursor.bytes()[self.cursor.at..].starts_with(b",\"") {
            self.cursor.at += 1;
            rest.point = Point::Key;
            return Ok(true);
        }
        rest.next_slow(self.cursor)
    }

    #[inline]
    fn take(&mut self, rest: &mut Rest, name: &str) -> Result<bool> {
        let Some(end) = self.cursor.key_end(name) else { return Ok(false) };
        self.keys.note(self.cursor, Key::ESCAPED, State::Asked);
        rest.point = Point::Value;
        self.cursor.at = end;
        self.cursor.colon()?;
        Ok(true)
    }

    fn list_next(&mut self, rest: &mut Rest, note: bool) -> Result<Text> {
        if note {
            self.keys.note(self.cursor, Key::ESCAPED, State::Listed);
        }
        rest.point = Point::Value;
        self.hand_out()
    }

    #[inline]
    fn pass(&mut self, rest: &mut Rest) -> Result {
        let at = self.cursor.offset();
        let len = match self.cursor.string()? {
            Text::Plain(range) => u32::try_from(range.len()).unwrap_or(Key::ESCAPED),
            Text::Escaped(_) => Key::ESCAPED,
        };
        self.cursor.colon()?;
        let value = self.cursor.offset();
        self.keys.list.push(Key { at, value, len, state: State::Unread, is_copied: false });
        rest.point = Point::Value;
        Ok(())
    }

    fn begin_passing(&mut self, rest: &mut Rest) -> bool {
        let offset = self.cursor.offset();
        rest.kept = Some(self.cursor.source.retain(offset));
        self.keys.spans.begin(offset)
    }

    fn skip(&mut self, limit: usize, record: bool) -> Result {
        let Keys { walker, spans, .. } = &mut *self.keys;
        if record {
            walker.walk(self.cursor, limit, &mut Passing::<true>(spans))
        } else {
            walker.walk(self.cursor, limit, &mut Passing::<false>(spans))
        }
    }

    fn end_passing(&mut self, record: bool) -> usize {
        let offset = self.cursor.offset();
        if record {
            self.keys.spans.finish(offset);
        }
        offset
    }

    fn go(&mut self, offset: usize) {
        self.cursor.go(offset);
    }

    fn ask(&mut self, index: usize) {
        let key = &mut self.keys.list[index];
        key.state = State::Asked;
        self.cursor.go(key.value);
    }

    fn list(&mut self, index: usize) -> Result<Text> {
        let key = &mut self.keys.list[index];
        key.state = State::Listed;
        self.cursor.go(key.at);
        self.hand_out()
    }

    fn position(&self, index: usize) -> Position {
        self.keys.position(index, self.cursor)
    }

    #[inline]
    fn forget(&mut self, rest: &Rest, from: usize) {
        self.keys.forget(from);
        if let Some(offset) = rest.kept {
            self.cursor.source.release(offset);
        }
    }
}
