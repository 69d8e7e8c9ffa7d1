//! Pointers in trees: finds them, and fetches objects that are stored elsewhere in the file.

use super::Value;
use crate::model::error::Result;
use crate::model::head::not_stored;
use crate::model::reserved;
use crate::visit::archive::Archive;
use crate::visit::body::{Body, Nothing};
use crate::visit::session::Mention;

/// Returns whether an object is a pointer if its first member has that name.
#[inline]
pub fn is_pointer_name(name: &str) -> bool {
    name.as_bytes().first() == Some(&b'$') && reserved::POINTER.contains(&name)
}

/// Returns the object to which these members refer, if they are those of a tracked pointer.
#[inline]
pub fn mention(members: &[(String, Value)]) -> Option<(u64, Mention)> {
    let (first, _) = members.first()?;
    if is_pointer_name(first) { tracked(members) } else { None }
}

#[cold]
fn tracked(members: &[(String, Value)]) -> Option<(u64, Mention)> {
    let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let id = |value: &Value| value.as_u64().filter(|id| *id != 0);
    if let Some(weak) = member(reserved::WEAK) {
        return id(weak).map(|id| (id, Mention::Weak));
    }
    let kind = if member(reserved::VALUE).is_some() { Mention::Stored } else { Mention::Strong };
    id(member(reserved::ID)?).map(|id| (id, kind))
}

