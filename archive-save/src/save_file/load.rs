//! The loads of a [`SaveFile`].

use archive_core::{Element, Options, Result, Serialize};

use super::SaveFile;
use super::loaded::Loaded;

impl SaveFile {
    /// Loads the newest good save: the file, or if it is missing or damaged, the newest good
    /// backup. Damaged files are renamed to `quick.sav.damaged`, `quick.sav.damaged-2` and so on up
    /// to 5; then the oldest one is removed. Files that the drive cannot read are skipped and keep
    /// their names. The unfinished file of an interrupted save is removed, and the file that it
    /// replaced becomes the newest backup.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if there is no save or it cannot be read,
    /// [`ErrorKind::NewerVersion`](archive_core::ErrorKind::NewerVersion) if a newer version of the
    /// game saved it, [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) for the newest save if
    /// none is good; and errors of the value, with the [file](archive_core::Error::file). A value
    /// that the types of the program or the format refuse is not damage, so no older save is
    /// loaded.
    pub fn load<T: Element>(&self) -> Result<Loaded<T>> {
        self.load_with(&Options::new())
    }

    /// As [`load`](SaveFile::load), with options. With [`Options::report`] it reports members that
    /// the file or the types lack, and with [`Options::keep_going`] values that were left out.
    /// Never save over a file whose report has errors.
    ///
    /// ```
    /// use std::cell::Cell;
    ///
    /// use archive::save::SaveFile;
    /// use archive::{Format, Options, Serialize};
    ///
    /// #[derive(Default, Serialize)]
    /// struct Old { tick: u64, mood: String }
    /// #[derive(Default, Serialize)]
    /// struct World { tick: u64, seed: u64 }
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("quick.sav");
    /// let file = SaveFile::new(&path);
    /// file.save(&Old { tick: 7, mood: "calm".into() }, Format::Binary)?;
    /// let report = Cell::default();
    /// let loaded = file.load_with::<World>(&Options::new().report(&report))?;
    /// assert_eq!(loaded.value.tick, 7);
    /// let report = report.take();
    /// assert!(report.absent().eq(["seed"]) && report.unknown().eq(["mood"]));
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn load_with<T: Element>(&self, options: &Options<'_>) -> Result<Loaded<T>> {
        self.newest(<T as Serialize>::SHAPE, options, |format, body| {
            format.from_slice_with(body, options)
        })
    }

    /// Loads into an existing value. Members that the file lacks keep their values.
    ///
    /// # Errors
    /// As [`load`](SaveFile::load). After an error of the value, each member is old, loaded or
    /// blank.
    pub fn load_into<T: Serialize + ?Sized>(&self, value: &mut T) -> Result<Loaded<()>> {
        self.load_into_with(value, &Options::new())
    }

    /// As [`load_into`](SaveFile::load_into), with options.
    pub fn load_into_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        options: &Options<'_>,
    ) -> Result<Loaded<()>> {
        self.newest(T::SHAPE, options, |format, body| format.load_into_with(value, body, options))
    }
}
