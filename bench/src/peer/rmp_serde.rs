//! `rmp-serde`: MessagePack through serde, structs as arrays or, as ours writes them, as maps.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Peer;

/// `rmp-serde`, structs as arrays.
pub struct RmpSerde;

/// `rmp-serde`, structs as maps: what our MessagePack is compared with.
pub struct Named;

/// The name of [`Named`].
pub const NAMED: &str = "rmp-serde, named";

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

impl<T: Serialize + DeserializeOwned> Peer<T> for Named {
    fn name(&self) -> &'static str {
        NAMED
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        buffer.clear();
        rmp_serde::encode::write_named(buffer, value).expect("memory can be written");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        rmp_serde::from_slice(bytes).expect("it was saved just now")
    }
}
