//! Walks over nodes without reading them. None of these functions recurses.

use super::{Content, Inside, Nodes};
use crate::format::decoder::{Kind, Pointees};
use crate::model::error::{Error, Result};
use crate::model::mark::Mark;

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

/// Calls `found` with the id and the mark of each pointer with which its object is stored.
///
/// # Errors
/// An error if a value is malformed, or deeper than the limit.
pub(super) fn find_pointees<T: Nodes + ?Sized>(
    tree: &T,
    root: T::Node,
    limit: usize,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    let (mut open, mut pointees) = (Vec::new(), Pointees::new(found));
    let mut next = Some(root);
    loop {
        if let Some(node) = next
            && let Some(inside) = tree.inside(node)?
        {
            if open.len() >= limit {
                return Err(Error::too_nested(limit).at(tree.position(node)));
            }
            let (offset, state) = tree.mark(node);
            pointees.open(offset, state);
            open.push(inside);
        }
        let Some(top) = open.last_mut() else { return Ok(()) };
        next = top.next(tree)?;
        match next {
            Some(member) if matches!(top, Inside::Members(_)) => {
                if pointees
                    .member(|names| names.iter().any(|other| tree.name(member) == other.as_bytes()))
                {
                    pointees.id(match tree.content(member) {
                        Ok(Content::Number(id)) => Some(id),
                        _ => None,
                    });
                }
            }
            Some(_) => {}
            None => {
                pointees.close();
                open.pop();
            }
        }
    }
}

/// Checks that a skipped value, with `around` levels around it, nests no deeper than the limit for
/// values that are read. Malformed parts of it are ignored.
///
/// # Errors
/// An error if it nests deeper.
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
