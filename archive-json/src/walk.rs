//! Walking over a value that nobody reads: its syntax is checked, nothing is built.

use archive_core::{Error, Result};

use crate::cursor::Cursor;

/// Somebody who watches a walk.
pub(crate) trait Watch<'a> {
    /// An object or a sequence begins here. The answer is where it ends, if that is known and the
    /// walk may pass over it.
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize>;

    /// A member's value begins here; its key is at `key`.
    fn member(&mut self, key: Cursor<'a>, here: &Cursor<'a>) {
        let _ = (key, here);
    }

    /// The object or sequence that was opened last ends here.
    fn close(&mut self, here: &Cursor<'a>);
}

/// How a walk knows what is open: one closing bracket each. The memory is kept from walk to walk.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    open: Vec<u8>,
    /// How deep values may nest, for messages.
    max_depth: usize,
}

impl Walker {
    /// A walker in an input in which values nest no deeper.
    pub(crate) fn new(max_depth: usize) -> Self {
        Walker { open: Vec::new(), max_depth }
    }

    /// Moves behind the value at the cursor, in which no more than `limit` objects and sequences
    /// may be open at a time.
    pub(crate) fn walk<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        limit: usize,
        watch: &mut impl Watch<'a>,
    ) -> Result {
        self.open.clear();
        loop {
            match cursor.byte() {
                b'"' => cursor.skip_string()?,
                b'-' | b'0'..=b'9' => cursor.skip_number()?,
                b't' => cursor.literal("true")?,
                b'f' => cursor.literal("false")?,
                b'n' => cursor.literal("null")?,
                bracket @ (b'[' | b'{') => {
                    if self.open.len() >= limit {
                        return Err(Error::too_deep(self.max_depth).at(cursor.position()));
                    }
                    if let Some(end) = watch.open(cursor) {
                        cursor.at = end;
                    } else {
                        let close = bracket + 2; // `]` and `}` stand two behind `[` and `{`
                        self.open.push(close);
                        cursor.at += 1;
                        cursor.space();
                        if cursor.byte() != close {
                            if close == b'}' {
                                pass_key(cursor, watch)?;
                            }
                            continue;
                        }
                    }
                }
                _ => return Err(cursor.unexpected("a value")),
            }
            if !self.next_value(cursor, watch)? {
                return Ok(());
            }
        }
    }

    /// Behind a value: passes over everything that ends here, and over the comma and the key in
    /// front of the next value. `false` if the walk is over.
    fn next_value<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        watch: &mut impl Watch<'a>,
    ) -> Result<bool> {
        while let Some(&close) = self.open.last() {
            cursor.space();
            match cursor.byte() {
                b',' => {
                    cursor.at += 1;
                    cursor.space();
                    if cursor.is_trailing(close) {
                        continue;
                    }
                    if close == b'}' {
                        pass_key(cursor, watch)?;
                    }
                    return Ok(true);
                }
                byte if byte == close => {
                    cursor.at += 1;
                    self.open.pop();
                    watch.close(cursor);
                }
                _ if close == b'}' => return Err(cursor.unexpected("`,` or `}`")),
                _ => return Err(cursor.unexpected("`,` or `]`")),
            }
        }
        Ok(false)
    }
}

fn pass_key<'a>(cursor: &mut Cursor<'a>, watch: &mut impl Watch<'a>) -> Result {
    let key = *cursor;
    if cursor.byte() != b'"' {
        return Err(cursor.unexpected("a member name"));
    }
    cursor.skip_string()?;
    cursor.colon()?;
    watch.member(key, cursor);
    Ok(())
}
