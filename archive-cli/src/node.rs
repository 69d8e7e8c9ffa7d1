//! [`Node`]: a part of a file for display, with long sequences folded.

use std::ops::Range;

use archive::format::{Decoder, Kind, PointerKind};
use archive::shape::{OBJECT, Shape};
use archive::value::Number;
use archive::{Result, Value};

/// A value and the children that are shown.
pub struct Node {
    pub what: What,
    /// Its type, if the file states it.
    pub stored: Option<String>,
    /// Its size in the file in bytes, if it is one range.
    pub size: Option<u64>,
    /// The members or items that are shown.
    pub children: Vec<(Label, Node)>,
    /// The number of members, items, or bytes of text.
    pub count: u64,
    /// For the object of a pointer: its id, or 0, and its registered type.
    pub object: Option<(u64, Option<String>)>,
}

/// The name or index of a child in its parent.
pub enum Label {
    Name(String),
    Index(u64),
}

/// The kind of a node.
pub enum What {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    Bytes(Vec<u8>),
    Seq,
    Object,
    /// A pointer to an object that is stored elsewhere.
    Link {
        id: u64,
        is_weak: bool,
    },
}

/// The limits of what is shown.
#[derive(Clone, Copy)]
pub struct Fold {
    /// The number of levels.
    pub depth: usize,
    /// The number of items of each sequence.
    pub items: usize,
    /// The number of members of each object.
    pub members: usize,
    /// The first item or member of the value itself.
    pub first: u64,
    /// The number of nodes; everything after them is folded.
    pub nodes: usize,
    /// The number of bytes of each text.
    pub text: usize,
}

impl Fold {
    /// The maximum number of bytes of text that are shown on a line.
    pub const LINE: usize = 200;
    /// The maximum number of nodes that a terminal shows.
    pub const NODES: usize = 20_000;
}

/// Builds nodes.
pub struct Builder {
    fold: Fold,
    left: usize,
}

impl Builder {
    pub fn new(fold: Fold) -> Self {
        Builder { fold, left: fold.nodes }
    }

    /// Returns whether all nodes were used, so that something may be folded for that reason.
    #[cfg(feature = "view")]
    pub fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Returns the value at the cursor.
    pub fn build(&mut self, from: &mut dyn Decoder, depth: usize) -> Result<Node> {
        self.left = self.left.saturating_sub(1);
        let stored = from.stored_type().map(|text| text.into_owned());
        let start = from.mark();
        let span = from.skip_span()?;
        from.recover(start);
        let size = span.map(|Range { start, end }| end - start);
        let new =
            |what| Node { what, stored: None, size, children: Vec::new(), count: 0, object: None };
        let mut node = match self.pointer(from, depth)? {
            Some(node) => return Ok(Node { size, stored: node.stored.or(stored), ..node }),
            None => match from.peek()? {
                Kind::Null => {
                    from.null()?;
                    new(What::Null)
                }
                Kind::Bool => new(What::Bool(from.bool()?)),
                Kind::Number => new(What::Number(from.number()?)),
                Kind::Str => {
                    let text = from.str()?;
                    let count = text.len() as u64;
                    let shown = &text[..text.floor_char_boundary(self.fold.text.min(text.len()))];
                    Node { count, ..new(What::Text(shown.to_owned())) }
                }
                Kind::Bytes => {
                    let mut bytes = Vec::new();
                    from.bytes(&mut bytes)?;
                    let count = bytes.len() as u64;
                    bytes.truncate(self.fold.text);
                    Node { count, ..new(What::Bytes(bytes)) }
                }
                Kind::Seq => self.items(from, depth, new(What::Seq))?,
                Kind::Object => self.members(from, depth, new(What::Object))?,
                _ => new(What::Null),
            },
        };
        node.stored = stored;
        Ok(node)
    }

    fn shows(&self, depth: usize, node: &Node, most: usize) -> bool {
        let is_late = depth > 0 || node.count >= self.fold.first;
        depth < self.fold.depth && is_late && node.children.len() < most && self.left > 0
    }

    fn items(&mut self, from: &mut dyn Decoder, depth: usize, mut node: Node) -> Result<Node> {
        from.begin_seq(&Shape::Any)?;
        while from.next_item()? {
            if self.shows(depth, &node, self.fold.items) {
                let item = self.build(from, depth + 1);
                let item = item.map_err(|error| error.in_item(node.count as usize))?;
                node.children.push((Label::Index(node.count), item));
            } else {
                from.skip()?;
            }
            node.count += 1;
        }
        from.end_seq()?;
        Ok(node)
    }

    fn members(&mut self, from: &mut dyn Decoder, depth: usize, mut node: Node) -> Result<Node> {
        from.begin_object(&OBJECT)?;
        while let Some(name) = from.next_key()? {
            if self.shows(depth, &node, self.fold.members) {
                let name = name.into_owned();
                let member = self.build(from, depth + 1);
                let member = member.map_err(|error| error.in_member(&name))?;
                node.children.push((Label::Name(name), member));
            } else {
                drop(name);
                from.skip()?;
            }
            node.count += 1;
        }
        from.end_object(&mut |_| Ok(()))?;
        Ok(node)
    }

    /// Returns the pointer at the cursor, if there is one: the object in it, or a link to one.
    fn pointer(&mut self, from: &mut dyn Decoder, depth: usize) -> Result<Option<Node>> {
        if !from.at_pointer(false)? || from.at_some()? {
            return Ok(None);
        }
        let start = from.mark();
        // An object of another program may have a member `$id`, too.
        let Ok(head) = from.begin_pointer() else {
            from.recover(start);
            return Ok(None);
        };
        let (kind, id) = (head.kind, head.id);
        let type_name = head.type_name.map(|name| name.into_owned());
        let new = |what| Node {
            what,
            stored: None,
            size: None,
            children: Vec::new(),
            count: 0,
            object: None,
        };
        let node = match kind {
            PointerKind::Plain => return Ok(None),
            PointerKind::Null => return Ok(Some(new(What::Null))),
            PointerKind::Stored | PointerKind::Owned => {
                let pointee = self.build(from, depth)?;
                // The other objects of the pointer are found by their ids.
                if from.begin_deferred()? {
                    while from.next_item()? {
                        from.skip()?;
                    }
                    from.end_seq()?;
                }
                Node { object: Some((id, type_name)), ..pointee }
            }
            _ => new(What::Link { id, is_weak: kind == PointerKind::Weak }),
        };
        from.end_pointer(&mut |_| Ok(()))?;
        Ok(Some(node))
    }
}

impl Node {
    /// Returns the value of a scalar.
    pub fn scalar(&self) -> Option<Value> {
        Some(match &self.what {
            What::Null => Value::Null,
            What::Bool(value) => Value::Bool(*value),
            What::Number(number) => Value::Number(*number),
            What::Text(text) => Value::Str(text.clone()),
            What::Bytes(bytes) => Value::Bytes(bytes.clone()),
            _ => return None,
        })
    }
}
