//! `borsh`: everything of fixed width.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Peer;

/// `borsh`.
pub struct Borsh;

impl<T: BorshSerialize + BorshDeserialize> Peer<T> for Borsh {
    fn name(&self) -> &'static str {
        "borsh"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        buffer.clear();
        borsh::to_writer(&mut *buffer, value).expect("memory can be written");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        borsh::from_slice(bytes).expect("it was saved just now")
    }
}
