//! [`Header`]: the header of a packed object, before the bins.

use archive_core::__private::empty_input;
use archive_core::{Error, ErrorKind, Position, Result};
use byteorder::{ByteOrder, LittleEndian};

use crate::signature::ClassSignature;

/// The bytes with which every packed object begins.
pub(crate) const MAGIC: [u8; 4] = *b"\x8bSTO";
/// The version of the layout that is written. All earlier versions can be read.
pub(crate) const VERSION: u32 = 2;
/// The version in which the signature always describes the tree.
const TREE_ONLY: u32 = 1;
/// The length of a header.
pub(crate) const HEADER: usize = 56;
/// The offset of the signature.
pub(crate) const SIGNATURE: usize = 40;
/// The lengths of the records of the object bin and of the variable bin.
pub(crate) const OBJECT: usize = 32;
pub(crate) const VARIABLE: usize = 20;

/// The header of a packed object: what is known about the object without reading all of it.
///
/// ```
/// use archive::bins::{Header, Object};
///
/// let mut lamp = Object::new("Lamp");
/// lamp.export("Lamp", "power", &60_u16)?;
/// let bytes = lamp.to_bytes()?;
///
/// let header = Header::read(&bytes)?;
/// assert_eq!(header.size as usize, bytes.len());
/// assert_eq!((header.objects, header.variables), (1, 1));
/// assert_eq!(header.signature, lamp.signature()?);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The version of the layout.
    pub version: u32,
    /// The length of the packed object in bytes, header included.
    pub size: u32,
    /// The number of objects, the outermost one included.
    pub objects: u32,
    /// The number of variables in all objects.
    pub variables: u32,
    /// The number of distinct strings, which are the names of objects, variables, classes and
    /// types.
    pub strings: u32,
    /// The offset of the bin of variables.
    pub variable_bin: u32,
    /// The offset of the bin of data.
    pub data_bin: u32,
    /// The offset of the bin of strings.
    pub string_bin: u32,
    /// The signature: see [`Object::signature`](crate::Object::signature).
    pub signature: u64,
    /// Whether the signature is that of the saved class ([`signature`](fn@crate::signature)) and
    /// not that of the tree.
    pub of_class: bool,
    /// Whether the class lists all of its members, so that the signature is compared when the
    /// object is loaded. It does not if a hand-written function visits them, or if the class keeps
    /// unknown members.
    pub is_compared: bool,
    /// The CRC-32 of everything after the header.
    pub body_checksum: u32,
}

impl Header {
    /// Computes the header for bins of these counts and lengths.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] if the object takes 4 GiB or more.
    pub(crate) fn plan(
        objects: usize,
        variables: usize,
        data: u64,
        strings: usize,
        string_bytes: u64,
    ) -> Result<Header> {
        let records = |start: u64, count: usize, length: usize| {
            start.saturating_add((count as u64).saturating_mul(length as u64))
        };
        let variable_bin = records(HEADER as u64, objects, OBJECT);
        let data_bin = records(variable_bin, variables, VARIABLE);
        let string_bin = data_bin.saturating_add(data);
        let size = string_bin.saturating_add(string_bytes);
        let word = |value: u64| u32::try_from(value).map_err(|_| too_large(size));
        Ok(Header {
            version: VERSION,
            size: word(size)?,
            objects: word(objects as u64)?,
            variables: word(variables as u64)?,
            strings: word(strings as u64)?,
            variable_bin: word(variable_bin)?,
            data_bin: word(data_bin)?,
            string_bin: word(string_bin)?,
            signature: 0,
            of_class: false,
            is_compared: false,
            body_checksum: 0,
        })
    }

