//! A [`Slot`] as bytes, without a file system.

use archive_core::{Element, Options, Result, Source};
use archive_format::Format;

use super::Slot;
use crate::save_file::Loaded;
use crate::saves::autosave;

impl Slot {
    /// Returns the bytes of a save of this slot, as
    /// [`SaveFile::to_bytes`](crate::SaveFile::to_bytes) does. The bytes of an autosave have the
    /// number in its name.
    pub fn to_bytes(&self, value: impl Source, format: Format) -> Result<Vec<u8>> {
        self.to_bytes_with(value, format, &Options::new())
    }

    /// As [`to_bytes`](Slot::to_bytes), with options.
    pub fn to_bytes_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let file = self.file();
        let mut meta = file.stamp(format, value.shape(), options).meta;
        meta.autosave = autosave::number(self.name()).filter(|_| self.autosave.is_some());
        file.pack(meta, &file.encode(value, format, options)?)
    }

    /// Loads a value from the bytes of a save, as [`SaveFile::from_bytes`](crate::SaveFile::from_bytes) does.
    #[allow(clippy::wrong_self_convention, reason = "it is the load beside `to_bytes`")]
    pub fn from_bytes<T: Element>(&self, bytes: &[u8]) -> Result<Loaded<T>> {
        self.from_bytes_with(bytes, &Options::new())
    }

    /// As [`from_bytes`](Slot::from_bytes), with options.
    #[allow(clippy::wrong_self_convention, reason = "it is the load beside `to_bytes_with`")]
    pub fn from_bytes_with<T: Element>(
        &self,
        bytes: &[u8],
        options: &Options<'_>,
    ) -> Result<Loaded<T>> {
        Ok(self.named(self.file().from_bytes_with(bytes, options)?))
    }
}
