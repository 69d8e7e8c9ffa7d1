//! [`merge`]: changes only the members that a tree names.

use archive_core::path::{Path, Step};
use archive_core::{Options, Polymorphic, Result, Value};

use super::{Change, Edit, apply};
use crate::look::{self, Kind};

/// Changes only the members that the tree names. For prefabs: the prefab is a value, and the
/// overrides of an instance are a tree. Returns the edit that undoes the changes.
///
/// An object in the tree is merged with the value at its place: with the members of a struct, the
/// payload of the same variant, the entries of a map, and the object in a pointer, a box or an
/// option. New entries are added to a map. An array in the tree is merged item by item, and a list
/// gets the length of the array. A set gets the elements of the array. Everything else replaces the
/// old value.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use archive::{Options, Serialize, json, reflect};
///
/// #[derive(Default, Serialize)]
/// struct Unit { hp: u16, speed: f32, #[archive(as_object)] items: BTreeMap<String, u8> }
///
/// let mut unit = Unit { hp: 10, speed: 2.0, items: [("potion".to_owned(), 1)].into() };
/// let overrides = json::from_str(r#"{"hp":25,"items":{"rope":1}}"#)?;
/// reflect::merge(&mut unit, &overrides, &Options::new())?;
/// assert_eq!(json::to_string(&unit)?, r#"{"hp":25,"speed":2.0,"items":{"potion":1,"rope":1}}"#);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// As [`apply`]; nothing is changed then.
pub fn merge(root: &mut dyn Polymorphic, tree: &Value, options: &Options<'_>) -> Result<Edit> {
    let mut edit = Edit::new();
    collect(root, &mut Path::new(), tree, options, &mut edit)?;
    apply(root, &edit, options)
}

/// Adds the changes of the place at the path.
fn collect(
    root: &dyn Polymorphic,
    path: &mut Path,
    tree: &Value,
    options: &Options<'_>,
    edit: &mut Edit,
) -> Result {
    match tree {
        Value::Object(members) if !is_reference(members) => {
            object(root, path, members, tree, options, edit)
        }
        Value::Array(items) => array(root, path, items, tree, options, edit),
        _ => set(path, tree, edit),
    }
}

fn set(path: &Path, tree: &Value, edit: &mut Edit) -> Result {
    edit.0.push(Change::Set(path.clone(), tree.clone().into()));
    Ok(())
}

/// Returns whether an object of a tree is a pointer.
fn is_reference(members: &[(String, Value)]) -> bool {
    members.first().is_some_and(|(name, _)| name.starts_with('$') && !name.starts_with("$$"))
}

fn object(
    root: &dyn Polymorphic,
    path: &mut Path,
    members: &[(String, Value)],
    tree: &Value,
    options: &Options<'_>,
    edit: &mut Edit,
) -> Result {
    let (kind, steps) = look::steps(root, path, options)?;
    let has = |name: &str| steps.contains(&Step::from(name));
    let is_merged = match kind {
        Kind::Object | Kind::Map | Kind::Tree => true,
        Kind::Variant => members.len() == 1 && has(&members[0].0),
        Kind::Null | Kind::Scalar | Kind::Seq | Kind::Set => false,
    };
    if !is_merged {
        return set(path, tree, edit);
    }
    for (name, member) in members {
        path.push(name.as_str());
        let done = if matches!(kind, Kind::Map | Kind::Tree) && !has(name) {
            edit.0.push(Change::Insert(path.clone(), member.clone().into()));
            Ok(())
        } else {
            collect(root, path, member, options, edit)
        };
        path.pop();
        done?;
    }
    Ok(())
}

fn array(
    root: &dyn Polymorphic,
    path: &mut Path,
    items: &[Value],
    tree: &Value,
    options: &Options<'_>,
    edit: &mut Edit,
) -> Result {
    let (kind, steps) = look::steps(root, path, options)?;
    if kind != Kind::Seq || items.len() != steps.len() {
        return set(path, tree, edit);
    }
    for (index, item) in items.iter().enumerate() {
        path.push(index);
        let done = collect(root, path, item, options, edit);
        path.pop();
        done?;
    }
    Ok(())
}
