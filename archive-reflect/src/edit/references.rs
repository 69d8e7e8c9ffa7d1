//! References in a [`Content`] to objects that the content does not have.

use std::collections::BTreeSet;

use archive_core::bridge::{Mention, mention};
use archive_core::path::Path;
use archive_core::{Error, ErrorKind, Options, Polymorphic, Result, Value, reserved};

use super::Content;
use crate::look::at;
use crate::tree;

/// The ids in a tree.
#[derive(Default)]
struct Ids {
    /// The ids of objects in the tree.
    stored: BTreeSet<u64>,
    mentioned: BTreeSet<u64>,
    /// Whether two objects have the same id, because the trees come from two files.
    twice: bool,
}

impl Ids {
    /// Does not recurse.
    fn of(tree: &Value) -> Ids {
        let (mut ids, mut open) = (Ids::default(), vec![tree]);
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(members) => {
                    if let Some((id, kind)) = mention(members) {
                        ids.mentioned.insert(id);
                        ids.twice |= kind == Mention::Stored && !ids.stored.insert(id);
                    }
                    open.extend(members.iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
        ids
    }

    fn absent(&self) -> impl Iterator<Item = u64> {
        self.mentioned.difference(&self.stored).copied()
    }
}

/// Returns the content for a place. If the content refers to an id without having the object, the
/// object with that id in the place is added. So a tree that [`get`](crate::get) returned can be
/// set at the same place, with its weak pointers, and with its references to objects of other
/// trees.
///
/// # Errors
/// [`ErrorKind::BadPointer`] if the content refers to an object that neither has, and errors of the
/// value in the place.
pub(super) fn resolved(
    root: &dyn Polymorphic,
    path: &Path,
    content: &Content,
    options: &Options<'_>,
) -> Result<Content> {
    let mut content = content.clone();
    let ids = Ids::of(&content.tree);
    let absent: BTreeSet<u64> = ids.absent().collect();
    if content.same_ids || content.is_live() || absent.is_empty() && !ids.twice {
        return Ok(content);
    }
    at(root, path, options, &mut |visit| {
        let place = tree::save_with_weak(visit, options)?;
        let ids = Ids::of(&place.tree);
        if place.same_ids && absent.is_subset(&ids.mentioned) {
            content.same_ids = true;
            return Ok(());
        }
        let absent_there: BTreeSet<u64> = ids.absent().collect();
        let is_known = |id| absent.contains(&id) && absent_there.contains(&id);
        content.links.add_all(&place.weak, 0, is_known);
        check_complete(&content)
    })?;
    Ok(content)
}

/// Checks that the content has all objects to which it refers.
///
/// # Errors
/// [`ErrorKind::BadPointer`] if one is missing.
pub(super) fn check_complete(content: &Content) -> Result {
    let has = |id: &u64| content.same_ids || content.links.has(*id);
    Ids::of(&content.tree).absent().find(|id| !has(id)).map_or(Ok(()), |id| Err(no_object(id)))
}

/// Returns the tree of a content for a place within the outer content, which gets the objects of
/// the first one. Their new ids are greater than the ids in the outer content.
///
/// # Errors
/// [`ErrorKind::BadPointer`] if the content refers to an object that neither has.
pub(super) fn joined(outer: &mut Content, content: &Content) -> Result<Value> {
    let mut tree = content.tree.clone();
    let by = outer.links.last_id();
    let ids = Ids::of(&tree);
    // Without objects of the program, all references are those of trees, whose ids are kept.
    let known = if by == 0 { Ids::of(&outer.tree).mentioned } else { BTreeSet::new() };
    let has = |id: &u64| content.links.has(*id) || known.contains(id);
    if let Some(id) = ids.absent().find(|id| !has(id)) {
        return Err(no_object(id));
    }
    if by > 0 {
        shift(&mut tree, by);
    }
    outer.links.add_all(&content.links, by, |_| true);
    Ok(tree)
}

/// Adds a number to the ids in a tree. Does not recurse.
fn shift(tree: &mut Value, by: u64) {
    let mut open = vec![tree];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let mention = mention(members);
                for (name, value) in members {
                    match mention {
                        Some((id, kind)) if *name == name_of(kind) => {
                            *value = Value::from(id.saturating_add(by));
                        }
                        _ => open.push(value),
                    }
                }
            }
            _ => {}
        }
    }
}

fn name_of(kind: Mention) -> &'static str {
    if kind == Mention::Weak { reserved::WEAK } else { reserved::ID }
}

#[cold]
fn no_object(id: u64) -> Error {
    let message = format_args!("the content refers to object {id}, which it does not contain");
    Error::new(ErrorKind::BadPointer, message)
}
