//! [`Format`]: a serde format as the tests want it. `archive::Format` would compile every type for the
//! built-in formats as well.

use std::fmt;
use std::io::Read;

use archive::backend::AnyBackend;
use archive::{Backend, Blank, Element, Error, Options, Report, Result, Save, Serialize, Source};

use crate::shared::{self, InFormat, serde_formats as joined};

/// A format behind a trait object.
#[derive(Clone, Copy)]
pub struct Format(&'static dyn AnyBackend);

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl InFormat for Format {
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

/// The entry points of [`archive::Format`], by their names there.
#[allow(clippy::wrong_self_convention)] // `from_slice(&self)`, as there: the bodies call these names
impl Format {
    pub fn of<F: Backend>() -> Format {
        Format(archive::backend::erase::<F>())
    }
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
    pub fn to_vec<S: Source>(&self, value: S) -> Result<Vec<u8>> {
        self.to_vec_with(value, &Options::new())
    }
    pub fn to_vec_with<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        self.0.to_vec_with(value, options)
    }
    pub fn to_writer_with<S: Source>(
        &self,
        mut writer: Vec<u8>,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        let mut sink = |bytes: &[u8]| {
            writer.extend_from_slice(bytes);
            Ok(())
        };
        self.0.to_sink(value, &mut sink, options)
    }
    pub fn from_slice<T: Element>(&self, input: &[u8]) -> Result<T> {
        self.from_slice_with(input, &Options::new())
    }
    pub fn from_slice_with<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        self.0.from_slice_with(input, options)
    }
    pub fn from_slice_report<T: Element>(&self, input: &[u8]) -> Result<(T, Report)> {
        self.from_slice_report_with(input, &Options::new())
    }
    pub fn from_slice_report_with<T: Element>(
        &self,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        self.0.from_slice_report(input, options)
    }
    pub fn from_reader_report<T: Element>(&self, reader: impl Read) -> Result<(T, Report)> {
        unwrapped(*self).from_reader_report(reader)
    }
    pub fn from_reader_report_with<T: Element>(
        &self,
        reader: impl Read,
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        unwrapped(*self).from_reader_report_with(reader, options)
    }
    pub fn load_into<T: Serialize + ?Sized>(&self, value: &mut T, input: &[u8]) -> Result {
        self.load_into_with(value, input, &Options::new())
    }
    pub fn load_into_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result {
        self.0.load_into(value, input, options)
    }
    pub fn load_into_report<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
    ) -> Result<Report> {
        self.load_into_report_with(value, input, &Options::new())
    }
    pub fn load_into_report_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<Report> {
        self.0.load_into_report(value, input, options)
    }
}

/// As [`shared::LONG`]: far more than a stack has room for, in formats that are slow without optimization.
pub const LONG: u32 = 20_000;

fn wrapped(formats: Vec<archive::Format>) -> Vec<Format> {
    let custom = |format| match format {
        archive::Format::Custom(any) => Format(any),
        other => panic!("{other} is no format of serde"),
    };
    formats.into_iter().map(custom).collect()
}

fn unwrapped(format: Format) -> archive::Format {
    archive::Format::Custom(format.0)
}

pub fn formats() -> Vec<Format> {
    wrapped(joined::serde_formats())
}
pub fn forgiving() -> Vec<Format> {
    wrapped(joined::serde_forgiving())
}
pub fn each_once() -> Vec<Format> {
    forgiving()
}
pub fn forgives(format: Format) -> bool {
    joined::finds_names(unwrapped(format))
}
pub fn has_position(format: Format, error: &Error) -> bool {
    joined::has_position(unwrapped(format), error)
}
pub fn goes_on(format: Format) -> bool {
    joined::goes_on(unwrapped(format))
}
pub fn keeps_unknown(format: Format) -> bool {
    joined::keeps_unknown(unwrapped(format))
}
pub fn places_agree(format: Format) -> bool {
    joined::places_agree(unwrapped(format))
}
pub fn tells_types(format: Format) -> bool {
    joined::tells_types(unwrapped(format))
}
pub fn tells_f32(format: Format) -> bool {
    joined::tells_f32(unwrapped(format))
}

/// As [`shared::round_trip`], in the serde formats.
pub fn round_trip<T>(value: &T)
where
    T: Serialize + Save + Blank + PartialEq + fmt::Debug,
{
    round_trip_with(value, &Options::new());
}

/// As [`shared::round_trip_with`], in the serde formats.
pub fn round_trip_with<T>(value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + fmt::Debug,
{
    shared::round_trip_in(&formats(), value, options);
}
