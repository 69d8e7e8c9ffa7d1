//! [`Document`]: a file that is changed and saved again without the program's types.

mod rewrite;
pub(crate) mod scalar;

use archive_core::{Backend as _, Options, Result, Value};

use crate::Blob;
use rewrite::Rewrite;

/// An ObjectBlob file that can be changed and saved again without the program's types. Files of the
/// original program are such files too.
///
/// ```
/// use archive::blob::{self, Document};
///
/// #[derive(Default, PartialEq, Debug, archive::Serialize)]
/// struct Unit { name: String, hp: u16, orders: Vec<String> }
///
/// let file = blob::to_vec(&Unit { name: "Ann".into(), hp: 70, orders: vec!["wait".into()] })?;
///
/// let mut document = Document::from_slice(&file)?;
/// document.value["hp"] = 100.into();
/// document.value["orders"][0] = "attack".into();
/// let changed: Unit = blob::from_slice(&document.to_vec()?)?;
/// assert_eq!(changed, Unit { name: "Ann".into(), hp: 100, orders: vec!["attack".into()] });
///
/// document.value["hp"] = 70_000.into();
/// let error = document.to_vec().unwrap_err();
/// assert_eq!(error.to_string(), "hp: 70000 does not fit u16");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # What stays
///
/// An unchanged document is the file, byte for byte. A value that is changed keeps the type that it has in
/// the file: `int`, `u16`, an array of `float`. The sizes of all blobs around it are written anew, and
/// every other byte stays. Data of unknown types, marks, and duplicates that no program reads stay as well.
///
/// # What is refused
///
/// A value that does not fit its type: a number that is too large, text where a number is. Null may become
/// anything, since the file does not say what else it may be, and nothing else may become null.
/// A member or an item that is new is saved as a [`Value`] is; then integers have no width but the one that
/// they need, so a program loads them by conversion.
#[derive(Clone, Debug)]
pub struct Document {
    /// The root, which may be changed freely.
    pub value: Value,
    original: Value,
    file: Vec<u8>,
}

impl Document {
    /// Loads a file.
    ///
    /// # Errors
    /// As in every load: if the file is not of this format, is damaged, or exceeds a limit.
    pub fn from_slice(file: &[u8]) -> Result<Self> {
        Document::from_slice_with(file, &Options::new())
    }

    /// As [`from_slice`](Document::from_slice), with options.
    ///
    /// # Errors
    /// As [`from_slice`](Document::from_slice).
    pub fn from_slice_with(file: &[u8], options: &Options<'_>) -> Result<Self> {
        let value: Value = Blob::from_slice_with(file, options)?;
        Ok(Document { original: value.clone(), value, file: file.to_vec() })
    }

    /// Saves the value with the types of the file.
    ///
    /// # Errors
    /// If a value does not fit its type. The error has the path of the value.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        Rewrite::new(&self.file).file(&self.original, &self.value)
    }
}
