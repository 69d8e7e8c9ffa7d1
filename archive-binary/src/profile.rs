//! The frame of files without types: the fingerprint, a flag, and tables with the facts that the
//! root's type does not determine.
// Why: docs/decisions/binary.md#profiles-are-formats

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Result};

use crate::container::{MAGIC, Profile};
use crate::cursor::{Cursor, offset, syntax};
use crate::implied::Implied;
use crate::varint::put_u64;
use crate::write_tables::{Contents, needs_residual, put_residual};

/// The length of a fingerprint.
const FINGERPRINT: usize = 8;
/// The flag of a file that contains only the root.
pub(crate) const PLAIN: u8 = 0;
/// The flag of a file with tables.
const TABLES: u8 = 1;

impl Profile {
    /// The number of bytes before the flag.
    fn before_flag(self) -> usize {
        if self == Profile::Fingerprint { FINGERPRINT } else { 0 }
    }

    /// Appends the start of a file without types.
    pub(crate) fn put_start(self, out: &mut Vec<u8>) {
        out.resize(self.before_flag() + 1, PLAIN);
    }

    /// Appends the start of a file without types and without tables, which is complete with its
    /// data.
    pub(crate) fn put_plain_start(self, out: &mut Vec<u8>) {
        debug_assert_eq!(self.before_flag(), 0);
        out.push(PLAIN);
    }

    /// Completes a file without types. `out` begins with the output of
    /// [`put_start`](Profile::put_start) and ends with the data.
    pub(crate) fn complete(self, out: &mut Vec<u8>, implied: u64, contents: &Contents<'_>) {
        let flag = self.before_flag();
        out[..flag].copy_from_slice(&implied.to_le_bytes()[..flag]);
        if !needs_residual(contents, out.len()) {
            return;
        }
        let start = flag + 1;
        let mut lengths = Vec::new();
        put_u64(&mut lengths, (contents.root_end - start) as u64);
        put_u64(&mut lengths, (out.len() - contents.root_end) as u64);
        out[flag] = TABLES;
        put_residual(out, contents, start);
        out.splice(start..start, lengths);
    }

    /// Reads the start of a file without types.
    ///
    /// # Errors
    /// An error if the file is truncated, or does not begin like such a file.
    pub(crate) fn open(self, file: &[u8]) -> Result<Opened> {
        let mut cursor = Cursor::new(file, 0);
        let fingerprint = match self {
            Profile::Fingerprint => Some(u64::from_le_bytes(cursor.array()?)),
            _ => None,
        };
        let at = cursor.at();
        match cursor.byte()? {
            PLAIN => {
                let start = cursor.at();
                let (root_end, end) = (file.len(), file.len());
                Ok(Opened { fingerprint, start, root_end, end, tables: false, wrong: None })
            }
            TABLES => {
                let (root, tables) = (cursor.u64()?, cursor.u64()?);
                let start = cursor.at();
                cursor.take(root)?;
                let root_end = cursor.at();
                cursor.take(tables)?;
                Ok(Opened {
                    fingerprint,
                    start,
                    root_end,
                    end: cursor.at(),
                    tables: true,
                    wrong: None,
                })
            }
            _ if file.starts_with(&MAGIC) => {
                Err(syntax("this is a file of `archive::binary`: load it with that module", 0))
            }
            flag => {
                let (start, end) = (cursor.at(), file.len());
                let wrong = Some((flag, at));
                Ok(Opened { fingerprint, start, root_end: end, end, tables: false, wrong })
            }
        }
    }
}

/// The offsets of the parts of a file without types.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    fingerprint: Option<u64>,
    /// The offset of the data.
    pub(crate) start: usize,
    /// The end of the root.
    pub(crate) root_end: usize,
    /// The end of the data.
    pub(crate) end: usize,
    /// Whether there are tables with the facts that the root's type does not determine.
    pub(crate) tables: bool,
    /// An invalid flag and its offset. Reported only if the fingerprint matches, since a wrong
    /// fingerprint explains more.
    wrong: Option<(u8, usize)>,
}

impl Opened {
    /// The parts of a row without tables.
    pub(crate) fn plain(row: &[u8]) -> Self {
        let (root_end, end) = (row.len(), row.len());
        Opened { fingerprint: None, start: 1, root_end, end, tables: false, wrong: None }
    }

    /// Checks that the file can contain a root of that shape.
    ///
    /// # Errors
    /// [`ErrorKind::WrongType`] if the fingerprint differs, [`ErrorKind::Syntax`] if the flag is
    /// invalid.
    pub(crate) fn check(&self, shape: &'static Shape, implied: &Implied) -> Result {
        implied.check()?;
        match self.fingerprint {
            Some(found) if found != implied.fingerprint => {
                Err(other_layout(shape, implied.fingerprint, found))
            }
            _ => self.check_flag(),
        }
    }

    /// Checks that the flag is valid.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if it is not.
    pub(crate) fn check_flag(&self) -> Result {
        match self.wrong {
            Some((flag, at)) => Err(syntax(format_args!("there is no flag {flag}"), at)),
            None => Ok(()),
        }
    }
}

#[cold]
fn other_layout(shape: &'static Shape, expected: u64, found: u64) -> Error {
    let name = match shape {
        Shape::Class(class) => format!("`{}`", class.name()),
        Shape::Enum(info) => format!("`{}`", info.name()),
        _ => "the requested type".to_owned(),
    };
    let message = format_args!(
        "expected the layout of {name} (fingerprint {expected:016x}), found another (fingerprint \
         {found:016x}): both sides must be built with the same types; files of `archive::binary` \
         load into types that have changed"
    );
    Error::new(ErrorKind::WrongType, message).at(offset(0))
}
