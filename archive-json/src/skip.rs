//! Walks over a value without reading it: checks the syntax and builds nothing.

use archive_core::{Error, Result};

use crate::cursor::{Cursor, View};
use crate::pointer::is_pointer_key;
use crate::skip_simple::{At, skim};
use crate::source::Source;

/// Receives the events of a walk.
pub(crate) trait Watch {
    /// An object or a sequence begins at an offset. Returns the offset of its end if it is known,
    /// so that the walk can jump there.
    fn open(&mut self, offset: usize) -> Option<usize>;

    /// A member's value begins here; its key is at `key`.
    fn member(&mut self, key: View<'_>, here: View<'_>) {
        let _ = (key, here);
    }

    /// The object or sequence that was opened last ends at an offset.
    fn close(&mut self, offset: usize);

    /// Returns whether events can be left out.
    fn is_idle(&self) -> bool {
        false
    }
}

/// Tracks the open objects and sequences during a walk, as one closing bracket each. The memory is
/// reused for the next walk.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    open: Vec<u8>,
    /// The maximum nesting of values, for messages.
    max_depth: usize,
}

impl Walker {
    /// Creates a walker for an input in which values nest no deeper than `max_depth`.
    pub(crate) fn new(max_depth: usize) -> Self {
        Walker { open: Vec::new(), max_depth }
    }

    /// Moves past the value at the cursor, in which no more than `limit` objects and sequences
    /// may be open at a time.
    pub(crate) fn walk<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        limit: usize,
        watch: &mut impl Watch,
    ) -> Result {
        self.open.clear();
        loop {
            if watch.is_idle() {
                let (at, stop) = skim(cursor.bytes(), cursor.at, &mut self.open, limit);
                cursor.at = at;
                if stop == At::After {
                    if !self.next_value(cursor, watch)? {
                        return Ok(());
                    }
                    continue;
                }
            }
            match cursor.byte() {
                b'"' => cursor.skip_string()?,
                b'-' | b'0'..=b'9' => cursor.skip_number()?,
                b't' => cursor.literal("true")?,
                b'f' => cursor.literal("false")?,
                b'n' => cursor.literal("null")?,
                bracket @ (b'[' | b'{') => {
                    if self.open.len() >= limit {
                        return Err(Error::too_nested(self.max_depth).at(cursor.position()));
                    }
                    if let Some(end) = watch.open(cursor.offset()) {
                        cursor.go(end);
                    } else {
                        let close = bracket + 2; // `]` and `}` are two code points after `[` and `{`
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

    /// Continues after a value: skips the brackets that close here, and then the comma and the key
    /// before the next value. Returns `false` at the end of the walk.
    fn next_value<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        watch: &mut impl Watch,
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
                    watch.close(cursor.offset());
                }
                _ if close == b'}' => return Err(cursor.unexpected("`,` or `}`")),
                _ => return Err(cursor.unexpected("`,` or `]`")),
            }
        }
        Ok(false)
    }
}

fn pass_key<S: Source>(cursor: &mut Cursor<S>, watch: &mut impl Watch) -> Result {
    // No text is dropped between a key and its value.
    let key = cursor.at;
    if cursor.byte() != b'"' {
        return Err(cursor.unexpected("a member name"));
    }
    cursor.skip_string()?;
    cursor.colon()?;
    watch.member(cursor.moved(key), cursor.view());
    if S::DROPS_TEXT && is_pointer_key(&cursor.moved(key)) {
        // The object of the pointer may be requested later.
        cursor.source.retain_all();
    }
    Ok(())
}

/// Runs `walk` on every value from here to the end of the outermost of `level` objects and
/// sequences. They began before the text in memory, so it is unknown at first which of them are
/// objects.
pub(crate) fn walk_outwards(
    here: &mut View<'_>,
    mut level: usize,
    mut walk: impl FnMut(&mut View<'_>, usize) -> Result,
) -> Result {
    // Whether the innermost one is an object, once this is known.
    let mut object = None;
    while level > 0 {
        if object == Some(true) && here.byte() != b'"' {
            return Err(here.unexpected("a member name"));
        }
        if object != Some(false) && here.byte() == b'"' {
            let mut after = *here;
            after.skip_string()?;
            after.space();
            let is_key = object == Some(true) || after.byte() == b':';
            if is_key {
                after.colon()?;
                *here = after;
            }
            object = Some(is_key);
        }
        object.get_or_insert(false);
        walk(here, level)?;
        loop {
            here.space();
            match (here.byte(), object) {
                (b',', _) => break,
                (b']', None | Some(false)) | (b'}', None | Some(true)) => level -= 1,
                (_, Some(true)) => return Err(here.unexpected("`,` or `}`")),
                (_, _) => return Err(here.unexpected("`,` or `]`")),
            }
            here.at += 1;
            if level == 0 {
                return Ok(());
            }
            object = None;
        }
        here.at += 1;
        here.space();
    }
    Ok(())
}

/// Counts the objects and sequences that begin and end in a text in which no token is cut.
pub(crate) fn brackets(mut text: View<'_>, end: usize) -> (usize, usize) {
    let (mut opened, mut closed) = (0, 0);
    text.at = 0;
    while text.at < end {
        match text.byte() {
            b'"' if text.skip_string().is_ok() => continue,
            b'[' | b'{' => opened += 1,
            b']' | b'}' => closed += 1,
            _ => {}
        }
        text.at += 1;
    }
    (opened, closed)
}
