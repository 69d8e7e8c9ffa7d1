//! `archive::Format` on trait objects alone, so that a test compiles each type once. Compiling a type for each format
//! and each entry point is most of the time that building the tests takes.

use std::fmt;
use std::io::{Read, Write};

use archive::format::{AnyBackend, Backend, Source, erase};
use archive::{Element, Error, Options, Report, Result, Serialize};

/// A format as a trait object.
#[derive(Clone, Copy)]
pub struct Format(pub &'static dyn AnyBackend);

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Formats are equal if their names are.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl From<archive::Format> for Format {
    fn from(format: archive::Format) -> Format {
        Format(format.erased())
    }
}

impl From<Format> for archive::Format {
    fn from(format: Format) -> archive::Format {
        archive::Format::Custom(format.0)
    }
}

/// The entry points of [`archive::Format`], by their names there.
#[allow(clippy::wrong_self_convention)] // the names of `archive::Format`
impl Format {
    pub fn of<F: Backend>() -> Format {
        Format(erase::<F>())
    }
    pub fn erased(&self) -> &'static dyn AnyBackend {
        self.0
    }
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
    pub fn to_vec<S: Source>(&self, value: S) -> Result<Vec<u8>> {
        self.0.to_vec_with(value, &Options::new())
    }
    pub fn to_vec_with<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        self.0.to_vec_with(value, options)
    }
    pub fn to_writer_with<S: Source>(
        &self,
        mut writer: impl Write,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        let sink = &mut |bytes: &[u8]| writer.write_all(bytes).map_err(Error::io);
        self.0.to_sink(value, sink, options)
    }
    pub fn from_slice<T: Element>(&self, input: &[u8]) -> Result<T> {
        self.0.from_slice_with(input, &Options::new())
    }
    pub fn from_slice_with<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        self.0.from_slice_with(input, options)
    }
    pub fn from_slice_report<T: Element>(
        &self,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        self.0.from_slice_report(input, options)
    }
    pub fn from_reader_with<T: Element>(
        &self,
        mut reader: impl Read,
        options: &Options<'_>,
    ) -> Result<T> {
        let feed = &mut |room: &mut [u8]| reader.read(room).map_err(Error::io);
        self.0.from_feed(feed, options)
    }
    pub fn load_into<T: Serialize + ?Sized>(&self, value: &mut T, input: &[u8]) -> Result {
        self.0.load_into(value, input, &Options::new())
    }
    pub fn load_into_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result {
        self.0.load_into(value, input, options)
    }
    pub fn writer(&self) -> archive::format::Writer<'static> {
        self.writer_with(&Options::new())
    }
    pub fn writer_with<'o>(&self, options: &Options<'o>) -> archive::format::Writer<'o> {
        archive::Format::from(*self).writer_with(options)
    }
    pub fn reader<'r>(
        &self,
        input: &'r (impl AsRef<[u8]> + ?Sized),
    ) -> Result<archive::format::Reader<'r, 'static>> {
        self.reader_with(input, &Options::new())
    }
    pub fn reader_with<'r, 'o>(
        &self,
        input: &'r (impl AsRef<[u8]> + ?Sized),
        options: &Options<'o>,
    ) -> Result<archive::format::Reader<'r, 'o>> {
        archive::Format::from(*self).reader_with(input, options)
    }
}
