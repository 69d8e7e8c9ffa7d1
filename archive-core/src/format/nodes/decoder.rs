//! [`NodeDecoder`]: the state of a decoder over nodes, and [`Decoder`] for all types that contain
//! one.

use std::borrow::Cow;
use std::ops::Range;

use super::walk::{begins_with, check_depth, find_pointees};
use super::{Content, Nodes, Object, Open};
use crate::format::decoder::{Decoder, Kind};
use crate::model::error::{Error, ErrorKind, Position, Result};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::reserved;
use crate::model::shape::{Class, Member, Primitive, Shape};

/// A tree, and the position in it.
#[derive(Debug)]
pub struct NodeDecoder<T: Nodes> {
    /// The tree.
    pub tree: T,
    /// The node at the cursor, or the one that was read last.
    pub at: T::Node,
    root: T::Node,
    open: Vec<Open<T>>,
    pub(super) conversion: Option<(Primitive, Primitive)>,
    /// The bytes of a character that was requested as text.
    pub(super) scratch: [u8; 4],
    max_depth: usize,
}

impl<T: Nodes> NodeDecoder<T> {
    /// Creates a decoder at the root of a tree. No more than `max_depth` objects and sequences may
    /// be open at a time; `max_depth` is `usize::MAX` if the depth of the tree has been checked.
    pub fn new(tree: T, root: T::Node, max_depth: usize) -> Self {
        let (open, conversion, scratch) = (Vec::new(), None, [0; 4]);
        NodeDecoder { tree, at: root, root, open, conversion, scratch, max_depth }
    }

    #[inline]
    fn move_to(&mut self, node: Option<T::Node>) -> bool {
        self.at = node.unwrap_or(self.at);
        node.is_some()
    }

    /// Checks that one more object or sequence may be opened.
    #[inline]
    fn enter(&self) -> Result {
        if self.open.len() < self.max_depth {
            return Ok(());
        }
        Err(self.here(Error::too_nested(self.max_depth)))
    }

    #[inline]
    fn object(&mut self) -> Result<(&mut Object<T>, &T)> {
        match self.open.last_mut() {
            Some(Open::Object(object)) => Ok((object, &self.tree)),
            _ => Err(misuse()),
        }
    }
}

/// A decoder that is a [`NodeDecoder`], and functions to create it.
pub trait OverNodes {
    /// The tree.
    type Tree: Nodes;

    /// Returns the decoder.
    fn nodes(&self) -> &NodeDecoder<Self::Tree>;

    /// Returns the decoder.
    fn nodes_mut(&mut self) -> &mut NodeDecoder<Self::Tree>;
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    let message = "calls out of order: a member outside an object, or an item outside a sequence";
    Error::new(ErrorKind::Unsupported, message)
}

macro_rules! integers {
    ($($name:ident $PRIMITIVE:ident;)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$name> {
            let this = self.nodes_mut();
            match this.exact(Primitive::$PRIMITIVE) {
                Some(bytes) => Ok($name::from_le_bytes(bytes)),
                None => this.integer(Primitive::$PRIMITIVE),
            }
        }
    )*};
}

#[diagnostic::do_not_recommend]
impl<D: OverNodes> Decoder for D {
    integers! {
        i8 I8; i16 I16; i32 I32; i64 I64; i128 I128;
        u8 U8; u16 U16; u32 U32; u64 U64; u128 U128;
    }

    #[inline(always)]
    fn is_live(&self) -> bool {
        self.nodes().tree.is_live()
    }
    #[inline]
    fn input_len(&self) -> Option<usize> {
        self.nodes().tree.input_len()
    }
    fn position(&self) -> Position {
        let this = self.nodes();
        this.tree.position(this.at)
    }
    fn position_of(&self, mark: Mark) -> Position {
        let tree = &self.nodes().tree;
        tree.position(tree.node(mark.offset, mark.state))
    }

