//! `serde_json`: JSON through serde.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Peer;

/// `serde_json`.
pub struct SerdeJson;

impl<T: Serialize + DeserializeOwned> Peer<T> for SerdeJson {
    fn name(&self) -> &'static str {
        "serde_json"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        buffer.clear();
        serde_json::to_writer(&mut *buffer, value).expect("memory can be written");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        serde_json::from_slice(bytes).expect("it was saved just now")
    }
}
