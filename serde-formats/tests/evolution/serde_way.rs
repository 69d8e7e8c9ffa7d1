//! The ways in which a file is created and loaded.

use archive::format::AnyBackend;
use archive::{Element, Format, Options, Report, Result, Save, Value};

/// A format, and how its file is created: saved by the program, or converted without the program's
/// types.
#[derive(Clone, Copy)]
pub struct Way {
    format: Format,
    converted: bool,
}

impl Way {
    pub fn all() -> Vec<Way> {
        let formats = crate::common::forgiving();
        let ways = |converted| formats.iter().map(move |format| Way { format: *format, converted });
        ways(false).chain(ways(true)).collect()
    }

    pub fn name(&self) -> String {
        format!("{}{}", self.format.name(), if self.converted { ", converted" } else { "" })
    }

    /// Whether files have the signature of the type that was saved.
    pub fn reports_layout(&self) -> bool {
        false
    }

    fn any(&self) -> &'static dyn AnyBackend {
        match self.format {
            Format::Custom(any) => any,
            other => panic!("{other} is not a format of serde"),
        }
    }

    /// The file of a value.
    pub fn save<T: Save>(&self, value: &T, options: &Options<'_>) -> Vec<u8> {
        let saved = if self.converted {
            let tree = Value::of_with(value, options).unwrap();
            self.any().to_vec_with(&tree, options)
        } else {
            self.any().to_vec_with(value, options)
        };
        saved.unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    pub fn load<T: Element>(&self, file: &[u8], options: &Options<'_>) -> Result<(T, Report)> {
        self.any().from_slice_report(file, options)
    }

    pub fn load_any<T: Element>(&self, file: &[u8], options: &Options<'_>) -> Result<(T, Report)> {
        self.load(file, options)
    }
}
