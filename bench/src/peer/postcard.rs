//! `postcard`: serde, positional, integers of variable length.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Peer;

/// `postcard`.
pub struct Postcard;

impl<T: Serialize + DeserializeOwned> Peer<T> for Postcard {
    fn name(&self) -> &'static str {
        "postcard"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        postcard::to_slice(value, buffer).expect("the buffer is long enough")
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        postcard::from_bytes(bytes).expect("it was saved just now")
    }
}
