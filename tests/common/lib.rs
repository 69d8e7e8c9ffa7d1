//! The shared helpers of all tests. A new built-in format joins through `Format::all`.
//!
//! Types are compiled once, on trait objects ([`erased`]), as in the debug builds of programs. With
//! the feature `static-formats` they are compiled for each format: `.ci/run` builds `tests/formats`
//! like that.

// There, `Format` is that of the library.
#![cfg_attr(feature = "static-formats", allow(clippy::useless_conversion))]
#![allow(missing_docs)] // helpers of tests; their names say what they do

pub mod columns;
pub mod damage;
pub mod documents;
pub mod dumps;
pub mod erased;
pub mod everything;
pub mod histories;
pub mod keys;
pub mod pieces;
pub mod pinned;
pub mod random;
pub mod search;
pub mod serde_formats;
pub mod serde_join;
pub mod tree;
pub mod uncounted;

use std::cell::Cell;
use std::fmt::{Debug, Display};

#[cfg(feature = "static-formats")]
pub use archive::Format;
use archive::format::{Backend, Source};
use archive::tool::Body;
use archive::{Archive, Blank, Element, Options, Report, Result, Save, Serialize, binary, bins};
#[cfg(not(feature = "static-formats"))]
pub use erased::Format;

/// Runs a load with options that ask for a report.
pub fn reported<T>(
    options: &Options<'_>,
    load: impl FnOnce(&Options<'_>) -> Result<T>,
) -> Result<(T, Report)> {
    let report = Cell::default();
    let loaded = load(&options.clone().report(&report))?;
    Ok((loaded, report.take()))
}

/// As [`reported`], for a load into a value.
pub fn report_of(
    options: &Options<'_>,
    load: impl FnOnce(&Options<'_>) -> Result,
) -> Result<Report> {
    Ok(reported(options, load)?.1)
}

/// Every format of [`forgiving`] and of [`exact`].
pub fn formats() -> Vec<Format> {
    [forgiving(), exact()].concat()
}

/// The formats that load only the type that was saved.
pub fn exact() -> Vec<Format> {
    vec![Format::of::<binary::fingerprint::Fingerprint>(), Format::of::<binary::bare::Bare>()]
}

/// Whether the format loads types that have changed, and any file as a tree.
pub fn forgives(format: impl Into<archive::Format>) -> bool {
    !exact().contains(&Format::from(format.into()))
}

/// The formats that load types that have changed, and any file as a tree. Where types are compiled for each
/// format, these are also here as trait objects.
pub fn forgiving() -> Vec<Format> {
    let mut formats = each_once();
    if cfg!(feature = "static-formats") {
        formats.extend(
            archive::Format::all()
                .map(|format| Format::from(archive::Format::Custom(format.erased()))),
        );
    }
    formats
}

/// The formats that load types that have changed, each once.
pub fn each_once() -> Vec<Format> {
    let built_in = archive::Format::all().map(Format::from);
    built_in.chain([Format::of::<bins::Bins>(), Format::of::<columns::AllColumns>()]).collect()
}

/// The formats as those of the library.
pub fn of_library(
    formats: impl IntoIterator<Item = Format>,
) -> impl Iterator<Item = archive::Format> {
    formats.into_iter().map(archive::Format::from)
}

/// A function over formats that are named in the source: as the format of a writer and a reader.
pub trait EachBackend {
    fn visit<F: Backend<Output: AsRef<[u8]>>>(&mut self);
}

/// Every built-in format, named in the source.
pub fn each_backend(visitor: &mut impl EachBackend) {
    visitor.visit::<archive::json::Json>();
    visitor.visit::<archive::binary::Binary>();
    visitor.visit::<archive::blob::Blob>();
    visitor.visit::<archive::msgpack::MessagePack>();
}

/// Whether an error in an input has its position, as it must.
pub fn has_position(_: Format, error: &archive::Error) -> bool {
    error.position().is_some()
}

/// Whether a load continues after errors under `keep_going`.
pub fn keeps_going(_: Format) -> bool {
    true
}

/// Whether errors that a report keeps have their positions.
pub fn keeps_positions(_: Format) -> bool {
    true
}

/// How many objects there are in a long chain.
pub const LONG: u32 = 100_000;

/// Whether an error has the same position in every way of loading.
pub fn places_agree(_: Format) -> bool {
    true
}

/// The number of values that may be open for each level of the depth limit.
pub fn open_for_each_level() -> u64 {
    3
}

/// Whether an error names the type of a value that has the wrong one.
pub fn names_wrong_types(_: Format) -> bool {
    true
}

/// Whether objects of unknown types can be kept.
pub fn keeps_unknown(_: Format) -> bool {
    true
}

/// Whether a tree distinguishes floats of four bytes from those of eight if the format does.
pub fn distinguishes_f32(_: Format) -> bool {
    true
}

/// Whether a list reserves the space that the input announces for it, within the limits.
pub fn takes_announced(format: Format, reserve: usize) -> bool {
    // A block exists before the vector does, so nothing is trusted.
    ["binary", "columns", "msgpack"].contains(&format.name())
        || reserve > 100 && ["blob", "bins"].contains(&format.name())
}

/// A value whose members are visited through [`Archive::erased`].
pub struct Erased<'a, T>(pub &'a mut T);

impl<T: Serialize> Serialize for Erased<'_, T> {
    const SHAPE: &'static archive::shape::Shape = T::SHAPE;
    const NULLABLE: bool = T::NULLABLE;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.0.saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.serialize(&mut ar.erased())
    }
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.value(&mut ar.erased())
    }
}

