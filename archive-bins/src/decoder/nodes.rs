//! [`Nodes`]: the objects and variables of a tree, and the items inside of variables.

use std::borrow::Cow;
use std::ops::Range;

use archive_core::decoder::Kind;
use archive_core::nodes::{Content as Found, Inside, Nodes, Open, stored};
use archive_core::shape::{Member, Primitive, Shape};
use archive_core::{Error, ErrorKind, Position, Result};

use super::plain::Items;
use super::{NAMES_PER_BYTE, Place, Slot, Tree};
use crate::flat::Content;
use crate::header::SIGNATURE;
use crate::object::Form;
use crate::signature;
use crate::types::{Type, TypeKind};

/// What comes next inside of a value.
#[derive(Clone, Copy, Debug)]
pub enum Rest {
    /// Nodes up to an end.
    Nodes(usize, usize),
    /// Items of a variable.
    Items(Items),
}

impl Tree<'_> {
    #[inline]
    fn next(&self, rest: &mut Rest) -> Option<Place> {
        match rest {
            Rest::Nodes(next, end) if *next < *end => {
                let node = std::mem::replace(next, self.flat.nodes[*next].end);
                Some(Place { node, item: None })
            }
            Rest::Nodes(..) => None,
            Rest::Items(items) => {
                let item = items.next(&self.types)?;
                Some(Place { node: items.node, item: Some(item) })
            }
        }
    }

    /// The start of a value in the input.
    fn offset(&self, place: Place) -> usize {
        self.flat.nodes[place.node].at + place.item.map_or(0, |(_, at)| at)
    }
}

