//! Appends short parts.

/// Appends all parts, which have `sum` bytes together. They are texts or lists of numbers.
#[inline(always)]
pub(super) fn append<'b, const TEXTS: bool>(
    parts: impl Iterator<Item = &'b [u8]>,
    sum: usize,
    to: &mut Vec<u8>,
) {
    let start = to.len();
    to.resize(start + sum, 0);
    let mut room = &mut to[start..];
    for part in parts {
        let Some((to, rest)) = room.split_at_mut_checked(part.len()) else { return };
        if TEXTS {
            copy_text(part, to)
        } else {
            copy_numbers(part, to)
        }
        room = rest;
    }
}

/// Copies a text. A short one takes two copies of a fixed length, which may overlap, and no call.
#[inline(always)]
fn copy_text(from: &[u8], to: &mut [u8]) {
    match from.len() {
        33.. => to.copy_from_slice(from),
        16.. => pieces::<16, 2>(from, to),
        8.. => pieces::<8, 2>(from, to),
        4.. => pieces::<4, 2>(from, to),
        2.. => pieces::<2, 2>(from, to),
        _ => pieces::<1, 2>(from, to),
    }
}

/// Copies a list of numbers. The lengths of such lists are often small and follow no pattern, so there are
/// few branches that depend on them: a short list takes four copies of a fixed length.
#[inline(always)]
fn copy_numbers(from: &[u8], to: &mut [u8]) {
    match from.len() {
        65.. => to.copy_from_slice(from),
        17.. => pieces::<16, 4>(from, to),
        4.. => pieces::<4, 4>(from, to),
        _ => pieces::<1, 4>(from, to),
    }
}

/// Copies 2 or 4 pieces of `N` bytes. The first and the last piece are at the ends.
#[inline(always)]
fn pieces<const N: usize, const COUNT: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(start), Some(end)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
        if let Some(to) = to.first_chunk_mut() {
            *to = *start;
        }
        if COUNT > 2 {
            let last = from.len() - N;
            for at in [N.min(last), last.saturating_sub(N)] {
                if let (Some(from), Some(to)) = (from.get(at..at + N), to.get_mut(at..at + N)) {
                    to.copy_from_slice(from);
                }
            }
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = *end;
        }
    }
}
