//! [`Document`]: an ObjectBlob file that is changed and saved again without the program's types.

mod by_name;
mod rewrite;

use archive_core::{Options, Result, Value};
use archive_document::{Edited, Rewrite};

use crate::Blob;

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
/// # What is kept
///
/// An unchanged document is the file, byte for byte. A changed value keeps the type that it has in the
/// file, such as `int`, `u16` or an array of `float`. The sizes of the blobs that contain it are
/// corrected, and every other byte stays the same. This includes data of unknown types, marks, and
/// duplicates that no program reads.
///
/// # What is refused
///
/// A value that does not fit its type, such as a number that is too large, or text in place of a number.
/// A null can be replaced by any value, because the file does not state another type for it. No other
/// value can be replaced by null.
///
/// New members and items are saved like those of a [`Value`]: integers have the width that they need, and a
/// program converts them when it loads them.
#[cfg(feature = "document")] // for the documentation of `archive`
pub type Document = Edited<Blob>;

impl Rewrite for Blob {
    fn rewrite(file: &[u8], old: &Value, new: &Value, _: &Options<'_>) -> Result<Vec<u8>> {
        rewrite::Rewritten::new(file).file(old, new)
    }
}
