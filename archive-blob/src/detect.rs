//! Detecting the format, which has no magic number.

use crate::cursor::{Input, LEAST_DATUM};

/// The maximum number of blobs: more than any program writes.
const MAX_BLOBS: usize = 1 << 20;
/// The minimum number of bytes by which a non-empty list is recognized. No such list is shorter: it
/// has a count, and for each blob the length of a name, the name, a size and a count.
const LEAST_START: usize = 4 + 4 + 4 + 4;
/// The maximum length of a name.
const LONGEST_NAME: usize = 1 << 16;

/// Returns whether these can be the first bytes of a list of blobs: a count, a name, a size, and a
/// blob that begins with another count and another name. Checks as many of these as the bytes
/// contain.
///
/// Text fails at once, because its first four characters are a count of many millions. Files that
/// begin with a magic number that contains text fail for the same reason.
pub(crate) fn is_plausible(start: &[u8]) -> bool {
    match Input(start).length(0, start.len(), "") {
        Ok(0) => start.len() == 4,
        Ok(_) if start.len() < LEAST_START => false,
        Ok(count) => count <= MAX_BLOBS && first_blob(Input(start)),
        Err(_) => false,
    }
}

fn first_blob(input: Input<'_>) -> bool {
    let all = input.len();
    let Some(at) = name(input, 4) else { return continues(input, 4) };
    let Ok(size) = input.length(at, all, "") else { return all < at + 4 };
    let Ok(count) = input.length(at + 4, all, "") else { return all < at + 8 };
    if count == 0 || size < 4 || count > (size - 4) / LEAST_DATUM {
        return count == 0 && size == 4;
    }
    // The name of the first datum may extend past the available bytes.
    match input.length(at + 8, all, "") {
        Ok(0) => false,
        Ok(length) if all - (at + 12) >= length => name(input, at + 8).is_some(),
        Ok(length) => length < LONGEST_NAME && length <= size - 8,
        Err(_) => all < at + 12,
    }
}

/// Returns whether the available bytes end within the name at `at`.
fn continues(input: Input<'_>, at: usize) -> bool {
    let all = input.len();
    match input.length(at, all, "") {
        Ok(length) => length < LONGEST_NAME && all - (at + 4) < length,
        Err(_) => all < at + 4,
    }
}

/// Returns the offset after the name at `at`, if it looks like a name.
fn name(input: Input<'_>, at: usize) -> Option<usize> {
    let (name, after) = input.name(at, input.len()).ok()?;
    let looks_like_text = !name.iter().any(|byte| matches!(byte, 1..=8 | 14..=31));
    (name.len() < LONGEST_NAME && looks_like_text).then_some(after)
}
