//! `bincode` 2, its last version; integers of variable length.

use bincode::config::standard;
use bincode::{Decode, Encode};

use super::Peer;

/// `bincode` 2.
pub struct Bincode;

impl<T: Encode + Decode<()>> Peer<T> for Bincode {
    fn name(&self) -> &'static str {
        "bincode 2"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        let written = bincode::encode_into_slice(value, buffer, standard())
            .expect("the buffer is long enough");
        &buffer[..written]
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        bincode::decode_from_slice(bytes, standard()).expect("it was saved just now").0
    }
}
