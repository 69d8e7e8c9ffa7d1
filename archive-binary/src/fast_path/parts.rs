//! Sequences and maps with self-describing parts, and lists whose length is known only at the end.

use archive_core::backend::Visit;
use archive_core::encoder::UNCOUNTED;
use archive_core::shape::Shape;
use archive_core::{Archive, Body, Result, Scalar, Visitor, Walk};

use super::saving::PART;
use super::{Saving, cannot};
use crate::shapes::is_any;

/// Saves the items of such a sequence, or the entries of such a map.
struct Parts<'s, 'a, 'w> {
    saving: &'s mut Saving<'a, 'w>,
    shape: &'static Shape,
    /// The number of items so far.
    count: usize,
    /// Whether the items are counted one by one, because the length is not known.
    counts: bool,
}

impl Saving<'_, '_> {
    /// Saves such a sequence or map. `visit` visits its items or entries.
    #[inline(never)]
    pub(crate) fn by_parts(
        &mut self,
        shape: &'static Shape,
        len: usize,
        visit: Visit<'_>,
    ) -> Result {
        let is_map = matches!(shape, Shape::Map(..));
        let counts = len == UNCOUNTED && !is_map;
        self.reserve(1);
        let at = self.out.len();
        let outer = self.enter_seq(shape, if counts { 0 } else { len }, !is_map)?;
        // Bytes that were sent to the sink cannot be changed.
        let sink = if counts { self.sink.take() } else { None };
        let mut parts = Parts { saving: self, shape, count: 0, counts };
        visit(&mut parts.erased())?;
        let count = parts.count;
        if counts {
            self.encoder.count_empty(shape, count)?;
            if !matches!(shape, Shape::Tuple(..) | Shape::Array(..)) {
                self.pass_output();
                self.encoder.patch(at, 0, count as u64);
            }
            if sink.is_some() {
                (self.sink, self.part) = (sink, PART);
            }
        }
        self.end_seq(outer, len)
    }
}

impl Visitor for Parts<'_, '_, '_> {
    archive_core::__takes_bodies!();
    archive_core::__one_way!(saves in saving);

    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }

    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Err(cannot("a value outside its items"))
    }
}

impl Walk for Parts<'_, '_, '_> {
    type Way = archive_core::Saves;

    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        let Parts { saving, shape, count, counts } = self;
        let any = match shape {
            Shape::Seq(item, _) | Shape::Array(item, ..) => is_any(*item),
            Shape::Tuple(items, ..) => items.get(*count).is_some_and(|item| is_any(*item)),
            _ => false,
        };
        *count += 1;
        let counted = if *counts { saving.session.count(saving.options) } else { Ok(()) };
        counted
            .and_then(|()| saving.begin_item(index))
            .and_then(|_| saving.any_or(|| any, body))
            .map_err(|error| error.in_item(index))?;
        Ok(true)
    }

    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        let any = match self.shape {
            Shape::Map(key, value) => [is_any(*key), is_any(*value)],
            _ => [false; 2],
        };
        self.saving.entry_of(index, any, key, value)
    }
}
