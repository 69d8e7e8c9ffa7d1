//! [`RunsIn`]: loads a value with columns. The rows between blocks are loaded by the archive that loads
//! files without columns.

use archive_core::block::{Asked, BlockSize, LoadBlocks};
use archive_core::pointer::LoadPointer;
use archive_core::shape::{Class, Shape};
use archive_core::{
    ArchiveKind, Body, BodyFacts, DynBody, Elsewhere, ErasedBody, Error, ErrorKind, LoadAny,
    OuterState, Result, Room, Scalar, Step, Visitor, Walk, check_name,
};

use super::input::Input;
use super::loading::Scattering;
use crate::cursor::syntax;
use crate::fast_path::{Loading, cannot, load_any};
use crate::shapes::is_empty;

/// Loads a value with columns.
pub(super) struct RunsIn<'a, 'r> {
    pub(super) rows: Loading<'a, 'r>,
    pub(super) input: Input<'r>,
    /// The length of the list that begins, if its entries are in blocks.
    pub(super) blocks: Option<u64>,
}

impl RunsIn<'_, '_> {
    /// Reads the length of a list or a map, if its entries are in blocks: if there are no rows after the
    /// length.
    #[inline(always)]
    fn blocks_of(&mut self, shape: &'static Shape) -> Option<u64> {
        /// The maximum number of bytes of a length.
        const LENGTH: usize = 10;
        if self.rows.data.left() > LENGTH { None } else { self.last_length(shape) }
    }

    #[cold]
    #[inline(never)]
    fn last_length(&mut self, shape: &'static Shape) -> Option<u64> {
        let mut data = self.rows.data;
        let len = data.u64().ok()?;
        let takes_bytes = match shape {
            Shape::Seq(item, _) => !is_empty(item.get()),
            Shape::Map(key, value) => !is_empty(key.get()) || !is_empty(value.get()),
            _ => false,
        };
        if data.left() > 0 || len == 0 || !takes_bytes || self.input.left() == 0 {
            return None;
        }
        self.rows.data = data;
        Some(len)
    }

    /// Checks that the whole file was read.
    pub(super) fn check_end(&self) -> Result {
        if self.rows.data.left() == 0 && self.input.left() == 0 {
            return Ok(());
        }
        Err(Error::new(ErrorKind::TrailingData, "trailing data after the value"))
    }

    /// Loads the entries of a list or a map from blocks.
    fn load_list<B: Body>(&mut self, shape: &'static Shape, len: u64, body: &mut B) -> Result {
        let at = self.rows.data.at();
        self.rows.session.enter(self.rows.options)?;
        let outer = self.rows.begin_items(len).items;
        let layouts = self.input.layouts.clone();
        let decoder = self.rows.decoder.get();
        let entry = self.input.next_entry().filter(|entry| decoder.has_entries(*entry, shape));
        let Some(layout) = entry.and_then(|entry| layouts.get(entry)) else {
            return Err(syntax("there is no such block", at));
        };
        let mut list = Scattering::new(layout, &mut self.input, &mut self.rows);
        body.run(&mut list)?;
        list.finish()?;
        self.rows.items.end(outer);
        (self.rows.data, self.rows.beyond) = (self.input.rows(), self.input.left());
        self.rows.session.leave();
        Ok(())
    }
}

impl Visitor for RunsIn<'_, '_> {
    archive_core::__one_way!(loads in rows);

    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        self.run_elsewhere(step, &mut DynBody(body))
    }
    #[inline]
    fn overwrites(&mut self) -> bool {
        true
    }
    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.rows.scalar(value)
    }
    #[inline]
    fn size_hint(&self) -> usize {
        self.rows.size_hint()
    }
    super::place::steps_of_rows!();

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        self.blocks = self.blocks_of(shape);
        if self.blocks.is_some() { Ok(None) } else { self.rows.begin_seq(shape, len) }
    }
    fn locate_error(&mut self, error: Error) -> Error {
        self.rows.locate_error(error)
    }
    #[inline(always)]
    fn begin_load_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<Room<'_>>> {
        self.rows.begin_load_block(asked, size)
    }
    fn leave_load_block(&mut self, asked: Asked, at: u64, error: Option<Error>) -> Result {
        self.rows.leave_load_block(asked, at, error)
    }
}

impl Walk for RunsIn<'_, '_> {
    type Way = archive_core::Loads;
    const KIND: ArchiveKind =
        ArchiveKind { elsewhere: Elsewhere::DIRECT, ..ArchiveKind::FAST_LOADING };

    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match (step, self.blocks.take()) {
            (Step::Seq(shape, _), Some(len)) => self.load_list(shape, len, body)?,
            (Step::Map(shape, len), _) => self.map(shape, len, body)?,
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
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.locate_error(error).in_member(name)),
        }
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if let Some(len) = self.blocks_of(shape) {
            return self.load_list(shape, len, body);
        }
        let outer = self.rows.open_map(shape)?;
        body.run(self)?;
        self.end_seq(outer, len)
    }
    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.rows.load_blocks(values)
    }
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        load_any(self, target)
    }
    fn load_pointer<B: LoadPointer>(&mut self, _: &mut B) -> Result {
        Err(cannot("a pointer"))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_object(
        &mut self,
        class: &'static Class,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        self.rows.begin_known_object(class, facts)
    }
}
