//! Counts the cost of slots that a file only implies, before they are created. The cost is also
//! counted when a map is saved, so that every saved map can be loaded.

use crate::model::error::{Error, ErrorKind, Result};
use crate::visit::archive::Archive;

/// Counts `slots` slots of `size` bytes without values. The size counts in words of eight bytes: platforms align
/// numbers differently, and a file must load on all of them.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] beyond [`Limits::padding`](crate::Limits::padding).
pub(super) fn count_vacant<A: Archive>(slots: u64, size: usize, ar: &mut A) -> Result {
    const WORD: usize = 8;
    let most = ar.options().settings().limits().padding;
    let session = ar.session_mut();
    let size = size.next_multiple_of(WORD) as u64;
    session.budget.padding = session.budget.padding.saturating_add(slots.saturating_mul(size));
    if session.budget.padding <= most {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::SizeLimit,
        format_args!(
            "the vacant slots of this file take more than {most} bytes \
             (`Options::max_padding` raises the limit)"
        ),
    ))
}

/// Counts `removals` of values of `size` bytes. Each one counts up the version of a slot.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] beyond [`Limits::generations`](crate::Limits::generations).
pub(super) fn count_removals<A: Archive>(removals: u64, size: usize, ar: &mut A) -> Result {
    /// The number of bytes that can be moved in about the time of a removal.
    const PIECE: usize = 64;
    let pieces = size.div_ceil(PIECE).max(1) as u64;
    let most = ar.options().settings().limits().generations;
    let session = ar.session_mut();
    session.budget.generations =
        session.budget.generations.saturating_add(removals.saturating_mul(pieces));
    if session.budget.generations <= most {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::SizeLimit,
        format_args!(
            "the slots of this file have seen more than {most} removals of up to {PIECE} bytes \
             (`Options::max_generations` raises the limit)"
        ),
    ))
}
