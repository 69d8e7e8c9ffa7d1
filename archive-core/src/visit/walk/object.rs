//! Objects and sequences: in which of the ways that an archive has their parts are visited.

use super::elsewhere::{Step, elsewhere};
use super::kind::Blocks;
use super::{Walk, block};
use crate::model::block_size::Asked;
use crate::model::error::Result;
use crate::model::members::{Lookup, Seen};
use crate::model::shape::{Class, Shape};
use crate::visit::body::Body;

/// [`Walk::object`].
#[inline]
pub(super) fn visit<W: Walk, B: Body>(ar: &mut W, class: &'static Class, body: &mut B) -> Result {
    if const { B::FACTS.block.is_some() } {
        if block::visit(ar, Asked::Class(class), body)?
            || const { matches!(W::KIND.blocks, Blocks::Always) }
        {
            return Ok(());
        }
        if const { matches!(W::KIND.blocks, Blocks::Mostly) } {
            return by_parts(ar, class, body);
        }
    }
    if const { W::KIND.chooses_order }
        && let Some(lookup) = const { B::FACTS.lookup }
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
pub(super) fn visit_seq<W: Walk, B: Body>(
    ar: &mut W,
    shape: &'static Shape,
    len: usize,
    body: &mut B,
) -> Result {
    if const { W::KIND.guided } && ar.passes() {
        return body.run(ar);
    }
    if const { B::FACTS.block.is_some() } {
        if block::visit(ar, Asked::Shape(shape), body)?
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
