//! [`ValueDecoder`]: a [`Decoder`](crate::Decoder) that reads a [`Value`].

use std::borrow::Cow;
use std::convert::Infallible;

use super::Value;
use super::layout::{self, Node, lay_out, siblings};
use crate::format::decoder::Kind;
use crate::format::nodes::{Content, Inside, NodeDecoder, Nodes, OverNodes};
use crate::model::error::Result;
use crate::model::number::Number;
use crate::model::shape::{Class, Member, Primitive, Shape, each_member};

/// A [`Decoder`](crate::Decoder) that reads a [`Value`]. For formats whose authors only want to parse text into a
/// [`Value`]. (To load from a tree alone, [`Value::to`] is shorter.)
///
/// It does not recurse, at any depth of the value. A value has no input, so errors have a path in
/// the value ([`Error::path`](crate::Error::path)), and their position is byte 0.
///
/// ```
/// use archive::Value;
/// use archive::format::{Decoder, ValueDecoder};
/// use archive::shape::{Class, NameOf};
///
/// static ROOM: Class = Class::data("Room");
///
/// let room = Value::Object(vec![("title".into(), "Hall".into()), ("width".into(), 640.into())]);
/// let mut decoder = ValueDecoder::new(&room);
/// decoder.begin_object(&ROOM)?;
/// assert!(decoder.member("width")?);
/// assert_eq!(decoder.u16()?, 640);
/// assert!(decoder.member("title")?);
/// assert_eq!(decoder.str()?, "Hall");
/// assert!(!decoder.member("height")?);
/// decoder.end_object(&mut |_| Ok(()))?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct ValueDecoder<'a>(NodeDecoder<Tree<'a>>);

/// The values of a tree.
#[derive(Debug)]
pub struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    /// Whether an object may be stored as an array of its members.
    arrays: bool,
    /// Whether floats have no width, as in text.
    text_floats: bool,
    is_live: bool,
}

/// A value, by its index.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    at: usize,
    /// The index of a byte, if the value is bytes that are read as a sequence.
    byte: Option<usize>,
}

/// The values inside another one that come next.
#[derive(Clone, Copy, Debug)]
pub enum Rest {
    /// Values: the first index and the end.
    Values(usize, usize),
    /// Bytes: their index as a value, the index of the next byte, and their number.
    Bytes(usize, usize, usize),
}

impl<'a> ValueDecoder<'a> {
    /// Creates a decoder over a borrowed value.
    pub fn new(value: &'a Value) -> Self {
        Self::over(Cow::Borrowed(value))
    }

    /// Creates a decoder that owns the value.
    pub fn owned(value: Value) -> Self {
        Self::over(Cow::Owned(value))
    }

    fn over(value: Cow<'a, Value>) -> Self {
        let (nodes, root) = (lay_out(value), Place { at: 0, byte: None });
        let tree = Tree { nodes, arrays: false, text_floats: false, is_live: false };
        // The depth of a value is checked where values are nested, in the session.
        ValueDecoder(NodeDecoder::new(tree, root, usize::MAX))
    }

    /// Changes values in place, and resolves references to the program's own objects.
    #[doc(hidden)]
    pub fn live(mut self) -> Self {
        self.0.tree.is_live = true;
        self
    }

    /// Returns the number of bytes that the flat list of the values takes.
    #[doc(hidden)]
    pub fn size(&self) -> usize {
        self.0.tree.nodes.capacity() * size_of::<Node<'_>>()
    }

    /// Also accepts an array in place of an object whose members are known at compile time. The
    /// array has the members in the order of the type, as other libraries write them. (Every item
    /// needs a name, so an item after the last member is reported as an unknown member with its
    /// index as its name: `#7`.)
    pub fn with_arrays(mut self, arrays: bool) -> Self {
        self.0.tree.arrays = arrays;
        self
    }

    /// Sets whether the tree comes from text, in which floats have no width. A number loaded as an
    /// `f32` then gets a note in the report only if an `f32` does not [spell](Number::spells) it.
    pub fn with_text_floats(mut self, text_floats: bool) -> Self {
        self.0.tree.text_floats = text_floats;
        self
    }
}

impl<'a> OverNodes for ValueDecoder<'a> {
    type Tree = Tree<'a>;

    fn nodes(&self) -> &NodeDecoder<Tree<'a>> {
        &self.0
    }
    fn nodes_mut(&mut self) -> &mut NodeDecoder<Tree<'a>> {
        &mut self.0
    }
}

/// Collects the names of members. The members of flattened members are in their places.
fn collect_names(members: &'static [Member], names: &mut Vec<&'static str>) {
    let Ok(()) = each_member::<Infallible>(members, &mut |member, _| {
        names.push(member.name);
        Ok(())
    });
}

