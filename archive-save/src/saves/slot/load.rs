//! The loads of a [`Slot`], after its saves in the background.

use std::borrow::Cow;

use archive_core::{Element, Options, Result, Serialize};
use archive_format::Format;

use super::Slot;
use crate::save_file::{Loaded, SaveFile};

impl Slot {
    /// Loads the newest good save, as [`SaveFile::load`] does, after the saves of this slot in the
    /// background.
    pub fn load<T: Element>(&self) -> Result<Loaded<T>> {
        self.load_with(&Options::new())
    }

    /// As [`load`](Slot::load), with options, for example a report: see [`SaveFile::load_with`].
    pub fn load_with<T: Element>(&self, options: &Options<'_>) -> Result<Loaded<T>> {
        Ok(self.named(self.saved().load_with(options)?))
    }

    /// Loads into an existing value, as [`SaveFile::load_into`] does, after the saves of this slot
    /// in the background.
    pub fn load_into<T: Serialize + ?Sized>(&self, value: &mut T) -> Result<Loaded<()>> {
        self.load_into_with(value, &Options::new())
    }

    /// As [`load_into`](Slot::load_into), with options.
    pub fn load_into_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        options: &Options<'_>,
    ) -> Result<Loaded<()>> {
        Ok(self.named(self.saved().load_into_with(value, options)?))
    }

    /// Reads the body of the newest good save, after the saves of this slot in the background.
    pub(crate) fn load_body<T: Serialize + ?Sized>(
        &self,
        options: &Options<'_>,
    ) -> Result<Loaded<(Format, Vec<u8>)>> {
        Ok(self.named(self.saved().newest_body::<T>(options)?))
    }

    /// Reads the whole file and verifies every checksum, as [`SaveFile::verify`] does, after the
    /// saves of this slot in the background.
    pub fn verify(&self) -> Result {
        self.saved().verify()
    }

    /// Returns the file of the slot, with the settings of the slot, after its saves in the background:
    /// for programs that sync saves. [`SaveFile::read_bytes`] and [`SaveFile::save_bytes`] take and
    /// replace the whole file.
    pub fn save_file(&self) -> SaveFile {
        self.saved().into_owned()
    }

    /// Returns the file, after the saves in the background.
    fn saved(&self) -> Cow<'_, SaveFile> {
        self.wait();
        self.file()
    }

    pub(in crate::saves) fn named<T>(&self, mut loaded: Loaded<T>) -> Loaded<T> {
        loaded.slot = Some(self.name().to_owned());
        loaded
    }
}
