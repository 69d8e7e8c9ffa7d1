//! The ways in which a file is created and loaded.

use archive::format::AnyBackend;
use archive::{Element, Options, Report, Result, Save, Value, bins};

use crate::common::tree::Tree;
use crate::common::{Format, SavedErased, forgiving};

/// A format, and how its file is created: saved by the program, or converted without the program's
/// types.
#[derive(Clone, Copy)]
pub struct Way {
    format: Format,
    converted: bool,
}

impl Way {
    pub fn all() -> Vec<Way> {
        let mut formats = forgiving();
        formats.push(Format::of::<Tree>());
        let ways = |converted| formats.iter().map(move |format| Way { format: *format, converted });
        ways(false).chain(ways(true)).collect()
    }

    pub fn name(&self) -> String {
        format!("{}{}", self.format.name(), if self.converted { ", converted" } else { "" })
    }

    /// Whether files have the signature of the type that was saved.
    pub fn reports_layout(&self) -> bool {
        !self.converted && self.format == Format::of::<bins::Bins>()
    }

    /// The format as a trait object. Its files are the same, and it is compiled once for a type.
    fn any(&self) -> &'static dyn AnyBackend {
        self.format.erased()
    }

    /// The file of a value.
    pub fn save<T: Save>(&self, value: &T, options: &Options<'_>) -> Vec<u8> {
        let saved = if self.converted {
            let tree = Value::of_with(SavedErased(value), options).unwrap();
            self.any().to_vec_with(&tree, options)
        } else {
            self.any().to_vec_with(value, options)
        };
        saved.unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    /// Loads with the format itself, compiled for the type if it is built in.
    pub fn load<T: Element>(&self, file: &[u8], options: &Options<'_>) -> Result<(T, Report)> {
        self.format.from_slice_report(file, options)
    }

    /// As `load`, always through a trait object: for the larger values.
    pub fn load_any<T: Element>(&self, file: &[u8], options: &Options<'_>) -> Result<(T, Report)> {
        self.any().from_slice_report(file, options)
    }
}
