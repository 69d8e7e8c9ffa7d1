//! A [`Value`] laid out flat: every value in the order of the tree, what is inside it right after.
//!
//! So places are numbers, passing over a value is one step, and no depth needs any stack. A tree
//! that is owned is taken apart on the way, one that is borrowed is referred to.

use std::borrow::Cow;
use std::{slice, vec};

use super::Value;
use crate::decoder::Kind;
use crate::error::Found;
use crate::number::Number;
use crate::reserved;

/// One value of a tree.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// Its name, if it is a member.
    pub(super) name: Cow<'a, str>,
    pub(super) content: Content<'a>,
    /// The index after everything inside it.
    pub(super) end: usize,
}

/// What a value is, without what is inside it.
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

impl Content<'_> {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Content::Null => Kind::Null,
            Content::Bool(_) => Kind::Bool,
            Content::Number(_) => Kind::Number,
            Content::Str(_) => Kind::Str,
            Content::Bytes(_) => Kind::Bytes,
            Content::Array(_) => Kind::Seq,
            Content::Object => Kind::Object,
        }
    }
}

impl Content<'_> {
    /// What it is in messages.
    pub(super) fn found(&self) -> Found<'_> {
        match self {
            Content::Null => Found::Null,
            Content::Bool(value) => Found::Bool(*value),
            Content::Number(number) => Found::Number(*number),
            Content::Str(text) => Found::Text(text),
            Content::Bytes(bytes) => Found::Bytes(bytes.len()),
            Content::Array(_) => Found::Seq,
            Content::Object => Found::Object,
        }
    }
}

/// The nodes of a tree; there is at least one.
pub(super) fn lay_out(root: Cow<'_, Value>) -> Vec<Node<'_>> {
    // One that is owned is there only for this, so the memory that both take counts.
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

/// How many values a tree has.
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

/// The indices of the values from one that stands in an array or object to the end of that.
pub(super) fn siblings<'n>(
    nodes: &'n [Node<'_>],
    first: usize,
    end: usize,
) -> impl Iterator<Item = usize> + 'n {
    let following = |at: &usize| nodes.get(*at).map(|node| node.end);
    std::iter::successors(Some(first), following).take_while(move |at| *at < end)
}

/// Tells the id, the index and the depth of every pointer that has a body.
pub(super) fn bodies(nodes: &[Node<'_>], found: &mut dyn FnMut(u64, usize, usize)) {
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        while open.last().is_some_and(|end| *end <= at) {
            open.pop();
        }
        if let Some(id) = body(nodes, at) {
            found(id, at, open.len());
        }
        open.push(node.end);
    }
}

/// Whether the first member of the object there, if it is one, has one of these names.
pub(super) fn begins_with(nodes: &[Node<'_>], at: usize, names: &[&str]) -> bool {
    matches!(nodes[at].content, Content::Object)
        && nodes[at].end > at + 1
        && names.contains(&&*nodes[at + 1].name)
}

/// The id of the pointer that stands there, if it is one and has its body.
fn body(nodes: &[Node<'_>], at: usize) -> Option<u64> {
    if !begins_with(nodes, at, &reserved::POINTER) {
        return None;
    }
    let end = nodes[at].end;
    let member = |name| siblings(nodes, at + 1, end).find(|at| nodes[*at].name == name);
    member(reserved::VALUE)?;
    match nodes[member(reserved::ID)?].content {
        Content::Number(number) => number.to_integer().ok(),
        _ => None,
    }
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

/// What is left of the values inside another.
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
