//! `rmp-serde`: MessagePack through serde, structs as arrays.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Peer;

/// `rmp-serde`.
pub struct RmpSerde;

impl<T: Serialize + DeserializeOwned> Peer<T> for RmpSerde {
    fn name(&self) -> &'static str {
        "rmp-serde"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        buffer.clear();
        rmp_serde::encode::write(buffer, value).expect("memory can be written");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        rmp_serde::from_slice(bytes).expect("it was saved just now")
    }
}
