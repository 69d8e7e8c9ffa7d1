//! Appends short pieces of text and short lists of numbers. A copy whose length is known at compile
//! time takes a few instructions; any other copy is a function call. Short pieces are therefore
//! copied in parts of fixed length, which may overlap, or together with padding, which is then
//! removed.
// Why: docs/decisions/json-and-messagepack.md#short-pieces-are-copied-with-the-bytes-that-follow
#![allow(unsafe_code)] // a quarter of saving short text and numbers; `bench/`, workload `minecraft_savedata`

/// For [`all`]: the pieces are text.
pub const TEXT: bool = true;
/// For [`all`]: the pieces are lists of numbers.
pub const LISTS: bool = false;

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
    all::<TEXT>(out, text.len(), [text]);
}

/// Appends a list of numbers that is probably short.
#[inline]
pub fn numbers(out: &mut Vec<u8>, list: &[u8]) {
    all::<LISTS>(out, list.len(), [list]);
}

/// Replaces a string, in a load. A string without memory gets exactly the memory that the text needs.
#[inline]
pub fn replace(out: &mut String, text: &str) {
    if out.capacity() == 0 {
        *out = text.to_owned();
    } else {
        out.clear();
        out.push_str(text);
    }
}

/// Appends pieces that are probably short, all [`TEXT`] or all [`LISTS`]. Together they have `sum`
/// bytes. Stops before a piece that would exceed the sum.
#[inline(always)]
pub fn all<'b, const KIND: bool>(
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
        // piece does not overlap it. A piece of less than 4 bytes is empty or has 1 to 4 bytes.
        unsafe {
            let to = out.as_mut_ptr().add(start + at);
            // Here and not in `other`, because a call for each piece would slow a long loop down.
            if piece.len() < 4 { parts::<1, 4>(piece, to) } else { copy::<KIND>(piece, to) }
        }
        at += piece.len();
    }
    // SAFETY: the pieces are the `at` bytes after the length, all of them written, and `at` is at
    // most `sum`.
    unsafe { out.set_len(start + at) }
}

/// Writes all of `from` at `to`, and nothing else. The lengths of lists are less predictable than
/// those of text, so lists take fewer branches.
///
/// # Safety
/// `to` is valid for writing as many bytes as `from` has, and `from` does not overlap them.
#[inline(always)]
pub unsafe fn copy<const KIND: bool>(from: &[u8], to: *mut u8) {
    let (is_text, len) = (KIND == TEXT, from.len());
    // SAFETY: the caller guarantees that `to` is valid for `len` bytes. In each branch `len` is from
    // `N` to `N * COUNT`, or from 0 to 4 where `N` is 1.
    unsafe {
        // Not a `match`, which would become a jump through a table.
        if is_text && (8..=16).contains(&len) {
            parts::<8, 2>(from, to);
        } else if is_text && (4..8).contains(&len) {
            parts::<4, 2>(from, to);
        } else if is_text && (17..=32).contains(&len) {
            parts::<16, 2>(from, to);
        } else if !is_text && (4..=16).contains(&len) {
            parts::<4, 4>(from, to);
        } else if !is_text && (17..=64).contains(&len) {
            parts::<16, 4>(from, to);
        } else if !is_text && len < 4 {
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
    // SAFETY: the caller guarantees that `to` is valid for all of the bytes.
    unsafe {
        if from.len() < 4 {
            parts::<1, 4>(from, to);
        } else {
            to.copy_from_nonoverlapping(from.as_ptr(), from.len());
        }
    }
}

/// Writes all of `from` at `to`, as 2 or 4 parts of `N` bytes, which may overlap.
///
/// # Safety
/// Like [`copy`], and there are no bytes, or from `N` to `N * COUNT`.
#[inline(always)]
unsafe fn parts<const N: usize, const COUNT: usize>(from: &[u8], to: *mut u8) {
    const { assert!(COUNT == 2 || COUNT == 4) }
    debug_assert!(from.is_empty() || (N..=N * COUNT).contains(&from.len()));
    let Some(last) = from.len().checked_sub(N) else { return };
    // SAFETY: each part starts at `last` or before it, so it ends at the length of the bytes or before
    // that, and the caller guarantees that `to` is valid for these. The parts start at 0, `N`,
    // `last - N` and `last`, or at 0 and `last`. They leave no gap, since `last` is at most
    // `N * (COUNT - 1)`.
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
    fn copies_of_all_lengths_write_nothing_else() {
        fn check<const KIND: bool>(bytes: &[u8]) {
            let mut room = [0xff; 100];
            // SAFETY: there are 90 bytes after the first 10, and at most 80 are written.
            unsafe { copy::<KIND>(bytes, room.as_mut_ptr().add(10)) }
            assert_eq!(room[10..10 + bytes.len()], *bytes);
            assert!(room[..10].iter().chain(&room[10 + bytes.len()..]).all(|byte| *byte == 0xff));

            let mut out = vec![99];
            all::<KIND>(&mut out, bytes.len(), [bytes]);
            assert_eq!((out[0], &out[1..]), (99, bytes));
        }
        let bytes: Vec<u8> = (0..80).collect();
        for len in 0..=80 {
            check::<TEXT>(&bytes[..len]);
            check::<LISTS>(&bytes[..len]);
        }
    }

    #[test]
    fn pieces_end_before_one_that_exceeds_their_sum() {
        let mut out = Vec::new();
        all::<TEXT>(&mut out, 5, [&b"abc"[..], b"", b"def", b"g"]);
        all::<LISTS>(&mut out, 9, [&b"d"[..], b"ef"]);
        all::<LISTS>(&mut out, 0, [&b"g"[..]]);
        assert_eq!(out, b"abcdef");
    }

    #[test]
    fn a_panic_between_pieces_leaves_the_vector_as_it_was() {
        let mut out = b"abc".to_vec();
        let pieces =
            [true, false].map(|is_piece| move || if is_piece { &b"def"[..] } else { panic!() });
        let all = std::panic::AssertUnwindSafe(|| {
            all::<TEXT>(&mut out, 6, pieces.iter().map(|piece| piece()));
        });
        assert!(std::panic::catch_unwind(all).is_err());
        assert_eq!(out, b"abc");
    }

    #[test]
    fn padding_is_cut_off() {
        let mut out = Vec::new();
        padded(&mut out, b"", 0);
        padded(&mut out, b"abcd", 2);
        padded(&mut out, b"cd", 2);
        padded(&mut out, b"ef", usize::MAX);
        assert_eq!(out, b"abcdef");
    }
}
