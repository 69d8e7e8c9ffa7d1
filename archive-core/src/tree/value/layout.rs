//! A [`Value`] as a flat list: the values in the order of the tree, each followed by the values
//! inside it.
//!
//! Positions are therefore numbers, skipping a value is one step, and no depth needs any stack. An
//! owned tree is moved into the list; the list refers to a borrowed one.

use std::borrow::Cow;
use std::{slice, vec};

use super::Value;
use crate::model::number::Number;

/// One value of a tree.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// The name of the value, if it is a member.
    pub(super) name: Cow<'a, str>,
    pub(super) content: Content<'a>,
    /// The index after all values inside this one.
    pub(super) end: usize,
}

/// The content of a value, without the values inside it.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Str(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Array(usize),
    Object,
}

/// Lists the nodes of a tree. There is at least one.
pub(super) fn lay_out(root: Cow<'_, Value>) -> Vec<Node<'_>> {
    // An owned tree exists only for this list, so the memory of both counts; an exact capacity
    // keeps it small.
    let known = if let Cow::Owned(tree) = &root { count(tree) } else { 0 };
    let mut nodes = Vec::with_capacity(known);
    let mut open: Vec<(usize, Children<'_>)> = Vec::new();
    let mut next = Some((Cow::Borrowed(""), root));
    loop {
        if let Some((name, value)) = next {
            let (content, children) = split(value);
            if let Some(children) = children {
                open.push((nodes.len(), children));
            }
            nodes.push(Node { name, content, end: nodes.len() + 1 });
        } else if let Some((parent, _)) = open.pop() {
            nodes[parent].end = nodes.len();
        }
        match open.last_mut() {
            Some((_, children)) => next = children.next(),
            None => return nodes,
        }
    }
}

/// Returns the number of values in a tree.
fn count(tree: &Value) -> usize {
    let (mut open, mut count) = (vec![tree], 0);
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.iter().map(|(_, member)| member)),
            _ => {}
        }
    }
    count
}

/// Returns the indices of the values in an array or object, from `first` to the end.
pub(super) fn siblings<'n>(
    nodes: &'n [Node<'_>],
    first: usize,
    end: usize,
) -> impl Iterator<Item = usize> + 'n {
    let following = |at: &usize| nodes.get(*at).map(|node| node.end);
    std::iter::successors(Some(first), following).take_while(move |at| *at < end)
}

fn split(value: Cow<'_, Value>) -> (Content<'_>, Option<Children<'_>>) {
    let content = match value {
        Cow::Borrowed(Value::Null) | Cow::Owned(Value::Null) => Content::Null,
        Cow::Borrowed(&Value::Bool(v)) | Cow::Owned(Value::Bool(v)) => Content::Bool(v),
        Cow::Borrowed(&Value::Number(v)) | Cow::Owned(Value::Number(v)) => Content::Number(v),
        Cow::Borrowed(Value::Str(v)) => Content::Str(Cow::Borrowed(v)),
        Cow::Owned(Value::Str(v)) => Content::Str(Cow::Owned(v)),
        Cow::Borrowed(Value::Bytes(v)) => Content::Bytes(Cow::Borrowed(v)),
        Cow::Owned(Value::Bytes(v)) => Content::Bytes(Cow::Owned(v)),
        Cow::Borrowed(Value::Array(items)) => {
            return (Content::Array(items.len()), Some(Children::Items(items.iter())));
        }
        Cow::Owned(Value::Array(items)) => {
            return (Content::Array(items.len()), Some(Children::OwnItems(items.into_iter())));
        }
        Cow::Borrowed(Value::Object(members)) => {
            return (Content::Object, Some(Children::Members(members.iter())));
        }
        Cow::Owned(Value::Object(members)) => {
            return (Content::Object, Some(Children::OwnMembers(members.into_iter())));
        }
    };
    (content, None)
}

/// The remaining values inside another one.
enum Children<'a> {
    Items(slice::Iter<'a, Value>),
    Members(slice::Iter<'a, (String, Value)>),
    OwnItems(vec::IntoIter<Value>),
    OwnMembers(vec::IntoIter<(String, Value)>),
}

impl<'a> Iterator for Children<'a> {
    type Item = (Cow<'a, str>, Cow<'a, Value>);

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self {
            Children::Items(items) => (Cow::Borrowed(""), Cow::Borrowed(items.next()?)),
            Children::OwnItems(items) => (Cow::Borrowed(""), Cow::Owned(items.next()?)),
            Children::Members(members) => {
                let (name, value) = members.next()?;
                (Cow::Borrowed(name), Cow::Borrowed(value))
            }
            Children::OwnMembers(members) => {
                let (name, value) = members.next()?;
                (Cow::Owned(name), Cow::Owned(value))
            }
        })
    }
}
