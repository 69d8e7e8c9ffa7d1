//! The body of a save as bytes, for tools that know its format and not its types.

use archive_core::{Error, ErrorKind, Result};

use super::peek;
use super::replace::NoWatch;
use super::{Meta, SaveFile};
use crate::container::has_magic;

impl SaveFile {
    /// Returns whether a file that begins with these bytes is a save file. Eight bytes are
    /// enough.
    pub fn detect(start: &[u8]) -> bool {
        has_magic(start)
    }

    /// Reads all of the file, verifies it, and returns the body as bytes of its
    /// [format](Meta::format). For tools without the types of the game. No backup is loaded in its
    /// place, and nothing is renamed or removed.
    ///
    /// ```
    /// use archive::save::SaveFile;
    /// use archive::{Format, Value};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("quick.sav");
    /// let file = SaveFile::new(&path).title("Before the boss").backups(3);
    /// file.save(&vec![1, 2], Format::Binary)?;
    ///
    /// let (meta, body) = SaveFile::new(&path).read_body()?;
    /// let value: Value = Format::from_name(&meta.format)?.from_slice(&body)?;
    /// assert_eq!(value.to_string(), "[1,2]");
    ///
    /// // The title stays, and the old file becomes a backup.
    /// file.save_body(meta, &Format::Binary.to_vec(&vec![1, 2, 3])?)?;
    /// assert_eq!(file.load::<Vec<i32>>()?.value, [1, 2, 3]);
    /// assert_eq!(SaveFile::peek(&path)?.title, "Before the boss");
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if it is damaged or no save file, [`ErrorKind::Io`] if it cannot be read.
    pub fn read_body(&self) -> Result<(Meta, Vec<u8>)> {
        let mut opened = peek::open(&*self.system, &self.path)?;
        let body = opened.frames(&self.path).body()?;
        Ok((opened.meta, body))
    }

    /// Saves a body whose bytes exist already, with everything that `meta` says of it but for the
    /// [lineage](Meta::lineage): the save continues the one that it replaces. Returns what
    /// [`peek`](SaveFile::peek) says of the new file.
    ///
    /// The file is replaced as by [`save`](SaveFile::save). The title and all else that this `SaveFile`
    /// would say of a save is not used.
    ///
    /// # Errors
    /// Those of [`save`](SaveFile::save).
    pub fn save_body(&self, meta: Meta, body: &[u8]) -> Result<Meta> {
        if meta.format.is_empty() {
            let message = "a save without a format cannot be loaded";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.replace(meta, &NoWatch, body)
    }
}
