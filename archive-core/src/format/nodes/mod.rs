//! [`Nodes`]: trees of named, typed values in memory, and the one [`Decoder`](crate::Decoder) over
//! them.
//!
//! A format describes its nodes if its values can be reached from any place, because a tree was
//! built or because the file states sizes. Everything else is written here, once: members in any
//! order, sequences, conversions, marks, pointers and error messages.
// Why: docs/decisions/members-and-evolution.md#nodes-have-one-decoder

mod decoder;
mod object;
mod scalar;
mod walk;

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;

pub use self::decoder::{NodeDecoder, OverNodes};
pub use self::object::Object;
pub use self::scalar::stored;
use crate::format::decoder::Kind;
use crate::model::error::{Found, Position, Result};
use crate::model::number::Number;
use crate::model::shape::{Class, Member, Primitive, Shape};

/// The content of a node, without the nodes inside it.
#[derive(Debug)]
pub enum Content<'t> {
    /// Null.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A character.
    Char(char),
    /// Text.
    Str(&'t str),
    /// Bytes.
    Bytes(&'t [u8]),
    /// Items.
    Seq,
    /// Members.
    Object,
    /// A value of a type that the format does not know.
    Unknown,
}

impl Content<'_> {
    /// Returns a description of the content for messages.
    fn describe(self) -> String {
        match self {
            Content::Null => Found::Null.to_string(),
            Content::Bool(value) => Found::Bool(value).to_string(),
            Content::Number(number) => Found::Number(number).to_string(),
            Content::Char(char) => Found::Text(char.encode_utf8(&mut [0; 4])).to_string(),
            Content::Str(text) => Found::Text(text).to_string(),
            Content::Bytes(bytes) => Found::Bytes(bytes.len()).to_string(),
            Content::Seq => Found::Seq.to_string(),
            Content::Object => Found::Object.to_string(),
            Content::Unknown => "data of an unknown type".to_owned(),
        }
    }
}

/// The nodes inside a node.
#[derive(Debug)]
pub enum Inside<R> {
    /// Items, and their number.
    Items(R, usize),
    /// Members.
    Members(R),
}

/// An open container of a [`NodeDecoder`].
#[derive(Debug)]
pub enum Open<T: Nodes + ?Sized> {
    /// A sequence: the items that come next.
    Seq(T::Rest),
    /// An object.
    Object(Object<T>),
}

/// A tree whose nodes can be reached from any place.
pub trait Nodes {
    /// A node: its position, and the data that was read to get there.
    type Node: Copy + Debug;
    /// The items or members of a container that come next.
    type Rest: Copy + Debug;

    /// Returns the nodes inside a node, unless it is a leaf. Items that are not nodes themselves,
    /// such as those of an array of numbers, are the content of a leaf.
    ///
    /// # Errors
    /// Returns an error if the container is malformed, as does every method here.
    fn inside(&self, node: Self::Node) -> Result<Option<Inside<Self::Rest>>>;

    /// Returns the items of any sequence, and their number, for a type of that shape. `outermost`
    /// is whether no container is open around the node.
    fn items(
        &self,
        node: Self::Node,
        shape: &Shape,
        outermost: bool,
    ) -> Result<Option<(Self::Rest, usize)>> {
        let _ = (shape, outermost);
        Ok(match self.inside(node)? {
            Some(Inside::Items(rest, len)) => Some((rest, len)),
            _ => None,
        })
    }

    /// Returns the members of an object of that class.
    fn members(&mut self, node: Self::Node, class: &'static Class) -> Result<Option<Self::Rest>> {
        let _ = class;
        Ok(match self.inside(node)? {
            Some(Inside::Members(rest)) => Some(rest),
            _ => None,
        })
    }

    /// Moves past the next item.
    fn next_item(&self, rest: &mut Self::Rest) -> Result<Option<Self::Node>>;

    /// Moves past the next member.
    fn next_member(&self, rest: &mut Self::Rest) -> Result<Option<Self::Node>>;

    /// Moves past the next member if it has that name. Even if it has, the format may not recognize
    /// it here; the member is then searched for.
    #[inline]
    fn next_named(&self, rest: &mut Self::Rest, name: &[u8]) -> Result<Option<Self::Node>> {
        let mut next = *rest;
        let found = self.next_member(&mut next)?.filter(|member| self.name(*member) == name);
        if found.is_some() {
            *rest = next;
        }
        Ok(found)
    }

