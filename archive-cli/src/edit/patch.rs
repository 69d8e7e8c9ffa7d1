//! Replacing values of a binary file in place, without a tree of the file.

use archive::binary::{Binary, Patch};
use archive::format::{Backend as _, Decoder as _};
use archive::path::Pattern;
use archive::shape::Shape;
use archive::{ErrorKind, Format, Result, Value};

use crate::input::{Input, options};
use crate::nothing::Nothing;
use crate::pump::{Out, Twice};
use crate::select::{in_path, select_values};
use crate::stream;
use crate::tree::{adapted, identical};

/// The result of a change.
pub enum Patched {
    /// The new bytes of the file, or `None` if nothing changes, and the number of values that were
    /// set.
    Done(Option<Vec<u8>>, u64),
    /// The change needs a tree of the file.
    NeedsTree,
}

/// Sets all values that match a pattern, if their types determine their bytes.
///
/// # Errors
/// An error with the path of a value that its type does not allow, and errors of the file.
pub fn set(input: &Input, pattern: &Pattern, value: &Value) -> Result<Patched> {
    if input.format != Format::Binary || input.joined.is_some() {
        return Ok(Patched::NeedsTree);
    }
    let named = |error: archive::Error| error.in_file(input.place_of_bytes());
    patch(input, pattern, value).map_err(named)
}

fn patch(input: &Input, pattern: &Pattern, value: &Value) -> Result<Patched> {
    let Some(mut patch) = Patch::new(&input.bytes, &options())? else {
        return Ok(Patched::NeedsTree);
    };
    let mut decoder = Binary::decoder(&input.bytes, &options())?;
    decoder.begin_root(&Shape::Any)?;
    let (mut needs_tree, mut count, mut last) = (false, 0, None);
    let found = select_values(&mut decoder, pattern, &mut |from, path| {
        let set = |old: &mut Value| {
            if !identical(old, value) {
                *old = adapted(old, value);
            }
        };
        let replaced = patch.replace(from, set).map_err(|error| in_path(path, error))?;
        needs_tree |= !replaced;
        count += 1;
        last = Some(path.clone());
        if replaced { Ok(()) } else { from.skip() }
    });
    match found {
        // The other way suggests similar names.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Patched::NeedsTree),
        // The keys of a map must differ.
        found => needs_tree |= !found?,
    }
    if needs_tree {
        return Ok(Patched::NeedsTree);
    }
    // Its table of objects takes memory.
    drop(decoder);
    // With several values, a document finds the wrong one.
    match patch.check(last.as_deref().unwrap_or_default()) {
        Ok(true) => {}
        Err(error) if count == 1 => return Err(error),
        _ => return Ok(Patched::NeedsTree),
    }
    let new = patch.to_vec()?;
    if let Some(new) = &new {
        let mut nothing = Nothing;
        let mut out = Out::new(&mut nothing);
        // Another tree in the file may already have had a duplicate name.
        out.twice = Twice::Noted(None);
        stream::bytes(Format::Binary, new, &mut out)?;
    }
    Ok(Patched::Done(new, count))
}
