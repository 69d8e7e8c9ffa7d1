//! A flat tree: a list of all members in order, each followed by its contents.
//!
//! Packing, unpacking and decoding all work on this, so none of them recurses. Names are numbers in
//! a list of distinct strings, so comparing them costs the same however long they are.

use std::collections::HashMap;

use archive_core::{Error, ErrorKind, Position, Result};

use crate::object::{Form, Member, Object, duplicate};
use crate::signature::ClassSignature;

/// A tree. The first node is the outermost object.
#[derive(Debug)]
pub(crate) struct Flat<'a> {
    pub(crate) strings: Vec<&'a str>,
    pub(crate) nodes: Vec<Node<'a>>,
    /// The signature of the saved class, if it is known.
    pub(crate) class_signature: Option<ClassSignature>,
    /// Whether the places of nodes are offsets in an input.
    pub(crate) placed: bool,
}

/// A variable or an object.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    /// The class that declares the variable; the class of the object.
    pub(crate) class: u32,
    pub(crate) name: u32,
    pub(crate) content: Content<'a>,
    /// The index after everything inside it.
    pub(crate) end: usize,
    /// The offset in the input.
    pub(crate) at: usize,
    /// The index in the tree as it was packed, in which bases have no objects of their own.
    pub(crate) packed: usize,
}

/// The content of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    /// An object with that number of members.
    Object(Form, usize),
    /// A variable: the name of its type, and its bytes.
    Variable(u32, &'a [u8]),
}

impl<'a> Flat<'a> {
    /// Flattens an object.
    pub(crate) fn of(root: &'a Object, deepest: usize) -> Result<Self> {
        let mut numbers = Numbers::default();
        let mut nodes = Vec::new();
        let mut open = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(object) = enter.take() {
                if open.len() >= deepest {
                    return Err(Error::too_nested(deepest));
                }
                open.push((nodes.len(), object.members.iter()));
                nodes.push(Node {
                    class: numbers.number(&object.class),
                    name: numbers.number(&object.name),
                    content: Content::Object(object.form, object.members.len()),
                    end: 0,
                    at: 0,
                    packed: nodes.len(),
                });
            }
            let Some((parent, members)) = open.last_mut() else { break };
            match members.next() {
                Some(Member::Variable(variable)) => nodes.push(Node {
                    class: numbers.number(&variable.class),
                    name: numbers.number(&variable.name),
                    content: Content::Variable(
                        numbers.number(&variable.type_name),
                        &variable.bytes,
                    ),
                    end: nodes.len() + 1,
                    at: 0,
                    packed: nodes.len(),
                }),
                Some(Member::Child(child)) => enter = Some(child),
                None => {
                    nodes[*parent].end = nodes.len();
                    open.pop();
                }
            }
        }
        let class_signature = root.class_signature;
        let flat = Flat { strings: numbers.strings, nodes, class_signature, placed: false };
        flat.check()?;
        Ok(flat)
    }

    pub(crate) fn text(&self, number: u32) -> &'a str {
        self.strings[number as usize]
    }

    pub(crate) fn position(&self, at: usize) -> Position {
        if self.placed { Position::Offset(at as u64) } else { Position::Unknown }
    }

    /// Adds the path of a node to an error. `open` are the objects that contain the node, the
    /// outermost first.
    #[cold]
    pub(crate) fn in_path(&self, mut error: Error, node: usize, open: &[usize]) -> Error {
        let mut inner = node;
        for outer in open.iter().rev() {
            error = match self.nodes[*outer].content {
                Content::Object(Form::List, _) => {
                    error.in_item(self.members(*outer).take_while(|item| *item != inner).count())
                }
                Content::Object(Form::Object, _) => {
                    error.in_member(self.text(self.nodes[inner].name))
                }
                _ => error,
            };
            inner = *outer;
        }
        error
    }

    /// Returns the members of the object at that index.
    pub(crate) fn members(&self, object: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[object].end;
        std::iter::successors(Some(object + 1), |at| self.nodes.get(*at).map(|node| node.end))
            .take_while(move |at| *at < end)
    }

    /// Checks that the members of each object fit its form.
    pub(crate) fn check(&self) -> Result {
        let mut seen = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Content::Object(form, _) = node.content else { continue };
            seen.clear();
            for member in self.members(at) {
                let other = &self.nodes[member];
                match (form, other.content) {
                    (_, Content::Object(Form::Value, _)) => {
                        return Err(
                            self.refuse(member, "contains a value but is not the outermost object")
                        );
                    }
                    (Form::Value, Content::Object(..)) => {
                        return Err(self.refuse(at, "contains an object in the place of a value"));
                    }
                    // A child counts as a member of the object's own class.
                    (Form::Object, Content::Object(..)) => {
                        seen.push((node.class, other.name, member));
                    }
                    (Form::Object, Content::Variable(..)) => {
                        seen.push((other.class, other.name, member));
                    }
                    _ if !self.text(other.name).is_empty() => {
                        return Err(self.refuse(member, "is an item but has a name"));
                    }
                    (_, Content::Variable(..)) if other.class != node.class => {
                        return Err(self.refuse(member, "is an item but has another class"));
                    }
                    _ => {}
                }
            }
            if form == Form::Value && self.members(at).count() != 1 {
                return Err(self.refuse(at, "must have exactly one member, its value"));
            }
            seen.sort_unstable();
            let twice =
                |pair: &&[(u32, u32, usize)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
            if let Some([_, (class, name, member)]) = seen.windows(2).find(twice) {
                let name = self.qualified(*class, *name);
                return Err(duplicate(&name).at(self.position(self.nodes[*member].at)));
            }
        }
        Ok(())
    }

    pub(crate) fn qualified(&self, class: u32, name: u32) -> String {
        full_name(self.text(class), self.text(name))
    }

    #[cold]
    pub(crate) fn refuse(&self, at: usize, what: &str) -> Error {
        let node = &self.nodes[at];
        let message = format_args!("`{}` {what}", self.qualified(node.class, node.name));
        Error::new(ErrorKind::Syntax, message).at(self.position(node.at))
    }
}

/// Returns `Class::name`, with both parts cut short if they are long.
pub(crate) fn full_name(class: &str, name: &str) -> String {
    let cut = |text: &str| text.chars().take(80).collect::<String>();
    format!("{}::{}", cut(class), cut(name))
}

/// Assigns numbers to strings. A string that occurs again at the same address is not compared
/// again.
#[derive(Default)]
pub(crate) struct Numbers<'a> {
    pub(crate) strings: Vec<&'a str>,
    by_place: HashMap<(usize, usize), u32>,
    by_text: HashMap<&'a str, u32>,
}

impl<'a> Numbers<'a> {
    pub(crate) fn number(&mut self, text: &'a str) -> u32 {
        let place = (text.as_ptr() as usize, text.len());
        if let Some(number) = self.by_place.get(&place) {
            return *number;
        }
        let next = self.strings.len() as u32;
        let number = *self.by_text.entry(text).or_insert(next);
        if number == next {
            self.strings.push(text);
        }
        self.by_place.insert(place, number);
        number
    }
}
