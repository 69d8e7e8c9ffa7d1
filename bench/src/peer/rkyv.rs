//! `rkyv`, used like the others: the saved bytes are validated, and become an owned value.

use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator, to_bytes_in_with_alloc};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Error;
use rkyv::ser::allocator::{Arena, ArenaHandle};
use rkyv::ser::writer::Buffer;
use rkyv::{Archive, Deserialize, Serialize};

use super::Peer;

/// `rkyv`. It keeps its scratch memory. Allocations of this size lie on 16 bytes, which is more
/// than any type here asks for; if one did not, loading would say so.
#[derive(Default)]
pub struct Rkyv {
    arena: Arena,
}

impl<T> Peer<T> for Rkyv
where
    T: Archive + for<'a> Serialize<HighSerializer<Buffer<'a>, ArenaHandle<'a>, Error>>,
    T::Archived:
        for<'a> CheckBytes<HighValidator<'a, Error>> + Deserialize<T, HighDeserializer<Error>>,
{
    fn name(&self) -> &'static str {
        "rkyv"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        let written = {
            let writer = Buffer::from(buffer.as_mut_slice());
            let written =
                to_bytes_in_with_alloc::<_, _, Error>(value, writer, self.arena.acquire());
            written.expect("the buffer is long enough").len()
        };
        &buffer[..written]
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        rkyv::from_bytes::<T, Error>(bytes).expect("it was saved just now")
    }
}
