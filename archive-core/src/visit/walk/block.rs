//! Objects and sequences that are saved or loaded as blocks.

use crate::model::block_size::Asked;
use crate::model::error::Result;
use crate::state::options::Options;
use crate::visit::block::loading::Found;
use crate::visit::block::{BlockLoading, BlockSaving, load};
use crate::visit::body::Body;
use crate::visit::erased::Way;
use crate::visit::session::Session;
use crate::visit::walk::Walk;

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
pub(crate) fn visit<W: Walk, B: Body>(ar: &mut W, asked: Asked, body: &mut B) -> Result<bool> {
    let Some(size) = B::FACTS.block else { return Ok(false) };
    if ar.loads() {
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
