//! Appends short texts.

/// Appends all parts, which have `sum` bytes together.
#[inline(always)]
pub(super) fn append<'b>(parts: impl Iterator<Item = &'b [u8]>, sum: usize, to: &mut Vec<u8>) {
    let start = to.len();
    to.resize(start + sum, 0);
    let mut room = &mut to[start..];
    for part in parts {
        let Some((to, rest)) = room.split_at_mut_checked(part.len()) else { return };
        copy(part, to);
        room = rest;
    }
}

/// Copies bytes. Few of them take two copies of a fixed length, which may overlap, and no call.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    #[inline(always)]
    fn ends<const N: usize>(from: &[u8], to: &mut [u8]) {
        if let (Some(start), Some(end)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
            if let Some(to) = to.first_chunk_mut() {
                *to = *start;
            }
            if let Some(to) = to.last_chunk_mut() {
                *to = *end;
            }
        }
    }
    match from.len() {
        33.. => to.copy_from_slice(from),
        16.. => ends::<16>(from, to),
        8.. => ends::<8>(from, to),
        4.. => ends::<4>(from, to),
        2.. => ends::<2>(from, to),
        _ => ends::<1>(from, to),
    }
}
