//! [`inspect`]: shows the contents of a file without the program that wrote it.

mod display;
mod spell;
mod stored;
mod types;

use std::fmt;

use archive_core::{Backend as _, Error, ErrorKind, Options, Result, Value};
use archive_describe::signature_of;

use crate::Binary;
use crate::container::{self, HEADER};
use crate::read_tables::Tables;
use spell::spell;
pub(crate) use stored::{StoredTypes, stored_types};
use types::FileTypes;

/// Limits for formatting types as text: this many names, letters and components for each byte of
/// the tables, and this many in addition.
const SPELLED: (u64, u64) = (64, 1 << 16);
/// The same limits for computing all signatures.
const SIGNED: (u64, u64) = (256, 1 << 24);

/// The contents of a file of the binary format, as returned by [`inspect`]. Displays as text for
/// people.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub struct Inspection<'a> {
    /// The classes and enums, in the order in which the file describes them.
    pub types: Vec<TypeInfo<'a>>,
    /// The type of the root: `Vec<Unit>`.
    pub root: String,
    /// The registered types whose objects are stored as trait objects.
    pub registered: Vec<RegisteredType<'a>>,
    /// The number of shared objects that are stored in the file.
    pub objects: usize,
    /// The size of the root's data and of the objects after it, in bytes.
    pub data_len: usize,
    /// The size of the tables, in bytes.
    pub tables_len: usize,
    /// The root as a tree. Shared objects appear as objects with `$id`, as in every [`Value`].
    pub value: Value,
}

/// The contents of the tables of a file of the binary format, as returned by [`inspect_types`].
/// Displays as text for people.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub struct TypesInfo<'a> {
    /// The version of the format of the file.
    pub format_version: u8,
    /// The classes and enums, in the order in which the file describes them.
    pub types: Vec<TypeInfo<'a>>,
    /// The type of the root: `Vec<Unit>`.
    pub root: String,
    /// The registered types whose objects are stored as trait objects.
    pub registered: Vec<RegisteredType<'a>>,
    /// The number of shared objects that are stored in the file.
    pub objects: usize,
    /// The size of the root's data and of the objects after it, in bytes.
    pub data_len: usize,
    /// The size of the tables, in bytes.
    pub tables_len: usize,
}

/// A class or an enum of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub struct TypeInfo<'a> {
    /// Its name without modules. If two types have the same name, the second is `Name#2`.
    pub name: String,
    /// Its members or variants.
    pub content: TypeContent<'a>,
    /// The value of [`archive::signature`](archive_describe::signature) for a program's type with
    /// this layout. `None` if the tables do not determine it, because the type contains an object
    /// of a hand-written function (`object`).
    pub signature: Option<u64>,
}

/// The members or variants of a [`TypeInfo`].
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub enum TypeContent<'a> {
    /// A class: members in the order in which they are stored.
    #[non_exhaustive]
    Class {
        /// The version in which the objects were saved.
        version: u32,
        /// The members.
        members: Vec<MemberInfo<'a>>,
        /// The number by which objects of a hand-written function refer to these members.
        layout: Option<usize>,
    },
    /// An enum.
    #[non_exhaustive]
    Enum {
        /// The variants in the order of their numbers.
        variants: Vec<VariantInfo<'a>>,
    },
}

/// A member of a class of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub struct MemberInfo<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type, as [`archive::describe`](archive_describe::describe) formats it: `Map<String,
    /// Option<Point>>`.
    pub ty: String,
}

/// A variant of an enum of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub struct VariantInfo<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its payload.
    pub payload: PayloadInfo<'a>,
}

/// The payload of a variant. A class with the name of the variant counts as the variant's own
/// members if it is used nowhere else, and a tuple counts as several values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub enum PayloadInfo<'a> {
    /// No payload.
    Unit,
    /// A value of this type, or several: `(Point)`, `(u32, f32)`.
    Values(String),
    /// Named members.
    Members(Vec<MemberInfo<'a>>),
}

/// A registered type whose objects are stored in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg(feature = "describe")] // for the documentation of `archive`
pub struct RegisteredType<'a> {
    /// The type id.
    pub id: &'a str,
    /// The type of the objects.
    pub ty: String,
}

