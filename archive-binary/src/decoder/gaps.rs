//! Lists whose entries are not in the rows, because they are taken from [columns](crate::columns).

use archive_core::Result;
use archive_core::columns::{NewItem, Taken};

use super::Decoder;
use super::frame::{Form, Frame};
use crate::columnar::{Gaps, not_taken};
use crate::cursor::Cursor;
use crate::types::TypeId;

impl<'a> Decoder<'a> {
    /// Takes the entries of lists from columns.
    pub(crate) fn set_gaps(&mut self, gaps: Box<dyn Gaps + 'a>) {
        self.gaps = Some(gaps);
    }

    /// Returns the type of the entries that could not be taken from columns.
    pub(crate) fn refused_entries(&self) -> Option<TypeId> {
        self.gaps.as_ref()?.refused()
    }

    /// If there is a list with a gap at the cursor, returns its length, the offset of its first block, and the
    /// cursor after it.
    pub(super) fn gap(&self) -> Option<(u64, usize, Cursor<'a>)> {
        let gaps = self.gaps.as_ref()?;
        let mut after = self.data;
        let len = after.u64().ok()?;
        Some((len, gaps.block_at(after.at(), len)?, after))
    }

    /// Opens the list at the cursor, if it has a gap. Returns its length.
    #[inline]
    pub(super) fn open_gap(&mut self) -> Option<usize> {
        let (left, at, after) = self.gap()?;
        let len = usize::try_from(left).ok()?;
        self.data = after;
        self.open(Frame { left, at, ..Frame::new(Form::Gap) });
        Some(len)
    }

    /// Takes the entries of the list that was begun from columns. Returns `false` if they are in the rows.
    pub(super) fn take_gap(
        &mut self,
        item: NewItem,
        take: &mut dyn FnMut(&mut [Taken<'_>], usize) -> bool,
    ) -> Result<bool> {
        let Frame { form: Form::Gap, at, left, .. } = *self.top() else { return Ok(false) };
        let Some(gaps) = self.gaps.as_mut().filter(|_| self.frameless_depth == 0) else {
            return Err(not_taken());
        };
        gaps.take((at, left), item, take)?;
        self.top_mut().left = 0;
        Ok(true)
    }
}