    /// Returns the name of the next member.
    #[inline]
    fn next_name(&self, rest: &Self::Rest) -> Result<Option<&[u8]>> {
        Ok(self.next_member(&mut { *rest })?.map(|member| self.name(member)))
    }

    /// Returns about how many members come next.
    fn count(&self, rest: &Self::Rest) -> usize {
        let _ = rest;
        0
    }

    /// Checks that nothing comes after the last item or member.
    fn end(&self, rest: &Self::Rest) -> Result {
        let _ = rest;
        Ok(())
    }

    /// Returns the name of a member, as bytes to be compared with those of
    /// [`written`](Nodes::written).
    fn name(&self, member: Self::Node) -> &[u8];

    /// Returns a name in the form that the tree has.
    #[inline]
    fn written<'n>(&self, name: &'n str) -> Cow<'n, [u8]> {
        Cow::Borrowed(name.as_bytes())
    }

    /// Returns the name of a member as text.
    fn text(&self, member: Self::Node) -> Result<Cow<'_, str>>;

    /// Called before a name is returned to the program. The program may copy it.
    fn hand_out(&mut self, member: Self::Node) -> Result {
        let _ = member;
        Ok(())
    }

    /// Returns the kind of a node.
    fn kind(&self, node: Self::Node) -> Result<Kind>;

    /// Returns the content of a node.
    fn content(&self, node: Self::Node) -> Result<Content<'_>>;

    /// Returns a description for messages of a node of a type that the format does not know.
    fn unknown(&self, node: Self::Node) -> Option<String> {
        let _ = node;
        None
    }

    /// Returns the little-endian bytes of a scalar, if it is stored with exactly that type.
    #[inline]
    fn exact(&self, node: Self::Node, primitive: Primitive) -> Option<&[u8]> {
        let _ = (node, primitive);
        None
    }

    /// Returns the position of a node in the input.
    fn position(&self, node: Self::Node) -> Position {
        let _ = node;
        Position::Unknown
    }

    /// Returns the position of a member's name in the input.
    fn position_of_name(&self, member: Self::Node) -> Position {
        self.position(member)
    }

    /// Returns the offset and the state of a mark of a node.
    fn mark(&self, node: Self::Node) -> (u64, u64);

    /// Returns the node of a mark.
    fn node(&self, offset: u64, state: u64) -> Self::Node;

    /// Returns the conversion of a number to another type, if there is one.
    #[inline]
    fn conversion(&self, number: Number, to: Primitive) -> Option<(Primitive, Primitive)> {
        number.conversion(to)
    }

    /// Finds a member that an object lacks, but that may be outside it.
    fn elsewhere(&self, open: &mut [Open<Self>], name: &str) -> Result<Option<Self::Node>> {
        let _ = (open, name);
        Ok(None)
    }

    /// Returns a node for a known member that was not found, if the file need not have the member.
    fn implied(
        &mut self,
        at: Self::Node,
        open: &[Open<Self>],
        member: &'static Member,
    ) -> Option<Self::Node> {
        let _ = (at, open, member);
        None
    }

    /// Announces the shape of the root.
    fn begin_root(&mut self, shape: &'static Shape) {
        let _ = shape;
    }

    /// Like [`Decoder::check_layout`](crate::Decoder::check_layout).
    fn check_layout(&self) -> Result {
        Ok(())
    }

    /// Like [`Decoder::stored_type`](crate::Decoder::stored_type).
    fn stored_type(&self, node: Self::Node) -> Option<Cow<'_, str>> {
        let _ = node;
        None
    }

    /// Returns the range of a node's value in the input, if it is stored in one piece.
    fn span(&self, node: Self::Node) -> Option<Range<u64>> {
        let _ = node;
        None
    }

    /// Returns the length of the input, if it is known.
    #[inline]
    fn input_len(&self) -> Option<usize> {
        None
    }

    /// Whether numbers may have been text.
    const WAS_TEXT: bool = false;

    /// Returns whether the archive over the decoder is in [place](crate::path::Guide::Live).
    #[inline(always)]
    fn is_live(&self) -> bool {
        false
    }
}
