//! Writes the tables at the end of a file.

use crate::intern::TypeTable;
use crate::layouts::Layouts;
use crate::names::{NameId, Names};
use crate::objects::{ConcreteTypes, Pointee, PointeeType};
use crate::types::{Type, TypeId};
use crate::varint::{put_i64, put_u64};

/// The contents of the tables.
pub(crate) struct Contents<'t> {
    /// The number of bytes of the file that are no longer in memory.
    pub(crate) written: u64,
    /// The end of the root's data in the bytes that are in memory.
    pub(crate) root_end: usize,
    /// The root's type.
    pub(crate) root: TypeId,
    /// The types and all names.
    pub(crate) types: &'t TypeTable,
    /// The classes of hand-written functions.
    pub(crate) layouts: &'t Layouts,
    /// The types of objects.
    pub(crate) pointee_types: &'t ConcreteTypes,
    /// The objects, sorted by id.
    pub(crate) pointees: &'t [Pointee],
    /// The highest id of an object.
    pub(crate) last_object: u64,
}

/// Appends the tables.
pub(crate) fn put_tables(out: &mut Vec<u8>, contents: &Contents<'_>) {
    put_u64(out, contents.written + contents.root_end as u64);
    put_names(out, &contents.types.names);
    put_types(out, contents.types.types(), put_name, put_name);
    put_id(out, contents.root);
    put_pointees(out, contents, contents.pointee_types.list(), 0);
}

/// Appends tables with the facts that do not follow from the root's type. The data begins at
/// `start`.
pub(crate) fn put_residual(out: &mut Vec<u8>, contents: &Contents<'_>, start: usize) {
    let all = &contents.types.names;
    let mut names = Names::default();
    let mut again = |name: &NameId| names.intern(all.get(*name));
    let types = contents.types.residual().iter();
    let types: Vec<_> = types.map(|described| described.map(&mut again, |id| *id)).collect();
    let pointee_types = contents.pointee_types.list().iter();
    let pointee_types: Vec<_> = pointee_types
        .map(|pointee| PointeeType {
            name: pointee.name.as_ref().map(&mut again),
            kind: pointee.kind,
        })
        .collect();
    put_names(out, &names);
    put_types(out, &types, put_name, put_name);
    put_pointees(out, contents, &pointee_types, start);
}

/// Returns whether the file contains any facts that do not follow from the root's type.
pub(crate) fn needs_residual(contents: &Contents<'_>, data_end: usize) -> bool {
    contents.root_end != data_end
        || contents.last_object > 0
        || !contents.layouts.classes().is_empty()
        || !contents.pointee_types.list().is_empty()
}

pub(crate) fn put_names(out: &mut Vec<u8>, names: &Names) {
    put_len(out, names.texts().len());
    names.texts().iter().for_each(|name| put_text(out, name));
}

/// Appends the layouts and the objects, which come after the types. Offsets of objects count from
/// `start`.
fn put_pointees(
    out: &mut Vec<u8>,
    contents: &Contents<'_>,
    pointee_types: &[PointeeType<NameId>],
    start: usize,
) {
    put_len(out, contents.layouts.classes().len());
    for class in contents.layouts.classes() {
        put_id(out, *class);
    }
    put_len(out, pointee_types.len());
    for concrete in pointee_types {
        put_u64(out, concrete.name.map_or(0, |name| u64::from(name.0) + 1));
        put_id(out, concrete.kind);
    }
    put_objects(out, contents.pointees, contents.last_object, start);
}

/// Appends types, with `name` for the names of members and variants and `title` for those of
/// classes and enums.
pub(crate) fn put_types<N>(
    out: &mut Vec<u8>,
    types: &[Type<N, TypeId>],
    name: impl Fn(&mut Vec<u8>, &N),
    title: impl Fn(&mut Vec<u8>, &N),
) {
    put_len(out, types.len());
    for described in types {
        put_type(out, described, &name, &title);
    }
}

fn put_type<N>(
    out: &mut Vec<u8>,
    described: &Type<N, TypeId>,
    put_name: impl Fn(&mut Vec<u8>, &N),
    put_title: impl Fn(&mut Vec<u8>, &N),
) {
    out.push(code(described));
    match described {
        Type::Seq(part) | Type::Map(part) | Type::Option(part) | Type::Pointer(part) => {
            put_id(out, *part);
        }
        Type::Array(item, len) => {
            put_id(out, *item);
            put_u64(out, *len);
        }
        Type::Tuple(items) => {
            put_len(out, items.len());
            for item in items {
                put_id(out, *item);
            }
        }
        Type::Class { name, version, members } => {
            put_title(out, name);
            put_u64(out, (*version).into());
            put_len(out, members.len());
            for (name, kind) in members {
                put_name(out, name);
                put_id(out, *kind);
            }
        }
        Type::Enum { name, variants } => {
            put_title(out, name);
            put_len(out, variants.len());
            for (name, payload) in variants {
                put_name(out, name);
                put_u64(out, payload.map_or(0, |kind| u64::from(kind.0) + 1));
            }
        }
    }
}

/// Returns the number that identifies the kind of a type in the table.
pub(crate) fn code<N, T>(described: &Type<N, T>) -> u8 {
    match described {
        Type::Seq(_) => 1,
        Type::Array(..) => 2,
        Type::Tuple(_) => 3,
        Type::Map(_) => 4,
        Type::Option(_) => 5,
        Type::Class { .. } => 6,
        Type::Enum { .. } => 7,
        Type::Pointer(_) => 8,
    }
}

/// Appends for each object its type, counted from 1, and its distance from the previous object. A
/// run of ids without stored objects is written as 0 and its length.
pub(crate) fn put_objects(out: &mut Vec<u8>, pointees: &[Pointee], last: u64, start: usize) {
    put_u64(out, last);
    // Most entries take three or four bytes. Reserves exactly, since a full vector would double.
    out.reserve_exact(4 * pointees.len());
    let (mut id, mut at) = (0, start as i64);
    for pointee in pointees {
        put_gap(out, pointee.id - id - 1);
        put_u64(out, u64::from(pointee.concrete) + 1);
        put_i64(out, pointee.at as i64 - at);
        (id, at) = (pointee.id, pointee.at as i64);
    }
    put_gap(out, last - id);
}

fn put_gap(out: &mut Vec<u8>, ids: u64) {
    if ids > 0 {
        out.push(0);
        put_u64(out, ids);
    }
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    put_u64(out, len as u64);
}

pub(crate) fn put_name(out: &mut Vec<u8>, name: &NameId) {
    put_u64(out, name.0.into());
}

/// Appends a text.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_len(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Appends the number of a type.
pub(crate) fn put_id(out: &mut Vec<u8>, id: TypeId) {
    put_u64(out, id.0.into());
}
