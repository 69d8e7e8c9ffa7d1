//! The body of a save as bytes, for tools that know its format but not its types.

use archive_core::{Error, ErrorKind, Options, Result, Serialize};
use archive_format::Format;

use super::loaded::Loaded;
use super::peek;
use super::replace::NoWatch;
use super::{Draft, Meta, SaveFile};
use crate::container::has_magic;
use crate::fault;

impl SaveFile {
    /// Returns whether a file that begins with these bytes is a save file. Eight bytes are
    /// enough.
    pub fn detect(start: &[u8]) -> bool {
        has_magic(start)
    }

    /// Reads the whole file, verifies it, and returns the body as bytes of its
    /// [format](Meta::format). For tools without the types of the game. Does not fall back to a
    /// backup, and renames or removes nothing.
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
    /// // The title is kept, and the old file becomes a backup.
    /// file.save_body(meta, &Format::Binary.to_vec(&vec![1, 2, 3])?)?;
    /// assert_eq!(file.load::<Vec<i32>>()?.value, [1, 2, 3]);
    /// assert_eq!(SaveFile::peek(&path)?.title, "Before the boss");
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if it is damaged or not a save file, [`ErrorKind::Io`] if it cannot be
    /// read.
    pub fn read_body(&self) -> Result<(Meta, Vec<u8>)> {
        let mut opened = peek::open(&*self.system, &self.path)?;
        let body = opened.frames(&self.path).body()?;
        Ok((opened.meta, body))
    }

    /// Reads the body of the newest good save, which [`load`](SaveFile::load) would decode as a `T`.
    /// Returns its format and its bytes.
    pub(crate) fn newest_body<T: Serialize + ?Sized>(
        &self,
        options: &Options<'_>,
    ) -> Result<Loaded<(Format, Vec<u8>)>> {
        self.newest(T::SHAPE, options, |format, body| Ok((format, body.to_vec())))
    }

    /// Reads the undamaged part of the body of a damaged file: the frames before the first one that
    /// is damaged or missing. Returns the metadata, these bytes of the body, and the error: `None`
    /// if the file is good.
    ///
    /// ```
    /// use archive::Format;
    /// use archive::save::{Compression, SaveFile};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("quick.sav");
    /// let text = "a long text ".repeat(100_000);
    /// SaveFile::new(&path).compression(Compression::None).save(&text, Format::Json)?;
    /// # let bytes = std::fs::read(&path).unwrap();
    /// # std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    /// // Half of the file is lost.
    /// let (_, body, damage) = SaveFile::new(&path).salvage_body()?;
    /// assert!(body.starts_with(b"\"a long text ") && body.len() > 500_000);
    /// assert!(damage.is_some());
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if the head is damaged, so that nothing can be read; [`ErrorKind::Io`]
    /// if the file cannot be read.
    pub fn salvage_body(&self) -> Result<(Meta, Vec<u8>, Option<Error>)> {
        match self.read_body() {
            Ok((meta, body)) => Ok((meta, body, None)),
            Err(error) if fault::is_damage(&error) => {
                let file = peek::file(&*self.system, &self.path)?;
                let (mut opened, _) = peek::open_head(&self.path, file)?;
                let (body, _) = opened.frames(&self.path).whole();
                Ok((opened.meta, body, Some(error)))
            }
            Err(error) => Err(error),
        }
    }

    /// Saves a body that is already encoded, with all metadata in `meta` except the
    /// [lineage](Meta::lineage): the save continues the one that it replaces. Returns the metadata
    /// that [`peek`](SaveFile::peek) reads from the new file.
    ///
    /// The file is replaced as by [`save`](SaveFile::save). The title and other metadata of this
    /// `SaveFile` are not used.
    pub fn save_body(&self, meta: Meta, body: &[u8]) -> Result<Meta> {
        if meta.format.is_empty() {
            let message = "a save without a format cannot be loaded";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.replace(Draft { meta, types: None }, &NoWatch, body)
    }
}
