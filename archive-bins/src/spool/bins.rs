//! The bins of a packed object, written from the records of each level.

use archive_core::Result;
use archive_core::backend::Sink;
use byteorder::{ByteOrder, LittleEndian};

use super::pool::Pool;
use super::{Level, OBJECT, VARIABLE};

/// The order of strings in a file.
pub(super) struct Order {
    pub(super) used: Vec<u32>,
    /// The new numbers by the old ones.
    pub(super) new: Vec<u32>,
}

impl Order {
    pub(super) fn meet(&mut self, strings: &[u32]) {
        for string in strings {
            let new = &mut self.new[*string as usize];
            if *new == u32::MAX {
                *new = self.used.len() as u32;
                self.used.push(*string);
            }
        }
    }
}

/// Writes the bins: objects, variables, data and strings.
pub(super) fn put_bins(
    pool: &mut Pool<'_>,
    levels: &[Level],
    new: &[u32],
    texts: &[&str],
    sink: Sink<'_>,
) -> Result {
    let mut out = Buffer { sink, bytes: Vec::new() };
    let new = |number: u32| new[number as usize];
    let (mut next_variable, mut next_child, mut next_byte) = (0, 1, 0_u32);
    for level in levels {
        pool.try_records(&level.objects, |words: [u32; OBJECT]| {
            let [class, name, form, place, variables, children] = words;
            let ranges = [next_variable, variables, next_child, children];
            (next_variable, next_child) = (next_variable + variables, next_child + children);
            out.put([new(class), new(name), form, place])?;
            out.put(ranges)
        })?;
    }
    for level in levels {
        pool.try_records(&level.variables, |[ty, class, name, len]: [u32; VARIABLE]| {
            out.put([new(ty), new(class), new(name), next_byte, len])?;
            next_byte += len;
            Ok(())
        })?;
    }
    for level in levels {
        pool.each(&level.data, |bytes| out.put_bytes(bytes))?;
    }
    for text in texts {
        out.put([text.len() as u32])?;
        out.put_bytes(text.as_bytes())?;
    }
    (out.sink)(&out.bytes)
}

/// Buffers small writes.
struct Buffer<'w> {
    sink: Sink<'w>,
    bytes: Vec<u8>,
}

impl Buffer<'_> {
    fn put<const N: usize>(&mut self, words: [u32; N]) -> Result {
        let at = self.bytes.len();
        self.bytes.resize(at + 4 * N, 0);
        LittleEndian::write_u32_into(&words, &mut self.bytes[at..]);
        self.put_bytes(&[])
    }

    fn put_bytes(&mut self, bytes: &[u8]) -> Result {
        const MAX_BYTES: usize = 64 << 10;
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= MAX_BYTES {
            (self.sink)(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }
}
