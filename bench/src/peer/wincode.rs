//! `wincode`: everything of fixed width, written in place.

use wincode::config::{self, Configuration, PREALLOCATION_SIZE_LIMIT_DISABLED};
use wincode::{SchemaReadOwned, SchemaWrite};

use super::Peer;

/// The defaults of `wincode`, but with values of more than 4 MiB.
type Large = Configuration<true, PREALLOCATION_SIZE_LIMIT_DISABLED>;

/// `wincode`.
pub struct Wincode;

impl<T: SchemaWrite<Large, Src = T> + SchemaReadOwned<Large, Dst = T>> Peer<T> for Wincode {
    fn name(&self) -> &'static str {
        "wincode"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        let all = buffer.len();
        let mut rest = buffer.as_mut_slice();
        config::serialize_into(&mut rest, value, Large::new()).expect("the buffer is long enough");
        let written = all - rest.len();
        &buffer[..written]
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        config::deserialize(bytes, Large::new()).expect("it was saved just now")
    }
}