/// A value that is saved through [`Archive::erased`], by reference.
pub struct SavedErased<'a, T>(pub &'a T);

impl<T: Save> Source for SavedErased<'_, T> {
    fn shape(&self) -> &'static archive::shape::Shape {
        T::SHAPE
    }
}

impl<T: Save> Body for SavedErased<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.run(&mut ar.erased())
    }
}

/// Saves and loads a value in each format with every kind of save and load. Checks that the loaded value is equal and
/// has the same bytes.
pub fn round_trip<T>(value: &T)
where
    T: Serialize + Save + Blank + PartialEq + Debug,
{
    round_trip_with(value, &Options::new());
}

/// As [`round_trip`], with options.
pub fn round_trip_with<T>(value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + Debug,
{
    round_trip_in(&formats(), value, options);
}

/// A format chosen at run time.
pub trait InFormat: Copy + Display {
    fn save<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>>;
    fn load<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T>;
    fn load_over<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result;
}

impl InFormat for archive::Format {
    fn save<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        self.to_vec_with(value, options)
    }
    fn load<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        self.from_slice_with(input, options)
    }
    fn load_over<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result {
        self.load_into_with(value, input, options)
    }
}

impl InFormat for erased::Format {
    fn save<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        self.to_vec_with(value, options)
    }
    fn load<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        self.from_slice_with(input, options)
    }
    fn load_over<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result {
        self.load_into_with(value, input, options)
    }
}

/// The value in these formats, by value, over others, and through `erased`.
pub fn round_trip_in<T>(formats: &[impl InFormat], value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + Debug,
{
    for format in formats {
        let fail = |error| -> ! { panic!("{format}: {error} for {value:?}") };
        let bytes = format.save(value, options).unwrap_or_else(|e| fail(e));

        // By value.
        let mut loaded: T = format.load(&bytes, options).unwrap_or_else(|e| fail(e));
        assert_eq!(&loaded, value, "{format}: {}", text(&bytes));

        // Saved through `&mut`.
        let again = format.save(&mut loaded, options).unwrap_or_else(|e| fail(e));
        assert_eq!(text(&again), text(&bytes), "{format}: saved through &mut");

        // Into an existing value: a blank one, and the one just loaded.
        let mut existing = T::blank(options);
        format.load_over(&mut existing, &bytes, options).unwrap_or_else(|e| fail(e));
        assert_eq!(&existing, value, "{format}: into a blank value");
        format.load_over(&mut existing, &bytes, options).unwrap_or_else(|e| fail(e));
        assert_eq!(&existing, value, "{format}: into an existing value");

        // Through `erased`, as all others if types are compiled once.
        #[cfg(feature = "static-formats")]
        {
            let erased = format.save(&mut Erased(&mut loaded), options);
            let erased = erased.unwrap_or_else(|e| fail(e));
            assert_eq!(text(&erased), text(&bytes), "{format}: saved through erased()");
            let mut blank = T::blank(options);
            let into = format.load_over(&mut Erased(&mut blank), &bytes, options);
            into.unwrap_or_else(|e| fail(e));
            assert_eq!(&blank, value, "{format}: loaded through erased()");
        }
    }
}

/// The format named in the source, as a member of a writer and a reader.
pub fn static_use<F: Backend, T>(value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + Debug,
{
    let mut writer = archive::format::Writer::<F>::with(options);
    writer.save("first", value).unwrap();
    writer.save("second", value).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = archive::format::Reader::<F>::with(&file, options).unwrap();
    let (mut first, mut second) = (T::blank(options), T::blank(options));
    reader.serialize("second", &mut second).unwrap();
    reader.serialize("first", &mut first).unwrap();
    reader.finish().unwrap();
    assert_eq!((&first, &second), (value, value), "{}: as named roots", F::NAME);
}

/// Bytes as text where they are text, for messages.
pub fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => text.to_owned(),
        _ => format!("{bytes:02x?}"),
    }
}
