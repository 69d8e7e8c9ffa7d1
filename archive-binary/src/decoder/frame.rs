//! The open containers, and the type of the value at the cursor.
// Why: docs/decisions/binary.md#open-containers-are-only-counted

use std::num::NonZeroUsize;

use archive_core::decoder::{Kind, Mark};
use archive_core::shape::Primitive;
use archive_core::{Error, ErrorKind, Result};

use super::Decoder;
use super::plan::Progress;
use crate::cursor::{Cursor, no_variant, offset};
use crate::types::{Type, TypeId};

/// The way in which an open container is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A single value: the root, or an object after it.
    Value,
    /// `left` items, each of the type `item`.
    Items,
    /// `left` items in columns, from the block at the offset `at` on.
    Gap,
    /// A tuple of the type `kind`.
    Tuple,
    /// The members of the class `kind`, by name.
    Members,
    /// An option whose value is itself null, read as an object with one member.
    Wrapped,
    /// The payload of a variant of the enum `kind`, read as an object with one member.
    Variant,
    /// A sequence of self-describing values.
    TaggedItems,
    /// A self-describing object.
    TaggedMembers,
}

/// An open container whose state must be tracked. Containers that match the program's type need
/// only a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) form: Form,
    /// Its type in the file.
    pub(super) kind: TypeId,
    /// The type of each item.
    pub(super) item: TypeId,
    /// Whether the version was requested.
    pub(super) versioned: bool,
    /// The version of the object.
    pub(super) version: u32,
    /// The progress in the plan of its class.
    pub(super) plan: Progress,
    /// The number of parts without a frame that are open between this frame and the one around it.
    pub(super) frameless_depth: u32,
    pub(super) flat: u32,
    /// The nesting depth of the value here, including this level.
    pub(super) depth: usize,
    /// The number of lists that were open around it.
    pub(super) lists: u32,
    /// The number of components that were started; for a variant its index, counted from 1; for an
    /// object after the root its offset.
    pub(super) at: usize,
    /// The number of items that are left.
    pub(super) left: u64,
    /// The index of its first entry among the members that were skipped.
    pub(super) passed: usize,
    /// The index up to which all of its skipped members have been read.
    pub(super) unread: usize,
    /// The offset of the first member that was not reached yet, if the cursor is elsewhere.
    pub(super) resume: Option<NonZeroUsize>,
}

impl Frame {
    #[inline]
    pub(super) fn new(form: Form) -> Self {
        Frame {
            form,
            kind: TypeId::NONE,
            item: TypeId::NONE,
            versioned: false,
            version: 0,
            plan: Progress::NONE,
            frameless_depth: 0,
            flat: 0,
            depth: 0,
            lists: 0,
            at: 0,
            left: 0,
            passed: 0,
            unread: 0,
            resume: None,
        }
    }
}

/// An open sequence that matches the program's type.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    /// The number of items that are left.
    pub(super) left: usize,
    /// Whether the items are entries of a map.
    pub(super) entries: bool,
}

