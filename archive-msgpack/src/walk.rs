//! Walks over a value without reading it: checks the syntax and builds nothing.

use archive_core::{Error, Result};

use crate::cursor::{Cursor, Token};

/// Receives the events of a walk.
pub(crate) trait Watch<'a> {
    /// An array or a map begins here. Returns its end if it is known, so that the walk can jump
    /// there.
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize>;

    /// A key of a map. If the key is text, `name` is the text and its value begins here; otherwise
    /// the key begins here.
    fn key(&mut self, name: Option<&'a str>, here: &Cursor<'a>) {
        let _ = (name, here);
    }

    /// The array or map that was opened last ends here.
    fn close(&mut self, here: &Cursor<'a>);
}

/// Tracks the open arrays and maps during a walk. The memory is reused for the next walk.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    open: Vec<Level>,
    /// The maximum nesting of values, for messages.
    max_depth: usize,
}

#[derive(Debug)]
struct Level {
    /// The number of values that are left. In a map, keys count as values, and a key comes next
    /// when the number is even.
    left: u64,
    map: bool,
}

impl Walker {
    /// Creates a walker for an input in which values nest no deeper than `max_depth`.
    pub(crate) fn new(max_depth: usize) -> Self {
        Walker { open: Vec::new(), max_depth }
    }

    /// Moves past the value at the cursor, in which no more than `limit` arrays and maps may be
    /// open at a time.
    pub(crate) fn walk<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        limit: usize,
        watch: &mut impl Watch<'a>,
    ) -> Result {
        self.open.clear();
        loop {
            let is_key = self.open.last().is_some_and(|level| level.map && level.left % 2 == 0);
            if self.value(cursor, limit, is_key, watch)? {
                continue;
            }
            loop {
                let Some(level) = self.open.last_mut() else { return Ok(()) };
                level.left -= 1;
                if level.left > 0 {
                    break;
                }
                self.open.pop();
                watch.close(cursor);
            }
        }
    }

    /// Skips a value, or the header of a container. Returns `true` for a container.
    #[inline]
    fn value<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        limit: usize,
        is_key: bool,
        watch: &mut impl Watch<'a>,
    ) -> Result<bool> {
        let start = *cursor;
        let mut name = None;
        let level = match cursor.token()? {
            Token::Str(len) => {
                name = Some(cursor.utf8(len)?);
                None
            }
            Token::Fixed(len) | Token::Bin(len) => cursor.take(len).map(|_| None)?,
            Token::Ext(len) => cursor.take(len.saturating_add(1)).map(|_| None)?,
            Token::Seq(len) => Some(Level { left: len as u64, map: false }),
            Token::Map(len) => Some(Level { left: 2 * len as u64, map: true }),
        };
        if is_key {
            watch.key(name, cursor);
        }
        let Some(level) = level else { return Ok(false) };
        if self.open.len() >= limit {
            return Err(Error::too_nested(self.max_depth).at(start.position()));
        }
        if let Some(end) = watch.open(&start) {
            cursor.at = end;
        } else if level.left > 0 {
            self.open.push(level);
            return Ok(true);
        } else {
            watch.close(cursor);
        }
        Ok(false)
    }
}
