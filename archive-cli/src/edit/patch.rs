//! Replacing values of a binary file in place, without a tree of the file.

use archive::binary::{Binary, Patch};
use archive::format::{Backend as _, Decoder as _};
use archive::shape::Shape;
use archive::{ErrorKind, Format, Options, Result, Value};

use super::Setting;
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

/// Sets all values that match the paths of settings, if their types determine their bytes.
///
/// # Errors
/// An error with the path of a value that its type does not allow, and errors of the file.
pub fn set(input: &Input, settings: &[Setting]) -> Result<Patched> {
    on_binary(input, Patched::NeedsTree, || {
        let options = options();
        let Some(mut patch) = Patch::new(&input.bytes, &options)? else {
            return Ok(Patched::NeedsTree);
        };
        let Some(count) = replace(&mut patch, input, settings, &options)? else {
            return Ok(Patched::NeedsTree);
        };
        let new = patch.to_vec()?;
        if let Some(new) = &new {
            let mut nothing = Nothing;
            let mut out = Out::new(&mut nothing);
            // Another tree in the file may already have had a duplicate name.
            out.twice = Twice::Noted(None);
            stream::bytes(Format::Binary, new, &mut out)?;
        }
        Ok(Patched::Done(new, count))
    })
}

/// Checks that the values that a setting replaces have types that allow it. Values that need a tree of the file
/// are not checked.
///
/// # Errors
/// As [`set`].
#[cfg(feature = "view")]
pub fn check(input: &Input, setting: &Setting) -> Result {
    on_binary(input, (), || {
        let options = options();
        if let Some(mut patch) = Patch::new(&input.bytes, &options)? {
            replace(&mut patch, input, std::slice::from_ref(setting), &options)?;
        }
        Ok(())
    })
}

/// Runs a function on a binary file. Returns the default for all other files.
fn on_binary<R>(input: &Input, default: R, run: impl FnOnce() -> Result<R>) -> Result<R> {
    if input.format != Format::Binary || input.joined.is_some() {
        return Ok(default);
    }
    run().map_err(|error| error.in_file(input.place_of_bytes()))
}

/// Replaces values in a patch, and returns how many, or `None` if that needs a tree of the file.
fn replace(
    patch: &mut Patch<'_>,
    input: &Input,
    settings: &[Setting],
    options: &Options<'_>,
) -> Result<Option<u64>> {
    let mut decoder = Binary::decoder(&input.bytes, options)?;
    decoder.begin_root(&Shape::Any)?;
    let root = decoder.mark();
    let (mut needs_tree, mut count, mut last) = (false, 0, None);
    for Setting { pattern, value, .. } in settings {
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
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            // The keys of a map must differ.
            found => needs_tree |= !found?,
        }
        decoder.recover(root);
    }
    if needs_tree {
        return Ok(None);
    }
    // Its table of objects takes memory.
    drop(decoder);
    // With several values, a document finds the wrong one.
    match patch.check(last.as_deref().unwrap_or_default()) {
        Ok(true) => Ok(Some(count)),
        Err(error) if count == 1 => Err(error),
        _ => Ok(None),
    }
}
