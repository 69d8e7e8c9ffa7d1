//! Apache Fory: object graphs, with shared and weak pointers and trait objects of its own.

use fory::Serializer;

use super::Peer;

/// `fory`, native and tolerant, which is its default.
pub struct Fory {
    fory: fory::Fory,
}

impl Fory {
    /// With the types that are registered there.
    pub fn new(fory: fory::Fory) -> Self {
        Fory { fory }
    }
}

impl<T: Serializer<Target = T>> Peer<T> for Fory {
    fn name(&self) -> &'static str {
        "fory"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        buffer.clear();
        self.fory.serialize_to(buffer, value).expect("the value can be saved");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        self.fory.deserialize(bytes).expect("it was saved just now")
    }
}