impl Tree<'_> {
    /// Assigns the names of members to the items of the array at the cursor.
    fn name_items(&mut self, array: usize, members: &'static [Member]) {
        let end = self.nodes[array].end;
        let mut names = Vec::new();
        collect_names(members, &mut names);
        let items: Vec<usize> = siblings(&self.nodes, array + 1, end).collect();
        for (place, item) in items.into_iter().enumerate() {
            self.nodes[item].name = match names.get(place) {
                Some(name) => Cow::Borrowed(*name),
                None => Cow::Owned(format!("#{place}")),
            };
        }
    }

    /// Returns the values inside the value at that index.
    fn rest(&self, at: usize) -> Rest {
        Rest::Values(at + 1, self.nodes[at].end)
    }

    fn next(&self, rest: &mut Rest) -> Option<Place> {
        match rest {
            Rest::Values(next, end) if *next < *end => {
                let at = std::mem::replace(next, self.nodes[*next].end);
                Some(Place { at, byte: None })
            }
            Rest::Bytes(at, next, len) if *next < *len => {
                *next += 1;
                Some(Place { at: *at, byte: Some(*next - 1) })
            }
            _ => None,
        }
    }
}

impl Nodes for Tree<'_> {
    type Node = Place;
    type Rest = Rest;
    const WAS_TEXT: bool = true;

    fn inside(&self, Place { at, byte }: Place) -> Result<Option<Inside<Rest>>> {
        Ok(match self.nodes[at].content {
            _ if byte.is_some() => None,
            layout::Content::Array(len) => Some(Inside::Items(self.rest(at), len)),
            layout::Content::Object => Some(Inside::Members(self.rest(at))),
            _ => None,
        })
    }
    fn items(&self, node: Place, _: &Shape, _: bool) -> Result<Option<(Rest, usize)>> {
        Ok(match &self.nodes[node.at].content {
            _ if node.byte.is_some() => None,
            layout::Content::Array(len) => Some((self.rest(node.at), *len)),
            layout::Content::Bytes(bytes) => {
                Some((Rest::Bytes(node.at, 0, bytes.len()), bytes.len()))
            }
            _ => None,
        })
    }
    fn members(
        &mut self,
        Place { at, byte }: Place,
        class: &'static Class,
    ) -> Result<Option<Rest>> {
        Ok(match (&self.nodes[at].content, class.members) {
            _ if byte.is_some() => None,
            (layout::Content::Object, _) => Some(self.rest(at)),
            (layout::Content::Array(_), Some(members)) if self.arrays => {
                self.name_items(at, members);
                Some(self.rest(at))
            }
            _ => None,
        })
    }
    fn next_item(&self, rest: &mut Rest) -> Result<Option<Place>> {
        Ok(self.next(rest))
    }
    fn next_member(&self, rest: &mut Rest) -> Result<Option<Place>> {
        Ok(self.next(rest))
    }

    fn name(&self, member: Place) -> &[u8] {
        self.nodes[member.at].name.as_bytes()
    }
    fn text(&self, member: Place) -> Result<Cow<'_, str>> {
        Ok(Cow::Borrowed(&self.nodes[member.at].name))
    }

    fn kind(&self, node: Place) -> Result<Kind> {
        Ok(match self.nodes[node.at].content {
            _ if node.byte.is_some() => Kind::Number,
            layout::Content::Null => Kind::Null,
            layout::Content::Bool(_) => Kind::Bool,
            layout::Content::Number(_) => Kind::Number,
            layout::Content::Str(_) => Kind::Str,
            layout::Content::Bytes(_) => Kind::Bytes,
            layout::Content::Array(_) => Kind::Seq,
            layout::Content::Object => Kind::Object,
        })
    }
    fn content(&self, node: Place) -> Result<Content<'_>> {
        Ok(match (&self.nodes[node.at].content, node.byte) {
            (layout::Content::Bytes(bytes), Some(at)) => {
                Content::Number(Number::Int(bytes.get(at).copied().unwrap_or_default().into()))
            }
            (layout::Content::Null, _) => Content::Null,
            (layout::Content::Bool(value), _) => Content::Bool(*value),
            (layout::Content::Number(number), _) => Content::Number(*number),
            (layout::Content::Str(text), _) => Content::Str(text),
            (layout::Content::Bytes(bytes), None) => Content::Bytes(bytes),
            (layout::Content::Array(_), _) => Content::Seq,
            (layout::Content::Object, _) => Content::Object,
        })
    }
    fn conversion(&self, number: Number, to: Primitive) -> Option<(Primitive, Primitive)> {
        let is_float = matches!(to, Primitive::F32 | Primitive::F64);
        if self.text_floats && is_float {
            number.conversion_in_text(to)
        } else {
            number.conversion(to)
        }
    }

    fn mark(&self, node: Place) -> (u64, u64) {
        (node.at as u64, node.byte.map_or(0, |byte| byte as u64 + 1))
    }
    fn node(&self, offset: u64, state: u64) -> Place {
        let at = (offset as usize).min(self.nodes.len() - 1);
        Place { at, byte: (state as usize).checked_sub(1) }
    }
    fn is_live(&self) -> bool {
        self.is_live
    }
}
