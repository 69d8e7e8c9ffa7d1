//! Objects and sequences: in which of the ways that an archive has their parts are visited, as a
//! block, in the order of the file, or in that of the type.

use std::marker::PhantomData;

use super::Walk;
use super::kind::Blocks;
use crate::model::block_size::Asked;
use crate::model::error::Result;
use crate::model::members::{Lookup, Seen};
use crate::model::shape::{Class, Shape};
use crate::state::options::Options;
use crate::visit::block::loading::Found;
use crate::visit::block::{BlockLoading, BlockSaving, load};
use crate::visit::body::Body;
use crate::visit::erased::{On, Way, loads};
use crate::visit::facts::Step;
use crate::visit::session::Session;

/// [`Walk::object`].
#[inline]
pub(super) fn object<W: Walk, B: Body>(ar: &mut W, class: &'static Class, body: &mut B) -> Result {
    if const { B::FACTS.block.is_some() } {
        if block_of(ar, Asked::Class(class), body)?
            || const { matches!(W::KIND.blocks, Blocks::Always) }
        {
            return Ok(());
        }
        if const { matches!(W::KIND.blocks, Blocks::Mostly) } {
            return by_parts(ar, class, body);
        }
    }
    if const { W::KIND.chooses_order && B::FACTS.lookup.is_some() }
        && let Some(lookup) = B::FACTS.lookup
    {
        return in_any_order(ar, class, lookup, body);
    }
    if const { W::KIND.takes_by_hand && matches!(B::FACTS.by_hand, Some(true)) } {
        return ar.object_by_hand(class, body);
    }
    match ar.begin_known_object(class, const { &B::FACTS })? {
        Some(outer) => {
            let done = body.run(ar);
            ar.end_object(class, outer, done)
        }
        None if const { W::KIND.elsewhere.never(&B::FACTS) } => Ok(()),
        None => elsewhere(ar, Step::Object(class), body).map(drop),
    }
}

/// Visits an object in the order of its type without blocks, where this is rare.
#[cold]
#[inline(never)]
fn by_parts<W: Walk, B: Body>(ar: &mut W, class: &'static Class, body: &mut B) -> Result {
    let outer = ar.begin_known_object(class, const { &B::FACTS })?.unwrap_or_default();
    let done = body.run(ar);
    ar.end_object(class, outer, done)
}

/// Loads the members in the order that the archive chooses.
#[inline(always)]
fn in_any_order<W: Walk, B: Body>(
    ar: &mut W,
    class: &'static Class,
    lookup: &'static Lookup,
    body: &mut B,
) -> Result {
    let mut seen = Seen::default();
    match ar.begin_members(class, &mut seen)? {
        Some(outer) => {
            let done = each_member(ar, lookup, &mut seen, body);
            ar.end_members(class, outer, &mut seen, done)
        }
        None => elsewhere(ar, Step::Object(class), body).map(drop),
    }
}

/// Loads the members that the archive finds, and handles those that it does not have.
#[inline(always)]
fn each_member<W: Walk, B: Body>(
    ar: &mut W,
    lookup: &'static Lookup,
    seen: &mut Seen,
    body: &mut B,
) -> Result {
    while let Some(index) = ar.next_member(lookup, seen)? {
        body.run_member(index, ar)?;
    }
    if !seen.has_all(lookup.len()) {
        absent(ar, lookup, seen, body)?;
    }
    body.finish(ar)
}

#[cold]
fn absent<W: Walk, B: Body>(
    ar: &mut W,
    lookup: &'static Lookup,
    seen: &Seen,
    body: &mut B,
) -> Result {
    for (index, info) in lookup.members().iter().enumerate() {
        if !seen.has(index) {
            ar.absent_member(info)?;
            body.absent(index, ar);
        }
    }
    Ok(())
}

/// [`Walk::seq`].
#[inline]
pub(super) fn seq<W: Walk, B: Body>(
    ar: &mut W,
    shape: &'static Shape,
    len: usize,
    body: &mut B,
) -> Result {
    if const { W::KIND.guided } && ar.passes() {
        return body.run(ar);
    }
    if const { B::FACTS.block.is_some() } {
        if block_of(ar, Asked::Shape(shape), body)?
            || const { matches!(W::KIND.blocks, Blocks::Always) }
        {
            return Ok(());
        }
        if const { matches!(W::KIND.blocks, Blocks::Mostly) } {
            return seq_by_parts(ar, shape, len, body);
        }
    }
    match ar.begin_known_seq(shape, len, const { &B::FACTS })? {
        Some(outer) => {
            body.run(ar)?;
            ar.end_seq(outer, len)
        }
        None if const { W::KIND.elsewhere.never(&B::FACTS) } => Ok(()),
        None => elsewhere(ar, Step::Seq(shape, len), body).map(drop),
    }
}

/// Visits a sequence without blocks, where this is rare.
#[cold]
#[inline(never)]
fn seq_by_parts<W: Walk, B: Body>(
    ar: &mut W,
    shape: &'static Shape,
    len: usize,
    body: &mut B,
) -> Result {
    let outer = ar.begin_known_seq(shape, len, const { &B::FACTS })?.unwrap_or_default();
    body.run(ar)?;
    ar.end_seq(outer, len)
}

/// Runs a body where its archive has sent it. Returns `false` if there is no value.
#[inline(always)]
pub(super) fn elsewhere<W: Walk, B: Body>(ar: &mut W, step: Step, body: &mut B) -> Result<bool> {
    if const { W::KIND.elsewhere.direct } {
        ar.run_elsewhere(step, body)
    } else {
        ar.elsewhere(step, &mut On::<W::Way, B>(body, PhantomData))
    }
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

/// The functions that run bodies on blocks. They are constants that exist only for bodies with a
/// [size](crate::BodyFacts::block): the compiler instantiates every function that is called, even if
/// the call is known never to be reached.
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
///
/// # Errors
/// Those of the body.
#[doc(hidden)]
#[inline(always)]
pub fn save_body<B: Body>(body: &mut B, block: &mut BlockSaving<'_>) -> Result {
    match const { B::SAVE } {
        Some(save) => save(body, block),
        None => Ok(()),
    }
}

/// Saves or loads a value of a known size as a block. Returns `false` if it has to be done part by
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
        let begun = (room.found.at, room.outer);
        let context = (room.session, room.options);
        let loaded = load(room.found, size.bytes, context, |_, block| load_in(body, block));
        return ar.end_load_block(asked, size, begun, loaded);
    }
    if const { matches!(W::Way::LOADS, Some(true)) || B::SAVE.is_none() } {
        return Ok(false);
    }
    if const { W::KIND.gives_bytes }
        && let Some(bytes) = body.as_block()
    {
        return ar.save_block(asked, size, Some(bytes), &mut |_| Ok(()));
    }
    ar.save_body(asked, size, body)
}
