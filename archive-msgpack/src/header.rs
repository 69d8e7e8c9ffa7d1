//! The headers of arrays and maps. Replaces those whose final length differs from the bytes
//! reserved for them.
// Why: docs/decisions/json-and-messagepack.md#messagepack-headers-are-patched-at-the-end

use archive_core::{Error, ErrorKind, Result};
use rmp::Marker;

/// The kind of an open container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameKind {
    Seq,
    /// A map; every item is a [`FrameKind::Pair`].
    Map,
    /// An entry of a map: a sequence of two without a header.
    Pair,
    Object,
}

/// The header of an array or a map.
pub(crate) struct Header {
    bytes: [u8; 5],
    len: u8,
}

impl Header {
    pub(crate) fn new(kind: FrameKind, count: usize) -> Result<Self> {
        let (fix, two, four) = match kind {
            FrameKind::Seq => (0x90, Marker::Array16, Marker::Array32),
            _ => (0x80, Marker::Map16, Marker::Map32),
        };
        let mut bytes = [0; 5];
        let len = if count < 16 {
            bytes[0] = fix | count as u8;
            1
        } else if let Ok(count) = u16::try_from(count) {
            bytes[0] = two.to_u8();
            bytes[1..3].copy_from_slice(&count.to_be_bytes());
            3
        } else {
            bytes[0] = four.to_u8();
            let count = short(count, "more than 2^32 - 1 items in one sequence or map")?;
            bytes[1..].copy_from_slice(&count.to_be_bytes());
            5
        };
        Ok(Header { bytes, len })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

/// Converts a length, which must fit 32 bits.
pub(crate) fn short(len: usize, what: &str) -> Result<u32> {
    u32::try_from(len).map_err(|_| {
        Error::new(ErrorKind::SizeLimit, format_args!("MessagePack cannot represent {what}"))
    })
}

/// The headers whose final length differs from the bytes written for them. They are all replaced at
/// once, so that no byte is moved once per level of nesting.
#[derive(Default)]
pub(crate) struct Patches {
    list: Vec<Patch>,
}

struct Patch {
    at: usize,
    /// The number of bytes that were written.
    written: u8,
    header: Header,
}

impl Patches {
    #[cold]
    pub(crate) fn add(&mut self, at: usize, written: u8, header: Header) {
        self.list.push(Patch { at, written, header });
    }

    /// Replaces the headers at `at` and after it. They belong to the containers that were closed
    /// last.
    #[cold]
    pub(crate) fn apply_from(&mut self, at: usize, out: &mut Vec<u8>) {
        let before = self.list.iter().rposition(|patch| patch.at < at).map_or(0, |last| last + 1);
        let mut inside = Patches { list: self.list.split_off(before) };
        inside.list.iter_mut().for_each(|patch| patch.at -= at);
        let end = inside.apply(out.split_off(at));
        out.extend_from_slice(&end);
    }

    /// Returns the offset to which a byte is moved by replacing all headers.
    pub(crate) fn moved(&self, at: usize) -> usize {
        let before = self.list.iter().filter(|patch| patch.at < at);
        before.fold(at, |at, patch| at + patch.header.bytes().len() - usize::from(patch.written))
    }

    /// Returns the output with all headers replaced.
    pub(crate) fn apply(mut self, out: Vec<u8>) -> Vec<u8> {
        if self.list.is_empty() {
            return out;
        }
        self.list.sort_unstable_by_key(|patch| patch.at);
        let mut patched = Vec::with_capacity(out.len() + 4 * self.list.len());
        let mut from = 0;
        for patch in &self.list {
            patched.extend_from_slice(&out[from..patch.at]);
            patched.extend_from_slice(patch.header.bytes());
            from = patch.at + usize::from(patch.written);
        }
        patched.extend_from_slice(&out[from..]);
        patched
    }
}