    /// Returns the header's bytes.
    pub(crate) fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..4].copy_from_slice(&MAGIC);
        let counts = [self.version, self.size, self.objects, self.variables, self.strings];
        LittleEndian::write_u32_into(&counts, &mut bytes[4..24]);
        let kind = match (self.of_class, self.is_compared) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        };
        let bins = [kind, self.variable_bin, self.data_bin, self.string_bin];
        LittleEndian::write_u32_into(&bins, &mut bytes[24..40]);
        LittleEndian::write_u64(&mut bytes[SIGNATURE..], self.signature);
        LittleEndian::write_u32(&mut bytes[48..52], self.body_checksum);
        let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
        LittleEndian::write_u32(&mut bytes[HEADER - 4..], checksum);
        bytes
    }

    /// Reads the header at the start of `bytes`, and checks it. Data after the header is not read,
    /// and may be missing.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if there is no header or it is damaged, [`ErrorKind::UnexpectedEnd`]
    /// if it is cut short, [`ErrorKind::Unsupported`] for another version.
    pub fn read(bytes: &[u8]) -> Result<Header> {
        if bytes.is_empty() {
            return Err(empty_input().at(offset(0)));
        }
        let start = bytes.len().min(MAGIC.len());
        if bytes[..start] != MAGIC[..start] {
            return Err(syntax("this is not a Bins file: it begins with other bytes", 0));
        }
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            let message = "the input ends inside the header of an object";
            return Err(Error::new(ErrorKind::UnexpectedEnd, message).at(offset(bytes.len())));
        };
        let word = |at: usize| word(header, at);
        if crc32fast::hash(&header[..HEADER - 4]) != word(HEADER - 4) {
            return Err(syntax("the header is damaged: its checksum is wrong", HEADER - 4));
        }
        if !(TREE_ONLY..=VERSION).contains(&word(4)) {
            let message = format_args!(
                "an object of version {}; this program reads {TREE_ONLY} to {VERSION}",
                word(4)
            );
            return Err(Error::new(ErrorKind::Unsupported, message).at(offset(4)));
        }
        let (of_class, is_compared) = match (word(4), word(24)) {
            (TREE_ONLY, offset) if offset as usize == HEADER => (false, false),
            (TREE_ONLY, _) => return Err(contradiction()),
            (_, 0) => (false, false),
            (_, 1) => (true, true),
            (_, 2) => (true, false),
            (_, kind) => {
                return Err(syntax(format_args!("unknown kind of signature {kind}"), 24));
            }
        };
        let header = Header {
            version: word(4),
            size: word(8),
            objects: word(12),
            variables: word(16),
            strings: word(20),
            variable_bin: word(28),
            data_bin: word(32),
            string_bin: word(36),
            signature: LittleEndian::read_u64(&header[SIGNATURE..]),
            of_class,
            is_compared,
            body_checksum: word(48),
        };
        header.check()?;
        Ok(header)
    }

    /// Returns the signature, if it is that of a class.
    pub(crate) fn class_signature(&self) -> Option<ClassSignature> {
        let signature = ClassSignature { number: self.signature, whole: self.is_compared };
        self.of_class.then_some(signature)
    }

    /// Checks that the bins follow one another.
    fn check(&self) -> Result {
        let bin = |start: u64, count: u32, length: usize| start + u64::from(count) * length as u64;
        let variable_bin = bin(HEADER as u64, self.objects, OBJECT);
        let data_bin = bin(variable_bin, self.variables, VARIABLE);
        // A string takes at least four bytes, those of its length.
        let least = bin(self.string_bin.into(), self.strings, 4);
        if u64::from(self.variable_bin) != variable_bin
            || u64::from(self.data_bin) != data_bin
            || self.string_bin < self.data_bin
            || u64::from(self.size) < least
        {
            return Err(contradiction());
        }
        if self.objects == 0 {
            return Err(syntax("there is no object", 12));
        }
        Ok(())
    }
}

/// Returns the word at an offset; 0 past the end.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(<[u8]>::first_chunk::<4>)
        .map_or(0, |word| LittleEndian::read_u32(word))
}

/// An offset as a position.
pub(crate) fn offset(at: usize) -> Position {
    Position::Offset(at as u64)
}

/// Creates the error for input that does not follow the format.
#[cold]
pub(crate) fn syntax(message: impl std::fmt::Display, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, message).at(offset(at))
}

#[cold]
fn contradiction() -> Error {
    syntax("the counts and offsets of the header contradict each other", 12)
}

#[cold]
fn too_large(size: u64) -> Error {
    let message = format_args!("an object of {size} bytes; it must be smaller than 4 GiB");
    Error::new(ErrorKind::SizeLimit, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_gibibytes_are_too_many() {
        let most = u64::from(u32::MAX) - (HEADER + OBJECT + VARIABLE + 4) as u64;
        assert_eq!(Header::plan(1, 1, most, 1, 4).unwrap().size, u32::MAX);
        for (objects, variables, data, string_bytes) in [
            (1, 1, most + 1, 4),
            (1, 1, most, 5),
            (1 << 27, 1, 0, 4),
            (1, 1 << 28, 0, 4),
            (usize::MAX, usize::MAX, u64::MAX, u64::MAX),
        ] {
            let error = Header::plan(objects, variables, data, 1, string_bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::SizeLimit);
            assert!(error.message().ends_with("it must be smaller than 4 GiB"), "{error}");
        }
    }
}
