//! Lower bounds, which no format beats by much.

use super::{Group, Peer};

/// Copies that many bytes: the lower bound of a value that is one block.
pub struct Memcpy;

impl Peer<Vec<u8>> for Memcpy {
    const IN_PLACE: bool = true;

    fn name(&self) -> &'static str {
        "memcpy"
    }

    fn group(&self) -> Group {
        Group::Floor
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &Vec<u8>) -> &'b [u8] {
        buffer[..value.len()].copy_from_slice(value);
        &buffer[..value.len()]
    }

    fn load(&mut self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn load_into(&mut self, value: &mut Vec<u8>, bytes: &[u8]) {
        value.copy_from_slice(bytes);
    }
}