impl Nodes for Tree<'_> {
    type Node = Place;
    type Rest = Rest;

    fn inside(&self, place: Place) -> Result<Option<Inside<Rest>>> {
        let node = &self.flat.nodes[place.node];
        let rest = Rest::Nodes(place.node + 1, node.end);
        Ok(match node.content {
            Content::Object(Form::List, len) => Some(Inside::Items(rest, len)),
            Content::Object(Form::Object, _) => Some(Inside::Members(rest)),
            _ => None,
        })
    }
    fn items(&self, place: Place, _: &Shape, _: bool) -> Result<Option<(Rest, usize)>> {
        if let Some(Inside::Items(rest, len)) = self.inside(place)? {
            return Ok(Some((rest, len)));
        }
        Ok(self.plain_items(place).map(|items| (Rest::Items(items), items.len)))
    }
    #[inline]
    fn next_item(&self, rest: &mut Rest) -> Result<Option<Place>> {
        Ok(self.next(rest))
    }
    #[inline]
    fn next_member(&self, rest: &mut Rest) -> Result<Option<Place>> {
        Ok(self.next(rest))
    }

    #[inline]
    fn name(&self, member: Place) -> &[u8] {
        self.flat.text(self.flat.nodes[member.node].name).as_bytes()
    }
    #[inline]
    fn text(&self, member: Place) -> Result<Cow<'_, str>> {
        Ok(self.flat.text(self.flat.nodes[member.node].name).into())
    }
    #[inline]
    fn hand_out(&mut self, member: Place) -> Result {
        let len = self.flat.text(self.flat.nodes[member.node].name).len();
        self.names = self.names.checked_sub(len as u64).ok_or_else(|| {
            let message = format_args!(
                "the names of members take more than {NAMES_PER_BYTE} times the size of the input"
            );
            Error::new(ErrorKind::SizeLimit, message).at(self.position(member))
        })?;
        Ok(())
    }

    fn kind(&self, place: Place) -> Result<Kind> {
        Ok(match self.slot(place) {
            Slot::Object(Form::List) => Kind::Seq,
            Slot::Object(..) => Kind::Object,
            Slot::Value(ty, _) => match ty.kind {
                TypeKind::Primitive(primitive) => kind_of(primitive),
                _ => Kind::Seq,
            },
            Slot::Other(..) => Kind::Bytes,
        })
    }
    fn content(&self, place: Place) -> Result<Found<'_>> {
        Ok(match self.slot(place) {
            Slot::Object(Form::List) => Found::Seq,
            Slot::Object(..) => Found::Object,
            Slot::Other(_, bytes) => Found::Bytes(bytes),
            Slot::Value(ty, bytes) => match ty.kind {
                TypeKind::Primitive(primitive) => {
                    stored(primitive, bytes).map_err(|error| error.at(self.position(place)))?
                }
                TypeKind::Seq(item) | TypeKind::Array(item, _) if self.is_byte(item) => {
                    Found::Bytes(bytes)
                }
                _ => Found::Seq,
            },
        })
    }
    fn unknown(&self, place: Place) -> Option<String> {
        let Slot::Other(name, _) = self.slot(place) else { return None };
        Some(format!("a variable of type `{}`", name.chars().take(80).collect::<String>()))
    }
    #[inline]
    fn exact(&self, place: Place, primitive: Primitive) -> Option<&[u8]> {
        match self.slot(place) {
            Slot::Value(Type { kind: TypeKind::Primitive(found), .. }, bytes) => {
                (*found == primitive).then_some(bytes)
            }
            _ => None,
        }
    }

    fn position(&self, place: Place) -> Position {
        self.flat.position(self.offset(place))
    }
    fn mark(&self, Place { node, item }: Place) -> (u64, u64) {
        // The offset takes the lower 32 bits, the type the upper ones.
        let state = item.map_or(0, |(ty, at)| (u64::from(ty) + 1) << 32 | at as u64);
        (node as u64, state)
    }
    fn node(&self, offset: u64, state: u64) -> Place {
        let node = (offset as usize).min(self.flat.nodes.len() - 1);
        let ty = (state >> 32) as u32;
        Place { node, item: ty.checked_sub(1).map(|ty| (ty, (state as u32) as usize)) }
    }

    fn elsewhere(&self, open: &mut [Open<Self>], name: &str) -> Result<Option<Place>> {
        if self.undeclared.is_empty() { Ok(None) } else { self.inherited(open, name) }
    }
    fn implied(
        &mut self,
        at: Place,
        open: &[Open<Self>],
        member: &'static Member,
    ) -> Option<Place> {
        let holds = member.base.is_some_and(|class| self.holds_base_of(open, class));
        holds.then(|| self.empty_base(at, member.name))
    }

    fn begin_root(&mut self, shape: &'static Shape) {
        self.root_shape = Some(shape);
    }
    fn check_layout(&self) -> Result {
        let program = self.root_shape.and_then(signature::of_class);
        match (self.flat.class_signature, program) {
            (Some(file), Some(program))
                if file.whole && program.whole && file.number != program.number =>
            {
                let (file, program) = (file.number, program.number);
                let message = format_args!(
                    "the file was saved by a type of another layout: it has the signature \
                     {file:016x}, the program's type {program:016x}"
                );
                let at = self.flat.position(SIGNATURE);
                Err(Error::new(ErrorKind::WrongType, message).at(at))
            }
            _ => Ok(()),
        }
    }
    fn stored_type(&self, place: Place) -> Option<Cow<'_, str>> {
        let node = &self.flat.nodes[place.node];
        match (node.content, place.item) {
            (Content::Object(Form::Value, _), _) => None,
            (Content::Object(..), _) => Some(self.flat.text(node.class).into()),
            (Content::Variable(name, _), None) => Some(self.flat.text(name).into()),
            (Content::Variable(..), Some((ty, _))) => match self.types[ty as usize].kind {
                TypeKind::Primitive(primitive) => Some(primitive.name().into()),
                _ => None,
            },
        }
    }
    fn span(&self, place: Place) -> Option<Range<u64>> {
        let start = self.offset(place);
        match self.slot(place) {
            Slot::Value(_, bytes) | Slot::Other(_, bytes) if self.flat.placed => {
                Some(start as u64..(start + bytes.len()) as u64)
            }
            _ => None,
        }
    }
    fn input_len(&self) -> Option<usize> {
        self.input
    }
}

/// Returns the kind of a scalar, for readers that do not know its type.
fn kind_of(primitive: Primitive) -> Kind {
    match primitive {
        Primitive::Unit => Kind::Null,
        Primitive::Bool => Kind::Bool,
        Primitive::Char | Primitive::Str => Kind::Str,
        Primitive::Bytes => Kind::Bytes,
        _ => Kind::Number,
    }
}
