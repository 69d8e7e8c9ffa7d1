//! [`list`] and [`children`]: rows of a table of properties.

use archive_core::path::Path;
use archive_core::shape::Facts;
use archive_core::{Options, Polymorphic, Result, Value};

use super::place::part_at;
use super::shared_path::SharedPath;
use super::visit::Leaf;
use super::walk::{Found, Levels, walk};
use crate::meta::{MemberMeta, Meta, Numbers, PropertyMeta};

/// One row of a table of properties.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The path from the root.
    pub path: SharedPath,
    /// The value; null if the row is the [same as](Row::same_as) another one, and for a part that has
    /// parts itself.
    pub value: Value,
    /// The place of the object to which a pointer refers, if the object has a row there.
    pub same_as: Option<SharedPath>,
    /// The type of the value.
    pub meta: Meta,
    /// The member, if the value is one. `None` for items and entries, and for members that a
    /// hand-written function visits.
    pub member: Option<MemberMeta>,
    /// The [property](PropertyMeta), if the value is computed.
    pub property: Option<PropertyMeta>,
    /// Whether tools show the part: not if it is `hidden`, and not if the function of `show_if` of it, or of a member on
    /// the path below the one that was listed, says so.
    pub is_shown: bool,
}

impl Row {
    fn new(found: Found<'_>, options: &Options<'_>) -> Row {
        let path = found.shared_path();
        let (value, same_as) = match found.leaf {
            Leaf::Value(value) => (value, None),
            Leaf::SameAs(place) => (Value::Null, Some(place.clone())),
            Leaf::Weak => (Value::Null, None),
        };
        let is_shown = found.is_shown;
        let (meta, member, property) = found.part.describe(options);
        let mut row = Row { path, value, same_as, meta, member, property, is_shown };
        row.is_shown &= !row.facts().hidden;
        row
    }

    /// Returns the numbers that the value may be, if it is a number.
    #[must_use]
    pub fn numbers(&self) -> Option<Numbers> {
        match (&self.property, &self.member) {
            (Some(property), _) => property.numbers(),
            (None, Some(member)) => member.numbers(),
            (None, None) => self.meta.numbers(),
        }
    }

    /// Returns the attributes of the member or of the property for people, or none for other parts.
    #[must_use]
    pub fn facts(&self) -> &'static Facts {
        let property = self.property.as_ref().map(PropertyMeta::facts);
        property.or(self.member.as_ref().map(MemberMeta::facts)).unwrap_or(Facts::PLAIN)
    }
}

/// Returns a row for every leaf of the value at the path: see [`visit`](super::visit).
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, Serialize, reflect};
///
/// #[derive(Default, Serialize)]
/// struct Unit {
///     name: String,
///     #[archive(unit = "m")]
///     position: [f32; 2],
/// }
///
/// let unit = Unit { name: "Ann".into(), position: [1.0, 2.5] };
/// let rows = reflect::list(&unit, &Path::new(), &Options::new())?;
/// let rows: Vec<_> = rows.iter().map(|row| format!("{}: {} = {}", row.path, row.meta.name(), row.value)).collect();
/// assert_eq!(rows, ["name: String = \"Ann\"", "position[0]: f32 = 1.0", "position[1]: f32 = 2.5"]);
/// # Ok::<(), archive::Error>(())
/// ```
pub fn list(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Vec<Row>> {
    rows(root, path, Levels::All, options)
}

/// Returns a row for each direct part of the value at the path: the members of an object, the items
/// of a list, the entries of a map, the variant of an enum. The row has the [value](Row::value) of
/// a part that has no parts itself. A value without parts has one row.
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, Serialize, reflect};
///
/// #[derive(Default, Serialize)]
/// struct Unit {
///     name: String,
///     #[archive(unit = "m")]
///     position: [f32; 2],
/// }
///
/// let units = vec![Unit::default()];
/// let rows = reflect::children(&units, &Path::parse("[0]")?, &Options::new())?;
/// assert_eq!((rows[0].path.to_string().as_str(), rows[0].value.as_str()), ("[0].name", Some("")));
/// assert_eq!((rows[1].path.to_string().as_str(), rows[1].value.is_null()), ("[0].position", true));
/// assert_eq!((rows[1].meta.name().as_str(), rows[1].facts().unit), ("[f32; 2]", "m"));
/// # Ok::<(), archive::Error>(())
/// ```
pub fn children(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Vec<Row>> {
    rows(root, path, Levels::One, options)
}

fn rows(
    root: &dyn Polymorphic,
    path: &Path,
    levels: Levels,
    options: &Options<'_>,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    part_at(root, path, options, &mut |part, unshown, value| {
        walk(value, (path, part, unshown), levels, options, &mut |found| {
            rows.push(Row::new(found, options));
            Ok(())
        })
        .map(drop)
    })?;
    Ok(rows)
}
