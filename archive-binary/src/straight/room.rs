//! Appending to a vector of bytes with one check each.
#![allow(unsafe_code)] // a good part of saving is checks; `bench/`, workloads `log` and `mk48`

use archive_core::block::reserve;

/// Appends the first `len` of the bytes.
#[inline(always)]
pub(crate) fn append<const N: usize>(out: &mut Vec<u8>, bytes: [u8; N], len: usize) {
    reserve(out, N);
    let end = out.len() + len.min(N);
    // SAFETY: there is room for `N` bytes behind the end, by `reserve`; all of them are written, of
    // which `len.min(N)` are kept.
    unsafe {
        out.as_mut_ptr().add(out.len()).cast::<[u8; N]>().write(bytes);
        out.set_len(end);
    }
}

/// Appends bytes.
#[inline(always)]
pub(crate) fn append_all(out: &mut Vec<u8>, bytes: &[u8]) {
    reserve(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Appends a length and so many bytes.
#[inline(always)]
pub(crate) fn append_counted(out: &mut Vec<u8>, bytes: &[u8]) {
    let count = bytes.len();
    if count >= 1 << 7 {
        *out = append_long(std::mem::take(out), bytes);
        return;
    }
    reserve(out, count + 1);
    let end = out.len() + count + 1;
    // SAFETY: there is room for the length and the bytes behind the end, by `reserve`; all of it is
    // written. The bytes are borrowed and the vector is borrowed mutably, so they do not overlap.
    unsafe {
        let place = out.as_mut_ptr().add(out.len());
        place.write(count as u8);
        place.add(1).copy_from_nonoverlapping(bytes.as_ptr(), count);
        out.set_len(end);
    }
}

#[inline(never)]
fn append_long(mut out: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    crate::varint::put_bytes(&mut out, bytes);
    out
}
