//! Pointers: objects whose first member is one of a few reserved names.

use std::borrow::Cow;

use archive_core::decoder::{Pointees, read_head};
use archive_core::reserved;
use archive_core::{Decoder as _, LoadedHead, Mark, PointerKind, Result};

use crate::cursor::{Text, View};
use crate::decoder::Decoder;
use crate::skip::{Walker, Watch, brackets, walk_outwards};
use crate::source::Source;

/// Returns whether the key at the cursor makes its object a pointer.
#[inline]
pub(crate) fn is_pointer_key(key: &View<'_>) -> bool {
    is_one_of(key, &reserved::POINTER)
}

/// Returns whether the key at the cursor is one of these names, which begin with `$`.
#[inline]
fn is_one_of(key: &View<'_>, names: &[&str]) -> bool {
    matches!(key.byte_at(key.at + 1), b'$' | b'\\')
        && names.iter().any(|name| key.key_end(name).is_some())
}

impl<S: Source> Decoder<'_, S> {
    /// Reads the head of a pointer. Members in the order in which the encoder writes them are read
    /// without searching; in any other order they are found by name.
    pub(crate) fn pointer_head(&mut self) -> Result<LoadedHead<'_>> {
        let mut head = LoadedHead { kind: PointerKind::Plain, id: 0, type_name: None };
        match self.cursor.byte() {
            b'n' => {
                self.null()?;
                head.kind = PointerKind::Null;
                return Ok(head);
            }
            b'{' if self.begins_with(&reserved::POINTER) => {}
            b'{' => {
                self.first_key()?;
                return Ok(head);
            }
            _ if self.cursor.at == self.cursor.text().len() => {
                return Err(self.cursor.unexpected("a value"));
            }
            _ => return Ok(head),
        }
        let start = self.cursor.offset();
        // References may refer to it, and its type name is read from the text itself.
        self.cursor.source.retain_all();
        self.open_object()?;
        // The base of the text in memory when the type name was read comes with the name.
        let mut name = None;
        head = read_head(self, true, |this| {
            let text = this.text("text")?;
            name = Some((this.cursor.source.base(), text));
            Ok(Cow::Borrowed(""))
        })?;
        head.type_name = name.map(|(base, name)| match name {
            Text::Plain(range) => {
                let moved = self.cursor.source.base() - base;
                self.cursor.spelled(Text::Plain(range.start - moved..range.end - moved))
            }
            name => self.cursor.spelled(name),
        });
        if head.id == 0 && head.kind != PointerKind::Owned {
            return Err(head.lacks_pointee_and_id().at(self.cursor.position_of(start)));
        }
        Ok(head)
    }

    /// Returns whether the first key of the object at the cursor is one of these names. If these
    /// are the names of pointers' members, the object is a pointer.
    #[inline]
    pub(crate) fn begins_with(&self, names: &[&str]) -> bool {
        let mut key = self.cursor.moved(self.cursor.at + 1);
        key.space();
        is_one_of(&key, names)
    }

    /// Checks that the input does not end before the first key of the object shows that it is not a
    /// pointer.
    pub(crate) fn first_key(&self) -> Result {
        let mut key = self.cursor.moved(self.cursor.at + 1);
        key.space();
        if key.at == key.text().len() {
            return Err(key.unexpected("a member name or `}`"));
        }
        if key.byte() == b'"' { key.string().map(drop) } else { Ok(()) }
    }
}

/// Finds every pointer with which its object is stored in the text in memory, which extends to the end of the
/// input. If the start of the input is gone, `here` is inside `depth` objects and sequences.
pub(crate) fn find_pointees(
    here: View<'_>,
    base: usize,
    (depth, limit): (usize, usize),
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    let mut pointees = PointeesFrom { pointees: Pointees::new(found), base };
    let mut walker = Walker::new(limit);
    let mut start = here.moved(0);
    start.space();
    if base == 0 {
        return walker.walk(&mut start, limit, &mut pointees);
    }
    let (opened, closed) = brackets(here, here.at);
    let level = (depth + closed).saturating_sub(opened);
    walk_outwards(&mut start, level, |item, level| {
        walker.walk(item, limit.saturating_sub(level), &mut pointees)
    })
}

/// A search for objects in a text that begins at the offset `base`.
struct PointeesFrom<'f> {
    pointees: Pointees<'f>,
    base: usize,
}

impl Watch for PointeesFrom<'_> {
    fn open(&mut self, offset: usize) -> Option<usize> {
        self.pointees.open((self.base + offset) as u64, 0);
        None
    }

    fn member(&mut self, key: View<'_>, here: View<'_>) {
        if self.pointees.member(|names| is_one_of(&key, names)) {
            let id = { here }.decimal().and_then(|id| id.to_number());
            self.pointees.id(id.ok());
        }
    }

    fn close(&mut self, _: usize) {
        self.pointees.close();
    }
}