/// Returns the contents of a file: its types, and the value as a tree. This needs no types of the
/// program, so any file of the format can be inspected: from another program, an older version, or
/// a crash report.
///
/// ```
/// use archive::binary;
///
/// #[derive(Default, archive::Serialize)]
/// struct Point { x: f32, y: f32 }
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { name: String, path: Vec<Option<Point>> }
///
/// let unit = Unit { name: "Ann".into(), path: vec![Some(Point { x: 1.0, y: 2.5 }), None] };
/// let file = binary::to_vec(&unit)?;
/// let inspection = binary::inspect(&file)?;
/// assert_eq!(inspection.types[0].signature, Some(archive::signature::<Unit>()));
/// assert_eq!(inspection.value.to_string(), r#"{"name":"Ann","path":[{"x":1.0,"y":2.5},null]}"#);
/// assert_eq!(inspection.to_string(), format!("\
/// binary, 89 bytes: 15 of data, 52 of tables; no shared objects
///
/// root: Unit
///
/// struct Unit  // signature {:016x}
///     name: String
///     path: Vec<Option<Point>>
///
/// struct Point  // signature {:016x}
///     x: f32
///     y: f32
///
/// {{
///     \"name\": \"Ann\",
///     \"path\": [
///         {{
///             \"x\": 1.0,
///             \"y\": 2.5
///         }},
///         null
///     ]
/// }}
/// ", archive::signature::<Unit>(), archive::signature::<Point>()));
/// # Ok::<(), archive::Error>(())
/// ```
///
/// Types are formatted as [`archive::describe`](archive_describe::describe) formats them. `object`
/// is an object of a hand-written function. The layout number of its class is stored with each
/// object.
///
/// # Errors
/// An error if the file is not of this format, is damaged, or exceeds a limit.
#[cfg(feature = "describe")] // for the documentation of `archive`
pub fn inspect(file: &[u8]) -> Result<Inspection<'_>> {
    inspect_with(file, &Options::new())
}

/// Like [`inspect`], with options. Only their limits are used.
#[cfg(feature = "describe")] // for the documentation of `archive`
pub fn inspect_with<'a>(file: &'a [u8], options: &Options<'_>) -> Result<Inspection<'a>> {
    let info = inspect_types_with(file, options)?;
    let TypesInfo { types, root, registered, objects, data_len, tables_len, .. } = info;
    let value = Binary::from_slice_with(file, options)?;
    Ok(Inspection { types, root, registered, objects, data_len, tables_len, value })
}

/// Returns the contents of the tables of a file, without reading the data: its types and sizes. The
/// memory depends only on the tables.
///
/// ```
/// use archive::binary;
///
/// #[derive(Clone, Default, archive::Serialize)]
/// struct Point { x: f32, y: f32 }
///
/// let file = binary::to_vec(&vec![Point::default(); 1000])?;
/// let types = binary::inspect_types(&file)?;
/// assert_eq!((&*types.root, types.data_len), ("Vec<Point>", 8002));
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// An error if the file is not of this format, or its tables are damaged or exceed a limit.
#[cfg(feature = "describe")] // for the documentation of `archive`
pub fn inspect_types(file: &[u8]) -> Result<TypesInfo<'_>> {
    inspect_types_with(file, &Options::new())
}

/// Like [`inspect_types`], with options. Only their limits are used.
#[cfg(feature = "describe")] // for the documentation of `archive`
pub fn inspect_types_with<'a>(file: &'a [u8], options: &Options<'_>) -> Result<TypesInfo<'a>> {
    let (data_end, end) = container::frame(file)?;
    let tables = Tables::read(file, data_end, end, options)?;
    let info = described(&tables, end - data_end)
        .map_err(|error| error.at(crate::cursor::offset(data_end)))?;
    Ok(TypesInfo { format_version: container::version(file), data_len: data_end - HEADER, ..info })
}

/// Returns the types of tables of that length.
pub(crate) fn described<'a>(tables: &Tables<'a>, len: usize) -> Result<TypesInfo<'a>> {
    let types = FileTypes::new(tables);
    let parts = |(each, besides): (u64, u64)| each * len as u64 + besides;
    types.allow(parts(SPELLED));
    let mut spelled = spell(tables, &types).map_err(|fmt::Error| {
        let message = "the type table exceeds its limit: names repeat";
        Error::new(ErrorKind::SizeLimit, message)
    })?;
    types.allow(parts(SIGNED));
    for (id, info) in types.named().zip(&mut spelled.types) {
        types.take_open();
        let signature = signature_of(&types, id).ok();
        info.signature = signature.filter(|_| !types.take_open());
    }
    Ok(TypesInfo {
        format_version: container::VERSION,
        types: spelled.types,
        root: spelled.root,
        registered: spelled.registered,
        objects: tables.objects.len(),
        data_len: 0,
        tables_len: len,
    })
}
