//! `archive::Format` with fewer static paths, so that a test compiles its types fewer times. Most of the time that
//! the tests take is in functions that are compiled for each type, each format and each entry point.
//!
//! A test picks one by what its `main.rs` calls `common`:
//!
//! | `common` | compiled for each type |
//! |---|---|
//! | `tests/common/mod.rs` | every built-in format (`Format::all`), and once on trait objects (`Format::of`) |
//! | [`two`] | JSON and binary, and once on trait objects |
//! | [`erased`] | once, on trait objects |
//!
//! `serde-formats/tests/built_in` runs the tests that take `two` or `erased` here over `tests/common/mod.rs`.

macro_rules! formats_of {
    ($(#[$doc:meta])* mod $module:ident { $($name:ident = $F:ty),* }) => {
        $(#[$doc])*
        #[allow(unused_imports)] // each test file uses its part
        pub mod $module {
            use std::fmt;
            use std::io::{Read, Write};

            use archive::backend::{AnyBackend, erase, take_all};
            use archive::{
                Backend, Blank, Element, Error, Options, Report, Result, Save, Serialize, Source,
            };

            pub use super::super::{Erased, damage, everything, text};
            use super::super::{self as shared, InFormat};

            /// A format, by how it is called.
            #[derive(Clone, Copy)]
            pub enum Format {
                $($name,)*
                Any(&'static dyn AnyBackend),
            }

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

            /// Formats are the same if their names are.
            impl PartialEq for Format {
                fn eq(&self, other: &Self) -> bool {
                    self.name() == other.name()
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
            #[allow(clippy::wrong_self_convention)] // the names of `archive::Format`
            impl Format {
                pub fn of<F: Backend>() -> Format {
                    Format::Any(erase::<F>())
                }
                pub fn name(&self) -> &'static str {
                    match self {
                        $(Format::$name => <$F>::NAME,)*
                        Format::Any(any) => any.name(),
                    }
                }
                /// The same, for what does not compile it for a type.
                pub fn plain(self) -> archive::Format {
                    archive::Format::Custom(match self {
                        $(Format::$name => erase::<$F>(),)*
                        Format::Any(any) => any,
                    })
                }
                pub fn to_vec<S: Source>(&self, value: S) -> Result<Vec<u8>> {
                    self.to_vec_with(value, &Options::new())
                }
                pub fn to_vec_with<S: Source>(
                    &self,
                    value: S,
                    options: &Options<'_>,
                ) -> Result<Vec<u8>> {
                    match self {
                        $(Format::$name => <$F>::to_vec_with(value, options),)*
                        Format::Any(any) => any.to_vec_with(value, options),
                    }
                }
                pub fn to_writer_with<S: Source>(
                    &self,
                    mut writer: impl Write,
                    value: S,
                    options: &Options<'_>,
                ) -> Result {
                    let sink = &mut |bytes: &[u8]| writer.write_all(bytes).map_err(Error::io);
                    match self {
                        $(Format::$name => <$F>::to_sink(value, sink, options),)*
                        Format::Any(any) => any.to_sink(value, sink, options),
                    }
                }
                pub fn from_slice<T: Element>(&self, input: &[u8]) -> Result<T> {
                    self.from_slice_with(input, &Options::new())
                }
                pub fn from_slice_with<T: Element>(
                    &self,
                    input: &[u8],
                    options: &Options<'_>,
                ) -> Result<T> {
                    match self {
                        $(Format::$name => <$F>::from_slice_with(input, options),)*
                        Format::Any(any) => any.from_slice_with(input, options),
                    }
                }
                pub fn from_slice_report<T: Element>(&self, input: &[u8]) -> Result<(T, Report)> {
                    self.from_slice_report_with(input, &Options::new())
                }
                pub fn from_slice_report_with<T: Element>(
                    &self,
                    input: &[u8],
                    options: &Options<'_>,
                ) -> Result<(T, Report)> {
                    match self {
                        $(Format::$name => <$F>::from_slice_report(input, options),)*
                        Format::Any(any) => any.from_slice_report(input, options),
                    }
                }
                pub fn from_reader_report<T: Element>(
                    &self,
                    reader: impl Read,
                ) -> Result<(T, Report)> {
                    self.from_reader_report_with(reader, &Options::new())
                }
                pub fn from_reader_report_with<T: Element>(
                    &self,
                    mut reader: impl Read,
                    options: &Options<'_>,
                ) -> Result<(T, Report)> {
                    let feed = &mut |room: &mut [u8]| reader.read(room).map_err(Error::io);
                    match self {
                        $(Format::$name => <$F>::from_feed_report(feed, options),)*
                        Format::Any(any) => any.from_slice_report(&take_all(feed)?, options),
                    }
                }
                pub fn load_into<T: Serialize + ?Sized>(
                    &self,
                    value: &mut T,
                    input: &[u8],
                ) -> Result {
                    self.load_into_with(value, input, &Options::new())
                }
                pub fn load_into_with<T: Serialize + ?Sized>(
                    &self,
                    value: &mut T,
                    input: &[u8],
                    options: &Options<'_>,
                ) -> Result {
                    match self {
                        $(Format::$name => <$F>::load_into(value, input, options),)*
                        Format::Any(any) => any.load_into(value, input, options),
                    }
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
                    match self {
                        $(Format::$name => <$F>::load_into_report(value, input, options),)*
                        Format::Any(any) => any.load_into_report(value, input, options),
                    }
                }
            }

            /// As [`shared::formats`], each once in each way.
            pub fn formats() -> Vec<Format> {
                let exact = shared::exact().into_iter();
                let exact = exact.map(|format| Format::Any(shared::any(format)));
                forgiving().into_iter().chain(exact).collect()
            }
            /// As [`shared::forgiving`], each once in each way.
            pub fn forgiving() -> Vec<Format> {
                let erased = shared::each_once().into_iter();
                let erased = erased.map(|format| Format::Any(shared::any(format)));
                erased.chain([$(Format::$name),*]).collect()
            }
            pub fn forgives(format: Format) -> bool {
                shared::forgives(format.plain())
            }
            pub fn has_position(format: Format, error: &Error) -> bool {
                shared::has_position(format.plain(), error)
            }
            pub fn goes_on(format: Format) -> bool {
                shared::goes_on(format.plain())
            }
            pub fn tells_types(format: Format) -> bool {
                shared::tells_types(format.plain())
            }
            pub fn keeps_unknown(format: Format) -> bool {
                shared::keeps_unknown(format.plain())
            }

            /// As [`shared::round_trip`].
            pub fn round_trip<T>(value: &T)
            where
                T: Serialize + Save + Blank + PartialEq + fmt::Debug,
            {
                round_trip_with(value, &Options::new());
            }

            /// As [`shared::round_trip_with`].
            pub fn round_trip_with<T>(value: &T, options: &Options<'_>)
            where
                T: Serialize + Save + Blank + PartialEq + fmt::Debug,
            {
                shared::round_trip_in(&formats(), value, options);
            }
        }
    };
}

formats_of! {
    /// All formats behind trait objects.
    mod erased {}
}
#[cfg(all(feature = "json", feature = "binary"))]
formats_of! {
    /// JSON and binary by their names in the source as well.
    mod two { Json = archive::json::Json, Binary = archive::binary::Binary }
}
