//! [`Document`]: a file that is changed and saved again without the program's types.
// Why: docs/decisions/edits-and-conversions.md#a-document-keeps-its-original

mod patch;
mod shapes;

pub use patch::Patch;
pub(crate) use shapes::check as check_types;

use std::sync::Arc;

use archive_core::{Backend as _, Options, Result, Value};
use archive_document::{InShape, Marked, Shapes};

use crate::Binary;
use crate::container;
use crate::read_tables::Tables;
use crate::types::TypeId;

/// A file of the binary format that can be changed and saved again without the program's types: the
/// file describes its types itself. Unchanged parts are saved unchanged.
///
/// ```
/// use archive::binary::{self, Document};
///
/// #[derive(Default, PartialEq, Debug, archive::Serialize)]
/// struct Unit { name: String, hp: u16, at: [f32; 2] }
///
/// let file = binary::to_vec(&vec![Unit { name: "Ann".into(), hp: 70, at: [1.0, 2.5] }])?;
///
/// let mut document = Document::from_slice(&file)?;
/// assert_eq!(document.value[0]["name"].as_str(), Some("Ann"));
/// document.value[0]["hp"] = 100.into();
/// document.value[0]["at"][1] = 0.5.into();
/// let changed = document.to_vec()?;
///
/// let units: Vec<Unit> = binary::from_slice(&changed)?;
/// assert_eq!(units, [Unit { name: "Ann".into(), hp: 100, at: [1.0, 0.5] }]);
///
/// document.value[0]["hp"] = "much".into();
/// let error = document.to_vec().unwrap_err();
/// assert_eq!(error.to_string(), "[0].hp: expected u16, found \"much\"");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # The guarantee
///
/// [`to_vec`](Document::to_vec) returns an error with the path of the wrong value, or a file that
/// every program can load that could load the original. Unchanged parts keep their values. If
/// nothing was changed in a file that a program saved, the result is that file, byte for byte.
///
/// # Changes that are refused
///
/// The value is a [`Value`] tree and must fit the types of the file: a class has exactly its
/// members, an enum one of its variants, a map no key twice, and only an option may be null. The
/// file does not describe everything that the program requires, so a document also refuses changes
/// for which the original has no example:
/// - A shared object has an `$id`, a number that no other object has. A new object may have any
///   unused number; it gets the next id that the file does not have. All other objects keep their
///   ids.
/// - A reference may refer only to an object of a type to which references at the same place in the
///   file refer, and a trait object must have a `$type` that trait objects at the same place have.
///   The same place means the same member of the same class in any of its objects.
/// - A new cycle of strong references is refused, unless the file has a cycle of objects of that
///   type.
/// - An object of a hand-written function must have the members of an object at the same place in
///   the file, in that order. A changed object keeps its types. The types of a new object are known
///   if all objects with its members have the same types; otherwise its values must fit all of
///   these types.
///
/// The checks of the program itself are not in the file: a value is saved even if a function of the
/// program would refuse it (`after_load`, a hand-written function, a type such as `NonZero`).
///
/// A file with columns is saved with columns, and one with an older version of the format in the
/// current version. A document keeps the original, which takes as much memory as the value.
///
/// The types of a file are kept in memory until the program ends, once for all files that have the
/// same types.
#[derive(Clone, Debug)]
#[cfg(feature = "document")] // for the documentation of `archive`
pub struct Document {
    /// The root, which may be changed freely.
    pub value: Value,
    shapes: Arc<Shapes>,
    has_columns: bool,
}

impl Document {
    /// Loads a file.
    ///
    /// # Errors
    /// An error if the file is not of this format, is damaged, or exceeds a limit. The types of the
    /// file may not nest deeper than 768 levels.
    pub fn from_slice(file: &[u8]) -> Result<Self> {
        Document::from_slice_with(file, &Options::new())
    }

    /// Like [`from_slice`](Document::from_slice), with options.
    pub fn from_slice_with(file: &[u8], options: &Options<'_>) -> Result<Self> {
        // A file that loads has valid tables.
        let original = Marked::load::<Binary>(file, options)?;
        let (data_end, end) = container::frame(file)?;
        let tables = Tables::read(file, data_end, end, options)?;
        shapes::check(&tables, file.len())?;
        let (value, has_columns) = (original.tree(), container::has_columns(file));
        Ok(Document { value, shapes: Arc::new(shapes_of(&tables, original)), has_columns })
    }

    /// Saves the value with the types of the file.
    ///
    /// # Errors
    /// An error if a value does not fit its type, or if a program that loads the original might
    /// refuse the file. The error has the path of the value.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_vec_with(&Options::new())
    }

    /// Like [`to_vec`](Document::to_vec), with options. Only their limits are used.
    pub fn to_vec_with(&self, options: &Options<'_>) -> Result<Vec<u8>> {
        let options = options.clone().columns(self.has_columns);
        Binary::to_vec_with(InShape::new(&self.value, self.shapes.clone()), &options)
    }
}

pub(crate) fn shapes_of(tables: &Tables<'_>, original: Marked) -> Shapes {
    let types = shapes::types_of(tables);
    let shape_of = |id| shapes::shape_of(types, id);
    let layout = |id: &TypeId| types.get(id.index()?)?.by_hand;
    Shapes {
        root: shape_of(tables.root),
        layouts: tables.layouts.iter().filter_map(layout).collect(),
        pointees: tables
            .pointee_types
            .iter()
            .map(|of| (of.name.map(String::from), shape_of(of.kind)))
            .collect(),
        objects: tables.objects.stored().map(|of| (of.id, of.concrete)).collect(),
        original,
    }
}
