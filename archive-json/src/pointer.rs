//! Pointers: objects whose first member is one of a few reserved names.

use archive_core::reserved;
use archive_core::{Decoder as _, Error, ErrorKind, LoadedHead, Mark, PointerKind, Result};

use crate::cursor::{Text, View};
use crate::decoder::Decoder;
use crate::source::Source;
use crate::walk::{Walker, Watch, brackets, walk_outwards};

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
    /// without searching; in any other order they are looked up by name.
    pub(crate) fn pointer_head(&mut self) -> Result<LoadedHead<'_>> {
        let mut head = Head { kind: PointerKind::Plain, id: 0, type_name: None };
        match self.cursor.byte() {
            b'n' => {
                self.null()?;
                head.kind = PointerKind::Null;
                return Ok(self.loaded(head));
            }
            b'{' if self.begins_with(&reserved::POINTER) => {}
            b'{' => {
                self.first_key()?;
                return Ok(self.loaded(head));
            }
            _ if self.cursor.at == self.cursor.text().len() => {
                return Err(self.cursor.unexpected("a value"));
            }
            _ => return Ok(self.loaded(head)),
        }
        let start = self.cursor.place();
        // References may refer to it, and its type name is read from the text itself.
        self.cursor.source.keep_all();
        self.open_object()?;
        if !self.read_head(&mut head, false)? && !self.read_head(&mut head, true)? {
            head.kind = PointerKind::Seen;
        }
        if head.id == 0 && head.kind != PointerKind::Owned {
            let position = self.cursor.position_of(start);
            return Err(self.loaded(head).lacks_pointee_and_id().at(position));
        }
        Ok(self.loaded(head))
    }

    fn loaded(&self, head: Head) -> LoadedHead<'_> {
        let type_name = head.type_name.map(|(base, name)| match name {
            Text::Plain(range) => {
                let moved = self.cursor.source.base() - base;
                self.cursor.spelled(Text::Plain(range.start - moved..range.end - moved))
            }
            name => self.cursor.spelled(name),
        });
        LoadedHead { kind: head.kind, id: head.id, type_name }
    }

    /// Returns whether the first key of the object at the cursor is one of these names. With the
    /// names of pointers: whether the object is a pointer.
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

    /// Reads the members of a pointer's head that were not read before: only the next ones, or any
    /// of them with `search`. Returns `false` if they do not determine the kind of the pointer.
    fn read_head(&mut self, head: &mut Head, search: bool) -> Result<bool> {
        let find = if search { Self::member } else { Self::next_is };
        if head.id == 0 {
            if find(self, reserved::WEAK)? {
                head.kind = PointerKind::Weak;
                head.id = self.pointer_id(reserved::WEAK)?;
                return Ok(true);
            }
            if find(self, reserved::ID)? {
                head.id = self.pointer_id(reserved::ID)?;
            }
        }
        if head.type_name.is_none() && find(self, reserved::TYPE)? {
            let name = self.text("text")?;
            head.type_name = Some((self.cursor.source.base(), name));
        }
        // If `$value` comes first, the id and the type may follow it.
        if !search && head.id == 0 && head.type_name.is_none() {
            return Ok(false);
        }
        if find(self, reserved::LATER)? {
            self.bool()?;
            head.kind = PointerKind::Later;
        } else if find(self, reserved::VALUE)? {
            head.kind = if head.id == 0 { PointerKind::Owned } else { PointerKind::Stored };
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads a pointer's id from the member `name`.
    fn pointer_id(&mut self, name: &str) -> Result<u64> {
        self.cursor.begin();
        if let Some((false, id @ 1..)) = self.cursor.short_integer() {
            return Ok(id);
        }
        self.cursor.go(self.cursor.start);
        let number = self.number();
        reserved::object_id(name, number).map_err(|error| error.at(self.position()))
    }

    /// Closes a pointer. If `$value` came first, the kind was decided without the members after it,
    /// so an id or a type among them is an error.
    pub(crate) fn close_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        self.end_object(&mut |name| match name {
            reserved::ID | reserved::TYPE => {
                let message = format_args!("`{name}` must come before `$value`");
                Err(Error::new(ErrorKind::BadPointer, message))
            }
            _ => unknown(name),
        })
    }
}

/// The parts of a pointer's head that were read so far. The type name comes with the base of the
/// text at hand when it was read.
struct Head {
    kind: PointerKind,
    id: u64,
    type_name: Option<(usize, Text)>,
}

/// Finds every pointer that has a body in the text at hand, which extends to the end of the input.
/// If the start of the input is gone, `here` is inside of `depth` objects and sequences.
pub(crate) fn find_pointees(
    here: View<'_>,
    base: usize,
    (depth, limit): (usize, usize),
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    let mut bodies = Bodies { open: Vec::new(), found, base };
    let mut walker = Walker::new(limit);
    let mut start = here.moved(0);
    start.space();
    if base == 0 {
        return walker.walk(&mut start, limit, &mut bodies);
    }
    let (opened, closed) = brackets(here, here.at);
    let level = (depth + closed).saturating_sub(opened);
    walk_outwards(&mut start, level, |item, level| {
        walker.walk(item, limit.saturating_sub(level), &mut bodies)
    })
}

struct Bodies<'f> {
    open: Vec<Candidate>,
    found: &'f mut dyn FnMut(u64, Mark),
    /// The place at which the text begins.
    base: usize,
}

/// An object that may turn out to be a pointer with a body.
#[derive(Default)]
struct Candidate {
    at: usize,
    /// Whether the first key belongs to a pointer; `None` before the first key was read.
    pointer: Option<bool>,
    id: Option<u64>,
    has_value: bool,
}

impl Watch for Bodies<'_> {
    fn open(&mut self, place: usize) -> Option<usize> {
        self.open.push(Candidate { at: self.base + place, ..Candidate::default() });
        None
    }

    fn member(&mut self, key: View<'_>, here: View<'_>) {
        let Some(object) = self.open.last_mut() else {
            return;
        };
        if !*object.pointer.get_or_insert_with(|| is_pointer_key(&key)) {
            return;
        }
        if key.key_end(reserved::ID).is_some() {
            let number = { here }.decimal().and_then(|id| id.to_number());
            object.id = number.and_then(|id| id.to_integer()).ok();
        } else if key.key_end(reserved::VALUE).is_some() {
            object.has_value = true;
        }
    }

    fn close(&mut self, _: usize) {
        if let Some(Candidate { at, id: Some(id), has_value: true, .. }) = self.open.pop() {
            let depth = self.open.len() as u32;
            (self.found)(id, Mark { offset: at as u64, state: 0, depth });
        }
    }
}
