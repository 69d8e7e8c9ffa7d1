//! [`check`]: checks settings without writing the file.

use archive::types::Type;
use archive::{Error, ErrorKind, Result};

use super::setting::changes;
use super::{Patched, Setting, apply, patch, rows};
use crate::input::{Input, Joined};
use crate::typing;

/// The size up to which a check may take a tree of the file.
const SMALL: usize = 4 << 20;

/// Checks settings of a file without writing it, and returns how many values the last one sets. In a file of
/// at most 4 MB all of them are checked as [`set`] does it. In a larger one the last one is checked alone, by the
/// types of a binary file, without a tree of the file.
///
/// # Errors
/// As [`set`].
pub fn check(input: &Input, settings: &[Setting], ty: Option<Type>) -> Result<u64> {
    let Some(last) = settings.last() else { return Ok(0) };
    let own = changes(input, std::slice::from_ref(last))?;
    if last.adds && own.iter().all(|change| change.new_member.is_none()) {
        let message = format_args!("{} exists: edit its value", last.pattern);
        return Err(Error::new(ErrorKind::DuplicateMember, message).in_file(&input.name));
    }
    let is_small = input.bytes.len() <= SMALL;
    let all = if is_small { changes(input, settings)? } else { Vec::new() };
    let checked = if is_small { &all } else { &own };
    if let Some(ty) = ty {
        typing::check(input, ty, checked)?;
    }
    match (&input.joined, is_small) {
        (Some(Joined::Rows), true) => rows::check(input, checked)?,
        (Some(Joined::Rows), false) => {}
        (_, true) => {
            if let Patched::NeedsTree = patch::set(input, settings)? {
                apply(input, checked)?;
            }
        }
        (_, false) => patch::check(input, last)?,
    }
    Ok(own.len() as u64)
}
