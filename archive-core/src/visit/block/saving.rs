//! [`BlockSaving`]: the archive that fills a block.
// Why: docs/decisions/limits-and-unsafe.md#five-files-of-the-library-have-unsafe-code
#![allow(unsafe_code)] // see `save`

use std::mem::MaybeUninit;

use crate::model::block_size::{Asked, BlockSize};
use crate::model::error::{Error, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Member, Shape};
use crate::state::options::Options;
use crate::visit::body::Body;
use crate::visit::erased::Saves;
use crate::visit::session::Session;
use crate::visit::visitor::Visitor;
use crate::visit::walk::{SaveRoom, Walk, save_body};

/// The [`Archive`](crate::Archive) that saves values of a known size into a block.
pub struct BlockSaving<'a> {
    room: &'a mut [MaybeUninit<u8>],
    /// The number of bytes written so far, from the start of the room.
    at: usize,
    version: u32,
    session: &'a mut Session,
    options: &'a Options<'a>,
}

/// Consecutive values of equal size.
pub trait SaveBlocks {
    /// Returns the size of each value.
    fn size(&self) -> BlockSize;

    /// Returns the number of values.
    fn count(&self) -> usize;

    /// Saves the next value, if one is left.
    fn next(&mut self, block: &mut BlockSaving<'_>) -> Result;
}

/// Appends `count` values of `size` bytes each to `out`; `visit` saves one. `version` is the
/// version of the object that contains them.
///
/// # Errors
/// Errors of `visit`; an error if it saves more or less than the size of a value.
#[inline]
pub fn save(
    out: &mut Vec<u8>,
    (count, size): (usize, usize),
    version: u32,
    (session, options): (&mut Session, &Options<'_>),
    mut visit: impl FnMut(&mut BlockSaving<'_>) -> Result,
) -> Result {
    let Some(bytes) = count.checked_mul(size).filter(|_| size > 0) else {
        return Err(Error::custom("a block of this size does not fit in memory"));
    };
    reserve(out, bytes);
    let mut rest = &mut out.spare_capacity_mut()[..bytes];
    while let Some((room, after)) = rest.split_at_mut_checked(size) {
        let mut block = BlockSaving { room, at: 0, version, session, options };
        visit(&mut block)?;
        if block.at != size {
            return Err(limit_error());
        }
        rest = after;
    }
    // SAFETY: `reserve` ensured that `bytes` bytes of capacity follow the length. They are a whole
    // number of rooms of `size` bytes, and each room was filled completely: `at` begins at 0, and
    // only `put` changes it, either past the bytes that it has just written or to `OVERFULL`, which
    // is not a size and is never changed again. `at == size` therefore means that all bytes of the
    // room are written.
    unsafe { out.set_len(out.len() + bytes) }
    Ok(())
}

impl SaveRoom<'_> {
    /// Appends a value. Without a closure, which would be a function for each type.
    ///
    /// # Errors
    /// Like [`save`].
    #[inline(always)]
    pub fn save<B: Body>(self, asked: Asked, size: BlockSize, body: &mut B) -> Result {
        let SaveRoom { out, version, session, options, .. } = self;
        reserve(out, size.bytes);
        let room = &mut out.spare_capacity_mut()[..size.bytes];
        let mut block = BlockSaving { room, at: 0, version, session, options };
        let saved = match save_body(body, &mut block) {
            Ok(()) if block.at != size.bytes => Err(limit_error()),
            saved => saved,
        };
        if let Err(error) = saved {
            return Err(asked.in_class(error));
        }
        // SAFETY: as in `save`, with one room.
        unsafe { out.set_len(out.len() + size.bytes) }
        Ok(())
    }

    /// Appends the bytes of a value.
    #[inline(always)]
    pub(crate) fn append(self, bytes: &[u8]) {
        reserve(self.out, bytes.len());
        self.out.extend_from_slice(bytes);
    }
}

/// Makes room for `additional` bytes after the end.
#[doc(hidden)]
#[inline(always)]
pub fn reserve(out: &mut Vec<u8>, additional: usize) {
    if out.capacity() - out.len() < additional {
        // By value, so that no address of the vector escapes and its fields can stay in registers.
        *out = grow(std::mem::take(out), additional);
    }
}

/// The size from which copying a block takes noticeable time.
const LARGE: usize = 1 << 16;
/// Room for the data that a format writes after a block, such as the tables of a few types.
const TAIL: usize = 1 << 10;

#[cold]
#[inline(never)]
fn grow(mut out: Vec<u8>, additional: usize) -> Vec<u8> {
    // Data after a large block should not cause the whole block to be moved again.
    let tail = if additional < LARGE { 0 } else { TAIL };
    out.reserve(additional.saturating_add(tail));
    out
}

#[cold]
fn limit_error() -> Error {
    Error::custom("a value saved more or fewer parts than its shape declares")
}

#[cold]
fn shapeless() -> Error {
    Error::custom("a value saved a part that its shape does not declare")
}

impl BlockSaving<'_> {
    /// Writes bytes, if there is room. The caller checks once, at the end, whether there was: an
    /// error here would have to be checked after each number.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        match self.room.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<N>()) {
            Some(room) => {
                *room = bytes.map(MaybeUninit::new);
                self.at += N;
            }
            None => self.at = OVERFULL,
        }
    }
}

/// A position beyond any room.
const OVERFULL: usize = usize::MAX;

impl Visitor for BlockSaving<'_> {
    crate::__takes_bodies!();
    crate::__one_way!(saves);

    #[inline]
    fn current_version(&self) -> u32 {
        self.version
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
        match value {
            Scalar::Bool(v) => self.put([u8::from(*v)]),
            Scalar::U8(v) => self.put([*v]),
            Scalar::I8(v) => self.put(v.to_le_bytes()),
            Scalar::U16(v) => self.put(v.to_le_bytes()),
            Scalar::I16(v) => self.put(v.to_le_bytes()),
            Scalar::U32(v) => self.put(v.to_le_bytes()),
            Scalar::I32(v) => self.put(v.to_le_bytes()),
            Scalar::U64(v) => self.put(v.to_le_bytes()),
            Scalar::I64(v) => self.put(v.to_le_bytes()),
            Scalar::U128(v) => self.put(v.to_le_bytes()),
            Scalar::I128(v) => self.put(v.to_le_bytes()),
            Scalar::F32(v) => self.put(v.to_le_bytes()),
            Scalar::F64(v) => self.put(v.to_le_bytes()),
            Scalar::Unit => {}
            Scalar::Char(_)
            | Scalar::String(_)
            | Scalar::Bytes(_)
            | Scalar::Str(_)
            | Scalar::ByteSlice(_) => return Err(shapeless()),
        }
        Ok(())
    }
}

impl Walk for BlockSaving<'_> {
    type Way = Saves;

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        body.run(self).map_err(|error| error.in_member(name))
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        body.run(self).map_err(|error| error.in_member(info.name))
    }
    #[inline(always)]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        match body.run(self) {
            Ok(()) => Ok(true),
            Err(error) => Err(error.in_item(index)),
        }
    }
    #[inline(always)]
    fn seq<B: Body>(&mut self, _: &'static Shape, _: usize, body: &mut B) -> Result {
        body.run(self)
    }
    #[inline(always)]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let outer = self.version;
        self.version = self.options.settings().targets().version_of(class);
        let result = body.run(self).map_err(|error| error.in_class(class));
        self.version = outer;
        result
    }
}