impl Decoder<'_> {
    /// Returns the innermost frame.
    #[inline]
    pub(super) fn top(&self) -> &Frame {
        self.frames.last().unwrap_or(&self.base)
    }

    /// Like [`top`](Decoder::top), mutable.
    #[inline]
    pub(super) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().unwrap_or(&mut self.base)
    }

    /// Opens a part that needs no frame, and that may be a block.
    #[inline]
    pub(super) fn open_frameless(&mut self, block: bool) {
        self.frameless_depth += 1;
        if block || self.block > 0 {
            self.block += 1;
        }
    }

    /// Returns the nesting depth of the value here.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.top().depth + (self.frameless_depth - self.flat.min(self.frameless_depth)) as usize
    }

    /// Opens a frame.
    #[inline]
    pub(super) fn open(&mut self, mut frame: Frame) {
        frame.passed = self.passed.len();
        frame.unread = frame.passed;
        frame.depth = self.depth() + 1;
        frame.frameless_depth = std::mem::take(&mut self.frameless_depth);
        frame.flat = std::mem::take(&mut self.flat);
        frame.lists = self.lists.len() as u32;
        self.frames.push(frame);
    }

    /// Closes the part that was opened last.
    #[inline]
    pub(super) fn close(&mut self) -> Result {
        self.slot = TypeId::NONE;
        if self.frameless_depth > 0 {
            self.frameless_depth -= 1;
            self.block = self.block.saturating_sub(1);
            return Ok(());
        }
        match self.frames.pop() {
            Some(frame) => {
                self.passed.truncate(frame.passed);
                self.searches.pop_if(|searched| searched.frame > self.frames.len());
                (self.frameless_depth, self.flat) = (frame.frameless_depth, frame.flat);
                Ok(())
            }
            None => {
                Err(Error::new(ErrorKind::Custom, "calls out of order: an end without a begin"))
            }
        }
    }

    /// Returns to a state with that many frames, and that many open parts without a frame since the
    /// last frame. Between that state and here, lists were opened only inside frames.
    pub(super) fn forget(&mut self, depth: usize, frameless_depth: u32) {
        if let Some(inner) = self.frames.get(depth) {
            self.passed.truncate(inner.passed);
            self.lists.truncate(inner.lists as usize);
            self.flat = inner.flat;
            self.frames.truncate(depth);
            while self.searches.pop_if(|searched| searched.frame > depth).is_some() {}
        }
        (self.frameless_depth, self.block) = (frameless_depth, 0);
    }

    /// Returns the mark of the value at the cursor.
    pub(super) fn mark_value(&mut self) -> Mark {
        let (mut at, mut slot) = (self.data.at(), self.slot);
        // A pointer must have the same mark whether it is read with or without the tag or option
        // flag before it.
        if slot == TypeId::ANY && self.data.peek().is_ok_and(|tag| tag == crate::tags::POINTER) {
            (at, slot) = (at + 1, TypeId::POINTER);
        } else if let Some(Type::Option(value)) = self.tables.get(slot)
            && (*value == TypeId::POINTER
                || matches!(self.tables.get(*value), Some(Type::Pointer(_))))
            && self.data.peek().is_ok_and(|flag| flag == 1)
        {
            (at, slot) = (at + 1, *value);
        }
        self.mark_at(at, slot)
    }

    /// Returns the mark of the value at the cursor, with the flag of an option or the tag before it.
    #[cfg(feature = "document")]
    pub(crate) fn mark_whole(&self) -> Mark {
        self.mark_at(self.data.at(), self.slot)
    }

    fn mark_at(&self, at: usize, slot: TypeId) -> Mark {
        let state = u64::from(self.frameless_depth) << 32 | u64::from(slot.0);
        Mark { offset: at as u64, state, depth: self.frames.len() as u32 }
    }

    /// Moves to a mark.
    pub(super) fn go(&mut self, mark: Mark) {
        self.data.goto(usize::try_from(mark.offset).unwrap_or(usize::MAX));
        self.slot = TypeId(mark.state as u32);
        self.start = self.data.at();
    }

    /// Takes the type of the value at the cursor, to read the value.
    pub(super) fn take_slot(&mut self) -> TypeId {
        self.start = self.data.at();
        let slot = self.slot;
        self.taken = (slot, self.start);
        self.slot = TypeId::NONE;
        slot
    }

    /// Takes the type of the value at the cursor, inside any options. Options that are null are an
    /// error.
    pub(super) fn take_present_slot(&mut self, expected: &str) -> Result<TypeId> {
        let mut slot = self.take_slot();
        while let Some(Type::Option(value)) = self.tables.get(slot) {
            slot = *value;
            if !self.data.flag("an option")? {
                return Err(Error::wrong_type(expected, "null").at(self.here()));
            }
        }
        Ok(slot)
    }

    /// Returns the kind of the value at the cursor, whose type is `slot`.
    pub(super) fn kind_of(&self, slot: TypeId) -> Result<Kind> {
        self.kind_at(slot, self.data)
    }

    pub(super) fn kind_at(&self, slot: TypeId, mut ahead: Cursor<'_>) -> Result<Kind> {
        let mut slot = slot;
        if let Some(Type::Option(value)) = self.tables.get(slot) {
            if !ahead.flag("an option")? {
                return Ok(Kind::Null);
            }
            if self.is_null(*value, ahead) {
                return Ok(Kind::Object);
            }
            slot = *value;
            while let Some(Type::Option(value)) = self.tables.get(slot) {
                ahead.flag("an option")?;
                slot = *value;
            }
        }
        let pointer = |null: bool| Ok(if null { Kind::Null } else { Kind::Pointer });
        if let Some(primitive) = slot.primitive() {
            return Ok(match primitive {
                Primitive::Unit => Kind::Null,
                Primitive::Bool => Kind::Bool,
                Primitive::Char | Primitive::Str => Kind::Str,
                Primitive::Bytes => Kind::Bytes,
                _ => Kind::Number,
            });
        }
        if slot.wide().is_some() {
            return Ok(Kind::Number);
        }
        match self.tables.get(slot) {
            Some(Type::Seq(_) | Type::Array(..) | Type::Tuple(_) | Type::Map(_)) => Ok(Kind::Seq),
            Some(Type::Class { .. }) => Ok(Kind::Object),
            Some(Type::Enum { variants, .. }) => {
                let index = ahead.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    Some((_, None)) => Ok(Kind::Str),
                    Some((_, Some(_))) => Ok(Kind::Object),
                    None => Err(no_variant(index, ahead.at())),
                }
            }
            Some(Type::Pointer(_)) => pointer(ahead.peek()? == 0),
            Some(Type::Option(_)) => Err(nothing_here(ahead.at())),
            None => match slot {
                TypeId::POINTER | TypeId::WEAK | TypeId::DYN => pointer(ahead.peek()? == 0),
                TypeId::OBJECT => Ok(Kind::Object),
                TypeId::VERSION => Ok(Kind::Number),
                TypeId::ANY => super::tagged::kind(ahead.peek()?, ahead.at()),
                _ => Err(nothing_here(ahead.at())),
            },
        }
    }
}

/// Creates the error for a request if the file has no value there.
#[cold]
pub(super) fn nothing_here(at: usize) -> Error {
    Error::wrong_type("a value", "nothing").at(offset(at))
}
