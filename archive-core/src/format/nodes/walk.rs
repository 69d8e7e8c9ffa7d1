//! Walks over nodes that are not read. None of them recurses.

use super::{Content, Inside, Nodes};
use crate::format::decoder::Kind;
use crate::model::error::{Error, Result};
use crate::model::mark::Mark;
use crate::model::reserved;

/// Returns whether a node is an object whose first member has one of these names.
pub(super) fn begins_with<T: Nodes + ?Sized>(
    tree: &T,
    node: T::Node,
    names: &[&str],
) -> Result<bool> {
    let Some(Inside::Members(rest)) = tree.inside(node)? else { return Ok(false) };
    let first = tree.next_name(&rest)?;
    Ok(first.is_some_and(|first| names.iter().any(|name| name.as_bytes() == first)))
}

impl<R> Inside<R> {
    /// Moves past the next node.
    fn next<T: Nodes<Rest = R> + ?Sized>(&mut self, tree: &T) -> Result<Option<T::Node>> {
        match self {
            Inside::Items(rest, _) => tree.next_item(rest),
            Inside::Members(rest) => tree.next_member(rest),
        }
    }
}

/// A container some of whose nodes were not walked over yet.
struct Open<T: Nodes + ?Sized> {
    node: T::Node,
    inside: Inside<T::Rest>,
    /// Whether the first member has the name of a pointer's member; `None` before the first member.
    pointer: Option<bool>,
    id: Option<u64>,
    has_value: bool,
}

impl<T: Nodes + ?Sized> Open<T> {
    /// Notes what a member says of the pointer that the object may be.
    fn note(&mut self, tree: &T, member: T::Node) {
        let is = |known: &str| tree.name(member) == known.as_bytes();
        if *self.pointer.get_or_insert_with(|| reserved::POINTER.iter().any(|known| is(known))) {
            self.has_value |= is(reserved::VALUE);
            if is(reserved::ID) {
                self.id = match tree.content(member) {
                    Ok(Content::Number(number)) => number.to_integer().ok(),
                    _ => None,
                };
            }
        }
    }
}

/// Calls `found` with the id and the mark of each pointer that has a pointee.
///
/// # Errors
/// If a value is malformed, or deeper than the limit.
pub(super) fn find_pointees<T: Nodes + ?Sized>(
    tree: &T,
    root: T::Node,
    limit: usize,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    let mut open: Vec<Open<T>> = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(node) = next
            && let Some(inside) = tree.inside(node)?
        {
            if open.len() >= limit {
                return Err(Error::too_nested(limit).at(tree.position(node)));
            }
            open.push(Open { node, inside, pointer: None, id: None, has_value: false });
        }
        let Some(top) = open.last_mut() else { return Ok(()) };
        next = top.inside.next(tree)?;
        match next {
            Some(member) if matches!(top.inside, Inside::Members(_)) => top.note(tree, member),
            Some(_) => {}
            None => {
                if let Some(Open { node, id: Some(id), has_value: true, .. }) = open.pop() {
                    let (offset, state) = tree.mark(node);
                    found(id, Mark { offset, state, depth: open.len() as u32 });
                }
            }
        }
    }
}

/// Checks that a skipped value, which has `around` levels around it, nests no deeper than the limit
/// for values that are read. Malformed parts of it are ignored.
///
/// # Errors
/// If it nests deeper.
pub(super) fn check_depth<T: Nodes + ?Sized>(
    tree: &T,
    node: T::Node,
    around: usize,
    limit: usize,
) -> Result {
    if limit == usize::MAX {
        return Ok(());
    }
    let room = limit.saturating_sub(around);
    let mut open = Vec::new();
    let mut next = Some(node);
    loop {
        if let Some(node) = next {
            let inside = tree.inside(node).unwrap_or_default();
            if open.len() >= room && (inside.is_some() || tree.kind(node).ok() == Some(Kind::Seq)) {
                return Err(Error::too_nested(limit).at(tree.position(node)));
            }
            open.extend(inside);
        }
        let Some(top) = open.last_mut() else { return Ok(()) };
        next = top.next(tree).unwrap_or_default();
        if next.is_none() {
            open.pop();
        }
    }
}