    fn peek(&mut self) -> Result<Kind> {
        let this = self.nodes();
        this.tree.kind(this.at)
    }
    /// The containers know what comes next, so skipping only checks the depth.
    fn skip(&mut self) -> Result {
        let this = self.nodes();
        check_depth(&this.tree, this.at, this.open.len(), this.max_depth)
    }
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        self.skip()?;
        let this = self.nodes();
        Ok(this.tree.span(this.at))
    }
    fn stored_type(&mut self) -> Option<Cow<'_, str>> {
        let this = self.nodes();
        this.tree.stored_type(this.at)
    }

    fn null(&mut self) -> Result {
        match self.nodes().content()? {
            Content::Null => Ok(()),
            _ => Err(self.nodes().wrong("null")),
        }
    }
    fn bool(&mut self) -> Result<bool> {
        match self.nodes().content()? {
            Content::Bool(value) => Ok(value),
            _ => Err(self.nodes().wrong("bool")),
        }
    }
    fn number(&mut self) -> Result<Number> {
        self.nodes().expect_number("a number")
    }
    #[inline]
    fn f32(&mut self) -> Result<f32> {
        let this = self.nodes_mut();
        match this.exact(Primitive::F32) {
            Some(bytes) => Ok(f32::from_le_bytes(bytes)),
            None => this.float(Primitive::F32, Number::to_f32),
        }
    }
    #[inline]
    fn f64(&mut self) -> Result<f64> {
        let this = self.nodes_mut();
        match this.exact(Primitive::F64) {
            Some(bytes) => Ok(f64::from_le_bytes(bytes)),
            None => this.float(Primitive::F64, Number::to_f64),
        }
    }
    fn char(&mut self) -> Result<char> {
        self.nodes().character()
    }
    fn str(&mut self) -> Result<&str> {
        self.nodes_mut().text("text")
    }
    /// Reads bytes, or a sequence of numbers that fit bytes.
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        if let Content::Bytes(bytes) = self.nodes().content()? {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        out.reserve(self.begin_seq(&Shape::Any)?);
        while self.next_item()? {
            out.push(self.u8()?);
        }
        self.end_seq()
    }
    fn take_conversion(&mut self, _: Primitive) -> Option<(Primitive, Primitive)> {
        self.nodes_mut().conversion.take()
    }

    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        let this = self.nodes_mut();
        let Some((rest, len)) = this.tree.items(this.at, shape, this.open.is_empty())? else {
            return Err(this.wrong("a sequence"));
        };
        this.enter()?;
        this.open.push(Open::Seq(rest));
        Ok(len)
    }
    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        let this = self.nodes_mut();
        let Some(Open::Seq(rest)) = this.open.last_mut() else { return Err(misuse()) };
        let item = this.tree.next_item(rest)?;
        Ok(this.move_to(item))
    }
    fn end_seq(&mut self) -> Result {
        if self.next_item()? {
            let message = "the sequence has more items than were loaded";
            return Err(self.nodes().here(Error::new(ErrorKind::WrongLength, message)));
        }
        let this = self.nodes_mut();
        match this.open.pop() {
            Some(Open::Seq(rest)) => this.tree.end(&rest),
            _ => Err(misuse()),
        }
    }

    fn begin_object(&mut self, class: &'static Class) -> Result {
        let this = self.nodes_mut();
        let Some(rest) = this.tree.members(this.at, class)? else {
            return Err(this.wrong("an object"));
        };
        this.enter()?;
        this.open.push(Open::Object(Object::open(this.at, rest)));
        Ok(())
    }
    #[inline]
    fn member(&mut self, name: &str) -> Result<bool> {
        let this = self.nodes_mut();
        let (object, tree) = this.object()?;
        let found = match object.member(tree, &tree.written(name))? {
            None => this.tree.elsewhere(&mut this.open, name)?,
            found => found,
        };
        Ok(this.move_to(found))
    }
    fn next_is(&mut self, name: &str) -> Result<bool> {
        let this = self.nodes_mut();
        let (object, tree) = this.object()?;
        let found = object.next_is(tree, &tree.written(name))?;
        Ok(this.move_to(found))
    }
    fn known_member(&mut self, info: &'static Member) -> Result<bool> {
        for name in std::iter::once(&info.name).chain(info.aliases) {
            if self.member(name)? {
                return Ok(true);
            }
        }
        let this = self.nodes_mut();
        let implied = this.tree.implied(this.at, &this.open, info);
        Ok(this.move_to(implied))
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        let this = self.nodes_mut();
        let (object, tree) = this.object()?;
        let found = object.next(tree)?;
        if !this.move_to(found) {
            return Ok(None);
        }
        this.tree.hand_out(this.at)?;
        this.tree.text(this.at).map(Some)
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        let this = self.nodes_mut();
        let around = this.open.len();
        let Some(Open::Object(object)) = this.open.pop() else { return Err(misuse()) };
        let (tree, limit) = (&this.tree, this.max_depth);
        object.close(tree, |member| {
            let name = tree.text(member)?;
            unknown(&name).map_err(|error| error.at(tree.position_of_name(member)))?;
            check_depth(tree, member, around, limit).map_err(|error| error.in_member(&name))
        })
    }

    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.nodes_mut().tree.begin_root(shape);
        Ok(())
    }
    fn check_layout(&self) -> Result {
        self.nodes().tree.check_layout()
    }

    fn at_pointer(&mut self, _: bool) -> Result<bool> {
        let this = self.nodes();
        begins_with(&this.tree, this.at, &reserved::OWN)
    }
    fn at_some(&mut self) -> Result<bool> {
        let this = self.nodes();
        begins_with(&this.tree, this.at, &[reserved::SOME])
    }

    fn mark(&mut self) -> Mark {
        let this = self.nodes();
        let (offset, state) = this.tree.mark(this.at);
        Mark { offset, state, depth: this.open.len() as u32 }
    }
    fn goto(&mut self, mark: Mark) {
        let this = self.nodes_mut();
        this.at = this.tree.node(mark.offset, mark.state);
    }
    fn recover(&mut self, mark: Mark) {
        self.nodes_mut().open.truncate(mark.depth as usize);
        self.goto(mark);
    }
    fn find_pointees(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        let this = self.nodes();
        find_pointees(&this.tree, this.root, this.max_depth, found)
    }
}
