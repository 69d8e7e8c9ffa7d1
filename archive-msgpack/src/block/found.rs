//! Reads blocks in the decoder.

use archive_core::Shape;
use archive_core::block::{Asked, Found};

use super::{Plans, Slot};
use crate::decoder::Decoder;
use crate::frame::Frame;

/// The state of reading blocks.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    plans: Plans,
    block: Vec<u8>,
    /// The offset of the last block, and the number of items of its sequence that were left then.
    undo: (usize, usize),
}

impl Decoder<'_> {
    /// Reads the value at the cursor as a block of that size.
    #[inline]
    pub(crate) fn read_block(&mut self, size: usize, asked: Asked) -> Option<Found<'_>> {
        if self.is_not_a_value() || self.part.is_some() {
            return None;
        }
        let slot = match asked {
            Asked::Class(class) => self.blocks.plans.of_class(class),
            Asked::Shape(shape) => self.blocks.plans.of(shape),
        }?;
        self.read_values(slot, size, 1)
    }

    /// Reads the items of the sequence that was just opened as blocks of that size.
    #[inline]
    pub(crate) fn read_blocks(&mut self, size: usize) -> Option<Found<'_>> {
        let Some(Frame::Seq(left)) = self.open.last() else { return None };
        let count = *left;
        let (Shape::Seq(item, _) | Shape::Array(item, ..)) = self.items else { return None };
        let slot = self.blocks.plans.of(item.get())?;
        self.read_values(slot, size, count)?;
        if let Some(Frame::Seq(left)) = self.open.last_mut() {
            *left = 0;
        }
        self.blocks.undo.1 = count;
        Some(self.found())
    }

    fn read_values(&mut self, slot: Slot, size: usize, count: usize) -> Option<Found<'_>> {
        let levels = self.levels();
        let Blocks { plans, block, undo } = &mut self.blocks;
        let plan = plans.get(slot).filter(|plan| plan.size == size && plan.depth <= levels)?;
        *undo = (self.cursor.at, 0);
        let mut cursor = self.cursor;
        block.clear();
        plan.read(&mut cursor, count, block)?;
        self.cursor = cursor;
        Some(self.found())
    }

    /// Returns the block that was read last. The offsets of its parts in the file are unknown.
    fn found(&self) -> Found<'_> {
        Found { bytes: &self.blocks.block, at: Found::ELSEWHERE }
    }

    /// Moves back to the start of the last block.
    pub(crate) fn unread_block(&mut self) {
        let (at, count) = self.blocks.undo;
        self.cursor.at = at;
        if let Some(Frame::Seq(left)) = self.open.last_mut()
            && count > 0
        {
            *left = count;
        }
    }
}
