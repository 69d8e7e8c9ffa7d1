//! `bitcode`: columns of packed integers.

use bitcode::{Buffer, DecodeOwned, Encode};

use super::{Group, Peer};

/// `bitcode`, with its derive. It keeps a buffer of its own.
#[derive(Default)]
pub struct Bitcode {
    buffer: Buffer,
}

impl<T: Encode + DecodeOwned> Peer<T> for Bitcode {
    fn name(&self) -> &'static str {
        "bitcode"
    }

    fn group(&self) -> Group {
        Group::Columnar
    }

    fn save<'b>(&'b mut self, _: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        self.buffer.encode(value)
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        self.buffer.decode(bytes).expect("it was saved just now")
    }
}
