//! [`BlockLoading`]: the archive that reads a block.

use crate::model::block_size::BlockSize;
use crate::model::error::{Error, Position, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Member, Shape};
use crate::state::options::Options;
use crate::visit::body::Body;
use crate::visit::erased::Loads;
use crate::visit::session::Session;
use crate::visit::visitor::Visitor;
use crate::visit::walk::Walk;

/// A block in the input.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The bytes of the block.
    pub bytes: &'a [u8],
    /// The offset of its first byte, or [`ELSEWHERE`](Found::ELSEWHERE).
    pub at: u64,
}

impl Found<'_> {
    /// Replaces the offset if the bytes were copied or converted and have no offset in the input.
    /// After an error, the caller should load the values again one by one, because their positions
    /// are known then.
    pub const ELSEWHERE: u64 = u64::MAX;
}

/// The [`Archive`](crate::Archive) that loads values of a known size from a block.
pub struct BlockLoading<'a> {
    bytes: &'a [u8],
    /// The number of bytes that have been read.
    at: usize,
    /// The position of the first byte in the input.
    start: u64,
    /// Whether a value was read that must be loaded again one by one.
    odd: bool,
    version: u32,
    session: &'a mut Session,
    options: &'a Options<'a>,
}

/// The destination of consecutive values of equal size.
pub trait LoadBlocks {
    /// Returns the size of each value.
    fn size(&self) -> BlockSize;

    /// Called before the first value, with the number of values.
    fn begin(&mut self, count: usize, session: &mut Session, options: &Options<'_>);

    /// Takes all values at once, if their bytes in memory are those of the block. Returns `false`
    /// if not.
    fn take(&mut self, block: &[u8]) -> bool {
        let _ = block;
        false
    }

    /// Loads the next value.
    fn next(&mut self, block: &mut BlockLoading<'_>) -> Result;

    /// Called after the last value.
    fn end(&mut self, session: &mut Session);
}

/// Loads values of `size` bytes each. `visit` loads one value and receives its index. Returns
/// `false` if the values must be loaded again one by one, because the report or an error must say
/// where something was found. In that case the report is unchanged, and the caller must overwrite
/// the values that were loaded.
#[inline]
pub fn load(
    found: Found<'_>,
    size: usize,
    (session, options): (&mut Session, &Options<'_>),
    mut visit: impl FnMut(usize, &mut BlockLoading<'_>) -> Result,
) -> Result<bool> {
    let (version, since) = (session.version(), session.report().extent());
    let mut start = found.at;
    let mut odd = false;
    for (index, bytes) in found.bytes.chunks_exact(size).enumerate() {
        let mut block = BlockLoading { bytes, at: 0, start, odd: false, version, session, options };
        let visited = visit(index, &mut block);
        odd |= block.odd;
        if found.at == Found::ELSEWHERE && visited.is_err() {
            odd = true;
            break;
        }
        visited?;
        start = start.saturating_add(size as u64);
    }
    if session.report().extent() != since {
        session.forget_notes(since);
        odd = true;
    }
    Ok(!odd)
}

#[cold]
fn shapeless() -> Error {
    Error::custom("a value loaded a part that its shape does not declare")
}

impl BlockLoading<'_> {
    /// Returns the next bytes. The caller checks once, at the end, whether there were enough: an
    /// error here would have to be checked after each number.
    #[inline(always)]
    fn get<const N: usize>(&mut self) -> [u8; N] {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(bytes) => {
                self.at += N;
                *bytes
            }
            None => {
                self.odd = true;
                [0; N]
            }
        }
    }

    #[inline(always)]
    fn flag(&mut self) -> bool {
        let [flag] = self.get();
        self.odd |= flag > 1;
        flag != 0
    }

    fn offset(&self, at: usize) -> Position {
        Position::Offset(self.start.saturating_add(at as u64))
    }

    /// Runs `visit`, and prepends the name to the path of an error. An error without a position
    /// gets the position at which `visit` began.
    #[inline(always)]
    fn visit_at(&mut self, name: Name<'_>, visit: impl FnOnce(&mut Self) -> Result) -> Result {
        let at = self.at;
        visit(self).map_err(|error| self.located(error, at, name))
    }

    #[cold]
    fn located(&self, error: Error, at: usize, name: Name<'_>) -> Error {
        let error = error.at(self.offset(at));
        match name {
            Name::Member(name) => error.in_member(name),
            Name::Item(index) => error.in_item(index),
        }
    }

    /// Visits an item of the sequence in the block.
    #[inline(always)]
    pub fn visit_item(&mut self, index: usize, visit: impl FnOnce(&mut Self) -> Result) -> Result {
        self.visit_at(Name::Item(index), visit)
    }
}

/// One component of a path.
#[derive(Clone, Copy)]
enum Name<'n> {
    Member(&'n str),
    Item(usize),
}

impl Visitor for BlockLoading<'_> {
    crate::__takes_bodies!();
    crate::__one_way!(loads);

    #[inline]
    fn current_version(&self) -> u32 {
        self.version
    }
    #[inline]
    fn overwrites(&mut self) -> bool {
        true
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Bool(v) => *v = self.flag(),
            Scalar::U8(v) => [*v] = self.get(),
            Scalar::I8(v) => *v = i8::from_le_bytes(self.get()),
            Scalar::U16(v) => *v = u16::from_le_bytes(self.get()),
            Scalar::I16(v) => *v = i16::from_le_bytes(self.get()),
            Scalar::U32(v) => *v = u32::from_le_bytes(self.get()),
            Scalar::I32(v) => *v = i32::from_le_bytes(self.get()),
            Scalar::U64(v) => *v = u64::from_le_bytes(self.get()),
            Scalar::I64(v) => *v = i64::from_le_bytes(self.get()),
            Scalar::U128(v) => *v = u128::from_le_bytes(self.get()),
            Scalar::I128(v) => *v = i128::from_le_bytes(self.get()),
            Scalar::F32(v) => *v = f32::from_le_bytes(self.get()),
            Scalar::F64(v) => *v = f64::from_le_bytes(self.get()),
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

impl Walk for BlockLoading<'_> {
    type Way = Loads;

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        self.visit_at(Name::Member(name), |ar| body.run(ar))
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.visit_at(Name::Member(info.name), |ar| body.run(ar))
    }
    #[inline(always)]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        self.visit_at(Name::Item(index), |ar| body.run(ar)).map(|()| true)
    }
    #[inline(always)]
    fn seq<B: Body>(&mut self, _: &'static Shape, _: usize, body: &mut B) -> Result {
        body.run(self)
    }
    #[inline(always)]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let outer = std::mem::replace(&mut self.version, class.version);
        let result = body.run(self).map_err(|error| error.in_class(class));
        self.version = outer;
        result
    }
}
