//! [`Document`]: a row that is changed without the program's types.

use std::sync::Arc;

use archive_core::{Backend as _, Options, Result, Value};
use archive_document::{InShape, Marked, Shapes};

use super::{RowTypes, Rows};
use crate::container::Profile;
use crate::document::{check_types, shapes_of};
use crate::read_tables::Tables;

/// A row that can be changed and saved again without the program's types: its [`RowTypes`] describe
/// it. Unchanged parts are saved unchanged. It refuses the same changes as
/// [`binary::Document`](crate::Document).
///
/// ```
/// use archive::binary::rows::{self, Document, RowTypes};
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let types = RowTypes::of::<Unit>()?;
/// let row = rows::to_vec(&Unit { name: "Ann".into(), hp: 7 })?;
/// let mut document = Document::from_slice(&row, &types)?;
/// assert_eq!(document.to_vec()?, row);
/// document.value["hp"] = 9.into();
/// assert_eq!(document.to_vec()?, rows::to_vec(&Unit { name: "Ann".into(), hp: 9 })?);
/// document.value["hp"] = 70_000.into();
/// assert!(document.to_vec().is_err());
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    /// The row, which may be changed freely.
    pub value: Value,
    shapes: Arc<Shapes>,
}

impl Document {
    /// Loads a row of these types.
    ///
    /// # Errors
    /// An error if the row is not of these types, is damaged, or exceeds a limit.
    pub fn from_slice(row: &[u8], types: &RowTypes) -> Result<Self> {
        Document::from_slice_with(row, types, &Options::new())
    }

    /// Like [`from_slice`](Document::from_slice), with options.
    pub fn from_slice_with(row: &[u8], types: &RowTypes, options: &Options<'_>) -> Result<Self> {
        let original = Marked::load::<Rows>(row, &options.clone().provide(types.clone()))?;
        let opened = Profile::Rows.open(row)?;
        let limit = options.settings().limits().pointers;
        let tables = Tables::implied(row, types.implied(), &opened, limit)?;
        check_types(&tables, row.len())?;
        Ok(Document { value: original.tree(), shapes: Arc::new(shapes_of(&tables, original)) })
    }

    /// Saves the row with its types.
    ///
    /// # Errors
    /// An error if a value does not fit its type, with the path of the value.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_vec_with(&Options::new())
    }

    /// Like [`to_vec`](Document::to_vec), with options. Only their limits are used.
    pub fn to_vec_with(&self, options: &Options<'_>) -> Result<Vec<u8>> {
        Rows::to_vec_with(InShape::new(&self.value, self.shapes.clone()), options)
    }
}
