//! Guesses the format of files without a signature, for the error message.

use std::path::Path;

use archive::{Error, ErrorKind};

/// Returns a guess at the format of an unknown file. `start` are its first bytes, at least one.
#[cold]
pub fn guess(start: &[u8], path: Option<&Path>) -> Option<String> {
    let guess = match by_name(path) {
        Some(Packet::Fingerprint) => packet(start),
        Some(Packet::Bare) => BARE.to_owned(),
        None if start.iter().all(|byte| *byte == 0) => {
            "its first bytes are all zero: the content may never have reached the disk".to_owned()
        }
        None if matches!(start[0], 0 | 1) => format!("it may be {BARE}"),
        None if start.len() > FINGERPRINT && matches!(start[FINGERPRINT], 0 | 1) => {
            format!("it may be {}", packet(start))
        }
        None => return None,
    };
    Some(guess)
}

/// Returns the error for a packet, which its file name announces.
pub fn refuse_packet(start: &[u8], path: Option<&Path>) -> Option<Error> {
    let what = match by_name(path)? {
        Packet::Fingerprint => packet(start),
        Packet::Bare => BARE.to_owned(),
    };
    Some(Error::new(ErrorKind::Unsupported, format_args!("by its name, this is {what}")))
}

/// A file of the binary format without its types.
enum Packet {
    Fingerprint,
    Bare,
}

fn by_name(path: Option<&Path>) -> Option<Packet> {
    match path?.extension()?.to_str()? {
        "fpr" => Some(Packet::Fingerprint),
        "bare" => Some(Packet::Bare),
        _ => None,
    }
}

const BARE: &str = "a packet of `binary::bare` or a single row of an object store. Neither has its types, so only \
                    the program that wrote it can read it";
/// The length of a fingerprint. A flag of 0 or 1 follows it.
const FINGERPRINT: usize = 8;

fn packet(start: &[u8]) -> String {
    let number = start.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    format!(
        "a packet of `binary::fingerprint`, of types with the fingerprint {number:016x}. It does not have \
         these types, so only a program that has them can read it"
    )
}
