//! Objects and sequences: visits their parts in one of the ways that an archive supports, as a
//! block, in file order, or in the order of the type.
// Why: docs/decisions/compile-time.md#code-that-is-never-compiled-is-not-mentioned

use super::Walk;
use crate::model::block_size::Asked;
use crate::model::error::Result;
use crate::model::members::{Lookup, Seen};
use crate::model::shape::{Class, Shape};
use crate::state::options::Options;
use crate::visit::block::loading::Found;
use crate::visit::block::{BlockLoading, BlockSaving, load};
use crate::visit::body::Body;
use crate::visit::erased::{Way, loads};
use crate::visit::session::Session;

/// Visits an object in the order of its type without blocks, for archives that rarely do so.
#[cold]
#[inline(never)]
pub(super) fn by_parts<W: Walk, B: Body>(
    ar: &mut W,
    class: &'static Class,
    body: &mut B,
) -> Result {
    let outer = ar.begin_known_object(class, const { &B::FACTS })?.unwrap_or_default();
    let done = body.run(ar);
    ar.end_object(class, outer, done)
}

/// Loads the members in the order that the archive chooses, and handles absent ones. Returns
/// `false` if the body must run elsewhere.
// Without `#[inline]`: one copy for each type is enough.
pub(super) fn in_any_order<W: Walk, B: Body>(
    ar: &mut W,
    class: &'static Class,
    body: &mut B,
) -> Result<bool> {
    let Some(lookup) = B::FACTS.lookup else { return Err(super::misuse()) };
    let mut seen = Seen::default();
    let Some(outer) = ar.begin_members(class, &mut seen)? else { return Ok(false) };
    let done = loop {
        match ar.next_member(lookup, &mut seen) {
            Ok(Some(index)) => {
                if let Err(error) = body.run_member(index, ar) {
                    break Err(error);
                }
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let done = match done {
        Ok(()) if !seen.has_all(lookup.len()) => absent(ar, lookup, &seen),
        done => done,
    };
    let done = match done {
        Ok(()) if const { B::FACTS.completes } => complete(ar, lookup, &seen, body),
        done => done,
    };
    ar.end_members(class, outer, &mut seen, done).map(|()| true)
}

/// Lets the body complete its members.
fn complete<W: Walk, B: Body>(
    ar: &mut W,
    lookup: &'static Lookup,
    seen: &Seen,
    body: &mut B,
) -> Result {
    let absent = (0..lookup.len()).filter(|index| !seen.has(*index));
    absent.for_each(|index| body.absent(index, ar));
    body.finish(ar)
}

#[cold]
fn absent<W: Walk>(ar: &mut W, lookup: &'static Lookup, seen: &Seen) -> Result {
    for (index, info) in lookup.members().iter().enumerate() {
        if !seen.has(index) {
            ar.absent_member(info)?;
        }
    }
    Ok(())
}

/// Visits a sequence without blocks, for archives that rarely do so.
#[cold]
#[inline(never)]
pub(super) fn seq_by_parts<W: Walk, B: Body>(
    ar: &mut W,
    shape: &'static Shape,
    len: usize,
    body: &mut B,
) -> Result {
    let outer = ar.begin_known_seq(shape, len, const { &B::FACTS })?.unwrap_or_default();
    body.run(ar)?;
    ar.end_seq(outer, len)
}

/// A block that a value is loaded from.
#[doc(hidden)]
pub struct Room<'a> {
    /// The bytes.
    pub found: Found<'a>,
    /// The version of the outer object.
    pub outer: u32,
    /// The state of the run.
    pub session: &'a mut Session,
    /// The caller's options.
    pub options: &'a Options<'a>,
}

/// The output to which a value is appended as a block.
#[doc(hidden)]
pub struct SaveRoom<'a> {
    /// The output.
    pub out: &'a mut Vec<u8>,
    /// The version of the object that contains the value, or of the value itself.
    pub version: u32,
    /// Whether [`end_save_block`](crate::Visitor::end_save_block) follows.
    pub ends: bool,
    /// The state of the run.
    pub session: &'a mut Session,
    /// The caller's options.
    pub options: &'a Options<'a>,
}

/// The functions that run bodies on blocks. They are constants that exist only for bodies with a
/// [size](crate::BodyFacts::block), because the compiler instantiates every function that is
/// called, even if the call is never reached.
trait InBlock: Body + Sized {
    const SAVE: Option<fn(&mut Self, &mut BlockSaving<'_>) -> Result> = match Self::FACTS.block {
        Some(_) => Some(save_in::<Self>),
        None => None,
    };
    const LOAD: Option<fn(&mut Self, &mut BlockLoading<'_>) -> Result> = match Self::FACTS.block {
        Some(_) => Some(load_in::<Self>),
        None => None,
    };
}

impl<B: Body> InBlock for B {}

#[inline(always)]
fn save_in<B: Body>(body: &mut B, block: &mut BlockSaving<'_>) -> Result {
    body.run(block)
}

#[inline(always)]
fn load_in<B: Body>(body: &mut B, block: &mut BlockLoading<'_>) -> Result {
    body.run(block)
}

/// Saves a body with a size into a block.
#[inline(always)]
pub(crate) fn save_body<B: Body>(body: &mut B, block: &mut BlockSaving<'_>) -> Result {
    match const { B::SAVE } {
        Some(save) => save(body, block),
        None => Ok(()),
    }
}

/// Saves or loads a value of a known size as a block. Returns `false` if it must be visited part by
/// part.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn block_of<W: Walk, B: Body>(ar: &mut W, asked: Asked, body: &mut B) -> Result<bool> {
    let Some(size) = B::FACTS.block else { return Ok(false) };
    if loads!(W, ar) {
        let Some(load_in) =
            (const { if matches!(W::Way::LOADS, Some(false)) { None } else { B::LOAD } })
        else {
            return Ok(false);
        };
        let Some(room) = ar.begin_load_block(asked, size)? else { return Ok(false) };
        let Room { found, outer, session, options } = room;
        let at = found.at;
        let context = (&mut *session, options);
        let loaded = load(found, size.bytes, context, |_, block| load_in(body, block));
        session.set_version(outer);
        let error = match loaded {
            Ok(true) => {
                session.count_fitting(size.elements);
                return Ok(true);
            }
            Ok(false) => None,
            Err(error) => Some(error),
        };
        return ar.leave_load_block(asked, at, error).map(|()| false);
    }
    if const { matches!(W::Way::LOADS, Some(true)) || B::SAVE.is_none() } {
        return Ok(false);
    }
    ar.save_body(asked, size, body)
}
