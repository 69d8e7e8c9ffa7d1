//! `speedy`: everything of fixed width, structs without padding by one copy.

use speedy::{LittleEndian, Readable, Writable};

use super::Peer;

/// `speedy`. It writes fastest into a slice, but does not return the written length; requesting it
/// would take a second pass over the value.
#[derive(Default)]
pub struct Speedy {
    written: Option<usize>,
}

impl<T> Peer<T> for Speedy
where
    T: Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian>,
{
    fn name(&self) -> &'static str {
        "speedy"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        const GOOD: &str = "the buffer is long enough";
        let context = LittleEndian::default;
        value.write_to_buffer_with_ctx(context(), buffer).expect(GOOD);
        let count = || Writable::<LittleEndian>::bytes_needed(value).expect(GOOD);
        &buffer[..*self.written.get_or_insert_with(count)]
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        T::read_from_buffer_copying_data_with_ctx(LittleEndian::default(), bytes)
            .expect("it was saved just now")
    }
}
