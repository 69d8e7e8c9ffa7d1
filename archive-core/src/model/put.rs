//! Appends short pieces of text and short lists of numbers. A copy whose length is known at compile
//! time takes a few instructions; any other copy is a function call. Short pieces are therefore
//! copied in parts of fixed length, which may overlap, or together with padding, which is then
//! removed.
// Why: docs/decisions/json-and-messagepack.md#short-pieces-are-copied-with-the-bytes-that-follow
#![allow(unsafe_code)] // a quarter of saving short text and numbers; `bench/`, workload `minecraft_savedata`

/// Appends the first `len` bytes of `text`.
#[inline]
pub fn padded<const N: usize>(out: &mut Vec<u8>, text: &[u8; N], len: usize) {
    out.reserve(N);
    let end = out.len() + len.min(N);
    // SAFETY: `reserve` ensured that `N` bytes of capacity follow the length. All of them are written,
    // and at most `N` are kept.
    unsafe {
        out.as_mut_ptr().add(out.len()).cast::<[u8; N]>().write(*text);
        out.set_len(end);
    }
}

/// Appends text that is probably short.
#[inline]
pub fn short(out: &mut Vec<u8>, text: &[u8]) {
    all::<true>(out, text.len(), [text]);
}

/// Appends a list of numbers that is probably short.
#[inline]
pub fn numbers(out: &mut Vec<u8>, list: &[u8]) {
    all::<false>(out, list.len(), [list]);
}

/// Replaces a string. A string without memory gets exactly the memory that the text needs.
#[inline]
pub fn replace(out: &mut String, text: &str) {
    if out.capacity() == 0 {
        *out = text.to_owned();
    } else {
        out.clear();
        out.push_str(text);
    }
}

/// Appends pieces that are probably short: texts, or lists of numbers. Together they have `sum` bytes;
/// a piece that would exceed the sum ends the function.
#[inline(always)]
pub fn all<'b, const TEXT: bool>(
    out: &mut Vec<u8>,
    sum: usize,
    pieces: impl IntoIterator<Item = &'b [u8]>,
) {
    out.reserve(sum);
    let (start, mut at) = (out.len(), 0);
    for piece in pieces {
        if piece.len() > sum - at {
            break;
        }
        // SAFETY: `reserve` ensured that `sum` bytes of capacity follow the length, and the piece has
        // no more than the `sum - at` bytes that are left. The vector is borrowed mutably, so the
        // piece does not overlap it.
        unsafe {
            let to = out.as_mut_ptr().add(start + at);
            // Tested here, since this loop may be long.
            if piece.len() < 4 { parts::<1, 4>(piece, to) } else { copy::<TEXT>(piece, to) }
        }
        at += piece.len();
    }
    // SAFETY: the first `at` bytes were written, and `at` is at most `sum`.
    unsafe { out.set_len(start + at) }
}

/// Copies text or a list of numbers that is probably short. The lengths of short lists follow no
/// pattern more often than those of text, so fewer branches depend on them.
///
/// # Safety
/// `to` is valid for writing as many bytes as `from` has, and `from` does not overlap them.
#[inline(always)]
pub unsafe fn copy<const TEXT: bool>(from: &[u8], to: *mut u8) {
    let len = from.len();
    // SAFETY: this is what the caller says. There are at least `N` bytes, and at most `N * COUNT`.
    unsafe {
        // The ranges are few, and not the arms of a `match`, which would be a jump through a table.
        if TEXT && (8..=16).contains(&len) {
            parts::<8, 2>(from, to);
        } else if TEXT && (4..8).contains(&len) {
            parts::<4, 2>(from, to);
        } else if TEXT && (17..=32).contains(&len) {
            parts::<16, 2>(from, to);
        } else if !TEXT && (4..=16).contains(&len) {
            parts::<4, 4>(from, to);
        } else if !TEXT && (17..=64).contains(&len) {
            parts::<16, 4>(from, to);
        } else if !TEXT && len < 4 {
            parts::<1, 4>(from, to);
        } else {
            other(from, to);
        }
    }
}

/// Copies bytes of other lengths. A function of its own: [`copy`] is short, so that the compiler
/// inlines the functions that call it.
///
/// # Safety
/// Like [`copy`].
#[inline(never)]
unsafe fn other(from: &[u8], to: *mut u8) {
    // SAFETY: this is what the caller says.
    unsafe {
        if from.len() < 4 {
            parts::<1, 4>(from, to);
        } else {
            to.copy_from_nonoverlapping(from.as_ptr(), from.len());
        }
    }
}

/// Copies 2 or 4 parts of `N` bytes, which may overlap. The first and the last part are at the ends.
///
/// # Safety
/// Like [`copy`], and there are no more than `N * COUNT` bytes.
#[inline(always)]
unsafe fn parts<const N: usize, const COUNT: usize>(from: &[u8], to: *mut u8) {
    let Some(last) = from.len().checked_sub(N) else { return };
    // SAFETY: each part starts at `last` or before it, so that it is inside of the bytes.
    let part = |at: usize| unsafe {
        to.add(at).copy_from_nonoverlapping(from.as_ptr().add(at), N);
    };
    part(0);
    if COUNT > 2 {
        part(N.min(last));
        part(last.saturating_sub(N));
    }
    part(last);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_all_lengths() {
        let bytes: Vec<u8> = (0..80).collect();
        for len in 0..80 {
            let (mut text, mut list) = (vec![99], vec![99]);
            short(&mut text, &bytes[..len]);
            numbers(&mut list, &bytes[..len]);
            assert_eq!(text[1..], bytes[..len]);
            assert_eq!(list[1..], bytes[..len]);
        }
    }

    #[test]
    fn pieces_end_before_one_that_exceeds_their_sum() {
        let mut out = vec![99];
        all::<true>(&mut out, 5, [&b"abc"[..], b"def", b"g"]);
        assert_eq!(out, b"cabc");
    }
}
