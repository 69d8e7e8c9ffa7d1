//! [`Runs`]: saves a value with columns. The rows between blocks are saved by the archive that saves
//! files without columns.

use archive_core::block::{Asked, BlockSize, SaveBlocks};
use archive_core::encoder::UNCOUNTED;
use archive_core::pointer::PointerHead;
use archive_core::shape::{Class, Shape};
use archive_core::{
    Archive, ArchiveKind, Begun, Body, BodyFacts, DynBody, Elsewhere, ErasedBody, OuterState,
    Result, SaveRoom, Scalar, Step, Visitor, Walk, check_name,
};

use super::output::Output;
use crate::fast_path::{Saving, cannot};
use crate::types::TypeId;

/// Saves a value with columns.
pub(super) struct Runs<'a, 'w> {
    pub(super) rows: Saving<'a, 'w>,
    pub(super) output: &'a mut Output,
}

impl Runs<'_, '_> {
    /// Returns the type of the entries of a list or a map, if these may become blocks.
    #[inline(always)]
    fn entry_of(&mut self, shape: &'static Shape, len: usize) -> Option<TypeId> {
        if len < self.output.many { None } else { self.long_entry_of(shape) }
    }

    #[cold]
    #[inline(never)]
    fn long_entry_of(&mut self, shape: &'static Shape) -> Option<TypeId> {
        let list = self.rows.encoder.types.intern(shape);
        self.output.entry_of(list)
    }

    /// Saves a list or a map with many entries.
    fn long_list<B: Body>(
        &mut self,
        shape: &'static Shape,
        (entry, len): (TypeId, usize),
        body: &mut B,
    ) -> Result {
        let outer = self.rows.enter_seq(shape, len, matches!(shape, Shape::Seq(..)))?;
        let Saving { out, encoder, session, options, .. } = &mut self.rows;
        self.output.save_list(out, (entry, len), body, encoder, (session, options))?;
        self.rows.end_seq(outer, len)
    }
}

impl Visitor for Runs<'_, '_> {
    archive_core::__one_way!(saves in rows);

    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        self.run_elsewhere(step, &mut DynBody(body))
    }

    #[inline]
    fn fixed_members(&self) -> bool {
        true
    }
    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }
    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.rows.scalar(value)
    }
    #[inline(always)]
    fn save_whole_block(&mut self, block: &[u8], size: BlockSize) -> Result<bool> {
        self.rows.save_whole_block(block, size)
    }
    super::place::steps_of_rows!();

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        self.begin_known_seq(shape, len, &BodyFacts::NONE)
    }
    fn begin_list(
        &mut self,
        shape: &'static Shape,
        len: usize,
        block: &[u8],
        size: BlockSize,
    ) -> Result<(Begun, OuterState)> {
        self.rows.begin_list(shape, len, block, size)
    }
    #[cold]
    fn begin_pointer(&mut self, _: &PointerHead<'_>) -> Result {
        Err(cannot("a pointer"))
    }
    fn begin_save_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<SaveRoom<'_>>> {
        self.rows.begin_save_block(asked, size)
    }
}

impl Walk for Runs<'_, '_> {
    type Way = archive_core::Saves;
    const KIND: ArchiveKind =
        ArchiveKind { elsewhere: Elsewhere::DIRECT, ..ArchiveKind::FAST_SAVING };

    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match step {
            Step::Seq(shape, UNCOUNTED) => {
                // The archive that counts the items saves all parts of them as rows.
                self.output.leave_out();
                self.rows
                    .by_parts(shape, UNCOUNTED, &mut |ar| body.run(&mut ar.erased().saving()))?;
            }
            Step::Seq(shape, len) => match self.entry_of(shape, len) {
                Some(entry) => self.long_list(shape, (entry, len), body)?,
                None => return Err(cannot("a list")),
            },
            Step::Map(shape, len) => self.map(shape, len, body)?,
            _ => return Err(cannot("that")),
        }
        Ok(true)
    }

    fn object_by_hand<B: Body>(&mut self, _: &'static Class, _: &mut B) -> Result {
        Err(cannot("members of a hand-written function"))
    }
    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        body.run(self).map_err(|error| error.in_member(name))
    }
    #[inline(always)]
    fn save_body<B: Body>(&mut self, asked: Asked, size: BlockSize, body: &mut B) -> Result<bool> {
        self.rows.save_body(asked, size, body)
    }
    #[inline]
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.rows.save_blocks(values)
    }
    #[inline]
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if let Some(entry) = self.entry_of(shape, len) {
            return self.long_list(shape, (entry, len), body);
        }
        let outer = self.rows.enter_seq(shape, len, false)?;
        body.run(self)?;
        self.rows.end_seq(outer, len)
    }
    #[inline]
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.rows.begin_item(index)?;
        enter_entry(self).map_err(|error| error.in_item(index))?;
        key.run(self).map_err(|error| error.in_item(0).in_item(index))?;
        value.run(self).map_err(|error| error.in_item(1).in_item(index))?;
        self.session_mut().leave();
        Ok(true)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_object(
        &mut self,
        class: &'static Class,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        self.rows.begin_known_object(class, facts)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        if len != UNCOUNTED && self.entry_of(shape, len).is_some() {
            return Ok(None);
        }
        self.rows.begin_known_seq(shape, len, facts)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        facts: &BodyFacts,
    ) -> Result<(Begun, bool)> {
        self.rows.begin_known_option(shape, present, null, facts)
    }
}

/// Counts an entry of a map, and enters it.
#[inline(always)]
pub(super) fn enter_entry<W: Walk>(ar: &mut W) -> Result {
    let (session, options) = ar.parts_mut();
    session.count(options)?;
    session.enter_entry(options)
}
