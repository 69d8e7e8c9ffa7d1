//! A save as bytes, without a file system: for cloud storage, consoles and browsers.

use std::io;
use std::path::{Path, PathBuf};

use archive_core::{Element, Options, Result, Serialize, Source};
use archive_format::Format;

use super::SaveFile;
use super::loaded::Loaded;
use super::newest_good::Found;
use super::peek;
use super::replace::signature_of;
use crate::fault;
use crate::lineage::{Branches, Known, Lineage};
use crate::meta::Meta;
use crate::system::File;

impl SaveFile {
    /// Returns the bytes of a save, as [`save`](SaveFile::save) would write them to the file, with
    /// title, thumbnail and metadata. No file is read or written. The path names the save in
    /// messages, and may be any text.
    ///
    /// ```
    /// use archive::Format;
    /// use archive::save::SaveFile;
    ///
    /// let file = SaveFile::new("campaign").game("skirmish").title("Before the boss");
    /// let bytes = file.to_bytes(&vec![1, 2, 3], Format::Binary)?; // to the cloud
    /// assert_eq!(SaveFile::peek_bytes(&bytes)?.title, "Before the boss");
    /// let loaded = file.from_bytes::<Vec<i32>>(&bytes)?; // and back
    /// assert_eq!(loaded.value, [1, 2, 3]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// The save continues the one that this process last loaded or saved under this path, as bytes
    /// or as a file, and [`relation`](crate::relation) compares it with others. A game that also
    /// keeps a local file should upload the bytes of that file instead, so that both are one save.
    ///
    /// # Errors
    /// Errors of the value, with the path as the [file](archive_core::Error::file);
    /// [`ErrorKind::SizeLimit`](archive_core::ErrorKind::SizeLimit) if metadata and thumbnail are
    /// too long.
    pub fn to_bytes(&self, value: impl Source, format: Format) -> Result<Vec<u8>> {
        self.to_bytes_with(value, format, &Options::new())
    }

    /// As [`to_bytes`](SaveFile::to_bytes), with options.
    pub fn to_bytes_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let meta = self.stamp(format, value.shape(), options).meta;
        self.pack(meta, &self.encode(value, format, options)?)
    }

    /// Returns the bytes of a save with that body, which continues the last known save.
    pub(crate) fn pack(&self, mut meta: Meta, body: &[u8]) -> Result<Vec<u8>> {
        self.check_plain(&meta)?;
        let (own, branches) = (self.own(), Branches::of_this_process());
        let before = Known::of_this_process().last(&own);
        if !self.is_plain() {
            meta.lineage = Lineage::next(before.as_ref(), &self.device, branches);
        }
        let mut bytes = Vec::new();
        let packed = self.write(&meta, body, &mut |more, _| {
            bytes.extend_from_slice(more);
            Ok(())
        });
        if let Err(error) = packed {
            meta.lineage.undo(before.as_ref(), branches);
            return Err(error);
        }
        if !self.is_plain() {
            Known::of_this_process().set(own, &meta.lineage, meta.signature);
        }
        Ok(bytes)
    }

    /// Loads a value from the bytes of a save, from [`to_bytes`](SaveFile::to_bytes) or of a file.
    /// All bytes are verified. There are no backups.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if the bytes are damaged or not a
    /// save; [`ErrorKind::NewerVersion`](archive_core::ErrorKind::NewerVersion) and
    /// [`ErrorKind::WrongType`](archive_core::ErrorKind::WrongType) if a newer version of the game
    /// or another game saved them; and errors of the value.
    #[allow(clippy::wrong_self_convention, reason = "it is the load beside `to_bytes`")]
    pub fn from_bytes<T: Element>(&self, bytes: &[u8]) -> Result<Loaded<T>> {
        self.from_bytes_with(bytes, &Options::new())
    }

    /// As [`from_bytes`](SaveFile::from_bytes), with options.
    #[allow(clippy::wrong_self_convention, reason = "it is the load beside `to_bytes_with`")]
    pub fn from_bytes_with<T: Element>(
        &self,
        bytes: &[u8],
        options: &Options<'_>,
    ) -> Result<Loaded<T>> {
        let (path, file) = (self.path.clone(), Box::new(Bytes(bytes)));
        let (meta, body) = self.intact_file(&path, file, options)?;
        let decoded = self.format(&meta).and_then(|it| it.from_slice_with(&body, options));
        let value = decoded.map_err(|error| fault::of(&path, error))?;
        let found = Found { number: 0, path, meta, body };
        Ok(self.loaded(value, self.own(), found, signature_of(<T as Serialize>::SHAPE)))
    }

    /// Reads the metadata of a save from its bytes, as [`peek`](SaveFile::peek) does from a file.
    /// The body is not verified.
    pub fn peek_bytes(bytes: &[u8]) -> Result<Meta> {
        Ok(peek::open_file(Path::new("the save"), Box::new(Bytes(bytes)))?.meta)
    }

    /// Verifies all bytes of a save, and returns its metadata. The value is not decoded.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if the bytes are damaged or not a save.
    pub fn verify_bytes(bytes: &[u8]) -> Result<Meta> {
        let name = Path::new("the save");
        let mut opened = peek::open_file(name, Box::new(Bytes(bytes)))?;
        opened.frames(name).verify()?;
        Ok(opened.meta)
    }

    /// Reads the metadata of a save from an open file, as [`peek`](SaveFile::peek) does: for storage
    /// that has no [`FileSystem`](crate::FileSystem) but can read a part of a file. The name is that
    /// of the file in messages.
    ///
    /// ```
    /// use std::io;
    ///
    /// use archive::Format;
    /// use archive::save::{File, SaveFile};
    ///
    /// /// A file of a server.
    /// struct Remote(Vec<u8>);
    ///
    /// impl File for Remote {
    ///     fn length(&mut self) -> io::Result<u64> {
    ///         Ok(self.0.len() as u64)
    ///     }
    ///     fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
    ///         let rest = self.0.iter().skip(from as usize);
    ///         Ok(rest.take(len as usize).copied().collect()) // a request for these bytes
    ///     }
    ///     fn append(&mut self, _: &[u8]) -> io::Result<()> {
    ///         Err(io::ErrorKind::Unsupported.into())
    ///     }
    ///     fn sync(&mut self) -> io::Result<()> {
    ///         Err(io::ErrorKind::Unsupported.into())
    ///     }
    /// }
    ///
    /// let bytes = SaveFile::new("campaign").title("Before the boss").to_bytes(&7, Format::Binary)?;
    /// let meta = SaveFile::peek_file("the server's campaign", Remote(bytes))?;
    /// assert_eq!(meta.title, "Before the boss");
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`peek`](SaveFile::peek).
    pub fn peek_file(name: impl AsRef<Path>, file: impl File) -> Result<Meta> {
        Ok(peek::open_file(name.as_ref(), Box::new(file))?.meta)
    }

    /// Returns the identity of the file in this process, even without a file system.
    pub(super) fn own(&self) -> PathBuf {
        self.system.identity(&self.target().unwrap_or_else(|_| self.path.clone()))
    }
}

/// The bytes of a file.
pub(super) struct Bytes<'b>(pub &'b [u8]);

impl File for Bytes<'_> {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        let rest = usize::try_from(from).ok().and_then(|from| self.0.get(from..));
        let rest = rest.unwrap_or_default();
        Ok(rest[..rest.len().min(usize::try_from(len).unwrap_or(usize::MAX))].to_vec())
    }
}
