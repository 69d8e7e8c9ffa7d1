//! `savefile`: positional, structs without padding by one copy.

use savefile::{Deserialize, Serialize};

use super::Peer;

/// `savefile`, without the schema that it can put before the data.
pub struct Savefile;

impl<T: Serialize + Deserialize> Peer<T> for Savefile {
    fn name(&self) -> &'static str {
        "savefile"
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        buffer.clear();
        savefile::save_noschema(buffer, 0, value).expect("memory can be written");
        buffer
    }

    fn load(&mut self, mut bytes: &[u8]) -> T {
        savefile::load_noschema(&mut bytes, 0).expect("it was saved just now")
    }
}