/// Collects the ids of the objects that are stored in a tree. Does not recurse, because the tree
/// may be too deep to be saved.
pub(super) fn stored(tree: &Value, found: &mut Vec<u64>) {
    if !matches!(tree, Value::Array(_) | Value::Object(_)) {
        return;
    }
    let mut open = vec![tree];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let Some((id, Mention::Stored)) = mention(members) {
                    found.push(id);
                }
                open.extend(members.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
}

/// Adds to a loaded tree all objects to which it refers and that no tree contains yet.
pub(super) fn complete<A: Archive>(tree: &mut Value, ar: &mut A) -> Result {
    adopt(tree, false, ar)?;
    look_for(tree, ar)
}

/// Like [`complete`], for trees that were loaded one after the other. An object remains where it
/// is, even if an earlier tree refers to it.
pub(crate) fn complete_members<A: Archive>(members: &mut [(String, Value)], ar: &mut A) -> Result {
    for (name, tree) in &mut *members {
        adopt(tree, false, ar).map_err(|error| error.in_member(name))?;
    }
    members
        .iter_mut()
        .try_for_each(|(name, tree)| look_for(tree, ar).map_err(|error| error.in_member(name)))
}

/// Records the objects in a tree, and removes those that a tree already contains: the data around
/// them may be copied, or be loaded twice, for a known pointer and as part of a tree. Returns
/// whether the tree is itself such an object and now only refers to it.
fn adopt<A: Archive>(tree: &mut Value, copy: bool, ar: &mut A) -> Result<bool> {
    let members = match tree {
        Value::Object(members) => members,
        Value::Array(items) => {
            for item in items {
                adopt(item, copy, ar)?;
            }
            return Ok(false);
        }
        _ => return Ok(false),
    };
    let mut is_stored = false;
    if let Some((id, _)) = mention(members) {
        let (session, options) = ar.parts_mut();
        session.loaded.mention(id, options)?;
    }
    if let Some((id, Mention::Stored)) = mention(members) {
        let trees = &mut ar.session_mut().trees;
        if !trees.insert_pointee(id) && (copy || !trees.whole) {
            if !copy {
                // Returns an error if the object is stored twice in the file.
                ar.load_pointee(id, &mut Nothing)?;
            }
            members.retain(|(name, value)| {
                let kept = name == reserved::ID;
                if !kept {
                    ar.session_mut().let_go(size(value));
                }
                kept
            });
            return Ok(true);
        }
        is_stored = true;
    }
    for (name, value) in members {
        match value {
            // This list contains only objects.
            Value::Array(objects) if is_stored && name == reserved::DEFERRED => {
                let mut kept = Vec::new();
                for mut object in std::mem::take(objects) {
                    if !adopt(&mut object, copy, ar)? {
                        kept.push(object);
                    }
                }
                *objects = kept;
            }
            _ => {
                adopt(value, copy, ar)?;
            }
        }
    }
    Ok(false)
}

/// Fetches the missing objects in a tree, up to the outermost tracked pointers. Each object is put
/// in the place of the first reference to it.
fn look_for<A: Archive>(tree: &mut Value, ar: &mut A) -> Result {
    let mention = match tree {
        Value::Object(members) => mention(members),
        _ => None,
    };
    if let Some((id, Mention::Strong)) = mention
        && let Some(object) = fetch(id, ar)?
    {
        *tree = object;
        return complete_pointer(tree, ar);
    }
    match (mention, tree) {
        (Some((_, Mention::Stored)), tree) => complete_pointer(tree, ar),
        (_, Value::Array(items)) => items.iter_mut().try_for_each(|item| look_for(item, ar)),
        (_, Value::Object(members)) => {
            members.iter_mut().try_for_each(|(_, value)| look_for(value, ar))
        }
        _ => Ok(()),
    }
}

/// Fetches the missing objects in an outermost pointer. They are put into a list at its end, like
/// objects that were too deep when they were saved.
fn complete_pointer<A: Archive>(pointer: &mut Value, ar: &mut A) -> Result {
    let mut waiting = Vec::new();
    collect(pointer, &mut waiting, ar)?;
    let mut next = 0;
    while next < waiting.len() {
        let mut object = std::mem::take(&mut waiting[next]);
        collect(&mut object, &mut waiting, ar)?;
        waiting[next] = object;
        next += 1;
    }
    if let (Value::Object(members), false) = (pointer, waiting.is_empty()) {
        match members.iter_mut().find(|(name, _)| name == reserved::DEFERRED) {
            Some((_, Value::Array(objects))) => objects.append(&mut waiting),
            _ => members.push((reserved::DEFERRED.to_owned(), Value::Array(waiting))),
        }
    }
    Ok(())
}

/// Fetches the missing objects and puts them into `waiting`.
fn collect<A: Archive>(tree: &mut Value, waiting: &mut Vec<Value>, ar: &mut A) -> Result {
    match tree {
        Value::Array(items) => items.iter_mut().try_for_each(|item| collect(item, waiting, ar)),
        Value::Object(members) => {
            if let Some((id, Mention::Strong)) = mention(members)
                && let Some(mut object) = fetch(id, ar)?
            {
                members.retain(|(name, _)| name == reserved::ID);
                if let Value::Object(fetched) = &mut object {
                    let type_name = fetched.iter().find(|(name, _)| name == reserved::TYPE);
                    members.extend(type_name.cloned());
                    let more = fetched.iter().position(|(name, _)| name == reserved::DEFERRED);
                    if let Some((_, Value::Array(more))) = more.map(|at| fetched.remove(at)) {
                        waiting.push(object);
                        waiting.extend(more);
                    } else {
                        waiting.push(object);
                    }
                }
                members.push((reserved::LATER.to_owned(), Value::Bool(true)));
                return Ok(());
            }
            members.iter_mut().try_for_each(|(_, value)| collect(value, waiting, ar))
        }
        _ => Ok(()),
    }
}

/// Returns the number of bytes that were counted for a loaded tree.
fn size(tree: &Value) -> usize {
    match tree {
        Value::Array(items) => {
            items.capacity() * size_of::<Value>() + items.iter().map(size).sum::<usize>()
        }
        Value::Object(members) => {
            let inner = |(name, value): &(String, Value)| name.capacity() + size(value);
            let places = members.capacity() * size_of::<(String, Value)>();
            places + members.iter().map(inner).sum::<usize>()
        }
        scalar => scalar.own_size(),
    }
}

/// Returns a copy of the pointer with which an object is stored, unless a tree already contains the
/// object.
fn fetch<A: Archive>(id: u64, ar: &mut A) -> Result<Option<Value>> {
    if ar.session().trees.has_pointee(id) {
        return Ok(None);
    }
    let mut object = Value::Null;
    ar.session_mut().trees.fetching = true;
    let found = ar.load_pointee(id, &mut Copy(&mut object));
    ar.session_mut().trees.fetching = false;
    let found = found?;
    let is_it = matches!(&object, Value::Object(members) if mention(members) == Some((id, Mention::Stored)));
    if found && is_it {
        adopt(&mut object, true, ar)?;
        return Ok(Some(object));
    }
    ar.session_mut().let_go(size(&object));
    // A file whose root is a tree is loaded unchanged.
    if ar.session().trees.whole { Ok(None) } else { Err(not_stored(id)) }
}

struct Copy<'a>(&'a mut Value);

impl Body for Copy<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.load_any(self.0)
    }
}
