//! Appends to the output, with one check of the capacity for each call.
// Why: docs/decisions/limits-and-unsafe.md#five-files-of-the-library-have-unsafe-code
#![allow(unsafe_code)] // a good part of saving is checks; `bench/`, workloads `log` and `mk48`

use archive_core::put;

use super::Saving;

impl Saving<'_, '_> {
    /// Returns whether there is room for that many bytes.
    #[inline(always)]
    pub(super) fn has_room(&self, additional: usize) -> bool {
        self.out.capacity() - self.out.len() >= additional
    }

    /// Reserves room for that many bytes.
    #[inline(always)]
    pub(super) fn reserve(&mut self, additional: usize) {
        if !self.has_room(additional) {
            // Passes the vector by value: its address does not escape, so its fields can stay in
            // registers.
            let out = self.encoder.more_room(std::mem::take(&mut self.out), additional);
            // The replaced vector is empty. `forget` avoids code for dropping it at each place that
            // appends bytes.
            std::mem::forget(std::mem::replace(&mut self.out, out));
        }
    }

    /// Appends the first `len` of the bytes.
    #[inline(always)]
    pub(super) fn append<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        self.reserve(N);
        let out = &mut self.out;
        let end = out.len() + len.min(N);
        // SAFETY: there is room for `N` bytes after the end, by `reserve`; all of them are written, and
        // `len.min(N)` are kept.
        unsafe {
            out.as_mut_ptr().add(out.len()).cast::<[u8; N]>().write(bytes);
            out.set_len(end);
        }
    }

    /// Appends bytes.
    #[inline(always)]
    pub(super) fn append_all(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        let out = &mut self.out;
        let end = out.len() + bytes.len();
        // SAFETY: there is room for the bytes after the end, by `reserve`; all of it is written. The
        // vector is borrowed mutably, so the bytes do not overlap it.
        unsafe {
            put::copy::<{ put::LISTS }>(bytes, out.as_mut_ptr().add(out.len()));
            out.set_len(end);
        }
    }

    /// Appends the length of `bytes`, then the bytes.
    #[inline(always)]
    pub(super) fn append_counted(&mut self, bytes: &[u8]) {
        if bytes.len() >= 1 << 7 {
            return self.append_long(bytes);
        }
        let len = bytes.len();
        self.reserve(len + 1);
        let out = &mut self.out;
        let end = out.len() + len + 1;
        // SAFETY: there is room for the length and the bytes after the end, by `reserve`; all of it is
        // written. The bytes are borrowed and the vector is borrowed mutably, so they do not overlap.
        unsafe {
            let room = out.as_mut_ptr().add(out.len());
            room.write(len as u8);
            put::copy::<{ put::TEXT }>(bytes, room.add(1));
            out.set_len(end);
        }
    }

    #[inline(never)]
    fn append_long(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.append_all(bytes);
    }
}
