//! Objects that were deferred until after the root, and the marks of all objects.
// Why: docs/decisions/pointers.md#an-object-is-where-a-walk-through-the-input-finds-it

use archive_core::decoder::Mark;
use archive_core::{Error, ErrorKind, Position, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use super::skip::Found;
use crate::cursor::offset;
use crate::types::TypeId;
use crate::varint::len_u64;

/// The objects after the root. Each begins at the end of the previous one.
#[derive(Default)]
pub(super) struct Deferred {
    /// The offsets at which the skipped objects begin, in order.
    passed: Vec<usize>,
    /// The offset of the next object, if an object was searched for.
    next: usize,
    /// The offset of the content of that object, if it was found.
    pointee: usize,
}

impl Decoder<'_> {
    /// Records where an object was read, if it is after the root.
    #[inline]
    pub(crate) fn note_pointee_after_root(&mut self, start: usize, end: usize) {
        if start >= self.tables.root_end {
            self.note_read(start, end);
        }
    }

    /// Records the end of the object in the innermost frame, if it is after the root. Replaces the
    /// records of objects inside it.
    pub(super) fn note_pointee(&mut self) {
        let &Frame { form: Form::Value, at: start, .. } = self.top() else { return };
        if start != 0 {
            self.note_read(start, self.data.at());
        }
    }

    /// Records the start and the end of an object after the root.
    fn note_read(&mut self, start: usize, end: usize) {
        if self.deferred.pointee == start {
            self.deferred.next = end;
        }
        while self.read.last().is_some_and(|inner| start <= inner.0 && inner.1 <= end) {
            self.read.pop();
        }
        self.read.push((start, end));
    }

    /// Checks that there are only objects after the root, one after the other. Skips those that
    /// were not read.
    pub(super) fn check_deferred(&mut self) -> Result {
        let here = self.data;
        self.read.sort_unstable();
        let mut read = std::mem::take(&mut self.read).into_iter().peekable();
        while self.data.at() < self.end {
            let at = self.deferred_pointee()?;
            while read.next_if(|known| known.0 < at).is_some() {}
            match read.next_if(|known| known.0 == at) {
                Some((_, end)) => self.data.goto(end),
                None => self.skip_value(TypeId::POINTER)?,
            }
        }
        self.data = here;
        Ok(())
    }

    /// Returns the offset of the object of the pointer at the cursor, which is after the root. The
    /// object must come next.
    fn deferred_pointee(&self) -> Result<usize> {
        let mut ahead = self.data;
        let position = offset(ahead.at());
        let id = ahead.u64()?;
        match self.tables.objects.find(id, position) {
            Ok(Some(pointee)) if pointee.at == ahead.at() => Ok(pointee.at),
            _ => {
                let message = "trailing data after the value";
                Err(Error::new(ErrorKind::TrailingData, message).at(position))
            }
        }
    }

    /// Finds an object after the root.
    pub(super) fn find_deferred(&mut self, id: u64) -> Option<Mark> {
        let pointee = self.tables.objects.find(id, Position::Unknown).ok()??;
        if pointee.at < self.tables.root_end {
            return None;
        }
        let start = pointee.at - len_u64(id) as usize;
        self.deferred.next = self.deferred.next.max(self.tables.root_end);
        if self.deferred.next < start {
            let (here, empty) = (self.data, self.empty_left);
            let passed = self.pass_deferred(start);
            (self.data, self.empty_left) = (here, empty);
            passed.ok()?;
        }
        if self.deferred.next == start {
            self.deferred.pointee = pointee.at;
        } else if self.deferred.passed.binary_search(&start).is_err() {
            return None;
        }
        let depth = self.frames.len() as u32;
        Some(Mark { offset: start as u64, state: TypeId::POINTER.0.into(), depth })
    }

    /// Skips objects up to the one that begins at `start`.
    fn pass_deferred(&mut self, start: usize) -> Result {
        while self.deferred.next < start {
            self.data.goto(self.deferred.next);
            self.deferred_pointee()?;
            self.walk(TypeId::POINTER, 0, None)?;
            self.deferred.passed.push(self.deferred.next);
            self.deferred.next = self.data.at();
        }
        Ok(())
    }

    /// Reports the marks of all objects, in the order in which a reader of the whole file reaches
    /// them. This ensures that two objects share bytes only if one is part of the other.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`] if the object table has other offsets.
    pub(super) fn all_pointees(&mut self, found: Found<'_>) -> Result {
        let (here, left) = (self.data, self.empty_left);
        self.empty_left = self.max_empty;
        self.data.goto(self.tables.start);
        let walked = self.walk_all(found);
        (self.data, self.empty_left) = (here, left);
        walked
    }

    fn walk_all(&mut self, found: Found<'_>) -> Result {
        let mut met = 0;
        let mut found = |id, mark: Mark| {
            met += usize::from(mark.state == TypeId::POINTER.0.into());
            found(id, mark);
        };
        self.walk(self.tables.root, 0, Some(&mut found))?;
        self.check_root_end()?;
        while self.data.at() < self.end {
            self.deferred_pointee()?;
            self.walk(TypeId::POINTER, 0, Some(&mut found))?;
        }
        if met == self.tables.objects.len() {
            return Ok(());
        }
        let message = "the object table has an offset where no object begins";
        Err(Error::new(ErrorKind::BadPointer, message).at(offset(self.end)))
    }
}
