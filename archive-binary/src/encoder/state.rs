//! The state of the encoder: the container that it is inside of, where that is not plain.

use archive_core::encoder::UNKNOWN_LEN;
use archive_core::shape::{Class, Shape, ShapeOf};
use archive_core::{Error, ErrorKind, Result};

use super::Encoder;
use crate::fast_path::has_bytes;
use crate::layouts::Node;
use crate::shapes::is_empty;
use crate::varint::{len_u64, put_u64};

/// The container that the encoder is inside of.
#[derive(Clone, Copy)]
pub(super) enum State {
    /// Something whose components are known and do not describe themselves.
    Plain,
    /// A [block](archive_core::block), where integers have all their bytes.
    Block,
    /// A place for a value that describes itself, or such a value.
    Tagged,
    /// A sequence of values that describe themselves.
    TaggedItems,
    /// A tuple some of whose items describe themselves, and how many of them were started.
    Tuple(&'static [ShapeOf], usize),
    /// A map of that shape.
    Entries(&'static Shape),
    /// An entry of such a map, and how many of its items were started.
    Entry(&'static Shape, usize),
    /// A sequence of unknown length; the length is stored at `at`.
    Counting { at: usize, len: u64, items: Items },
    /// An object of a hand-written function: the offset at which it begins, the layout number that
    /// was written there, its class, and its members so far.
    Members { at: usize, number: u32, root: Node, node: Node },
}

/// The kind of the items of a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Items {
    /// Values of a known type.
    Plain,
    /// Values of a known type that take no bytes.
    Empty,
    /// Blocks: numbers and composites of them, stored next to each other.
    Block,
    /// Values that describe themselves.
    Tagged,
}

impl Items {
    /// Returns the kind of items of that shape.
    #[inline]
    pub(super) fn of(item: &'static Shape) -> Items {
        match item {
            Shape::Any => Items::Tagged,
            _ if item.block_size().is_some() => Items::Block,
            _ if !has_bytes(item) && is_empty(item) => Items::Empty,
            _ => Items::Plain,
        }
    }
}

/// Returns whether values of that shape describe themselves.
pub(crate) fn is_any(shape: ShapeOf) -> bool {
    matches!(shape.get(), Shape::Any)
}

impl Encoder<'_> {
    /// Opens a container.
    #[inline]
    pub(super) fn open(&mut self, state: State) {
        match (self.state, state) {
            (State::Plain, State::Plain) | (State::Block, State::Block) => self.run += 1,
            _ => {
                self.outer.push((self.state, self.run));
                (self.state, self.run) = (state, 0);
            }
        }
    }

    /// Closes what was opened last.
    #[inline]
    pub(super) fn close(&mut self) {
        if self.run > 0 {
            self.run -= 1;
        } else if let Some(outer) = self.outer.pop() {
            (self.state, self.run) = outer;
        }
    }

    /// Prepares for the value of a component, which is tagged if it may have `any` type.
    #[inline]
    pub(super) fn slot(&mut self, any: bool) {
        if any {
            self.open(State::Tagged);
        }
    }

    /// Counts the items of a list or the entries of a map if they take no bytes: a file with more
    /// of them than the options allow could not be loaded.
    #[inline(always)]
    pub(crate) fn count_empty(&mut self, shape: &'static Shape, len: usize) -> Result {
        let has_bytes = match shape {
            Shape::Seq(item, _) => has_bytes(item.get()),
            Shape::Map(key, value) => has_bytes(key.get()) || has_bytes(value.get()),
            _ => true,
        };
        if has_bytes { Ok(()) } else { self.count_if_empty(shape, len) }
    }

    #[cold]
    #[inline(never)]
    fn count_if_empty(&mut self, shape: &'static Shape, len: usize) -> Result {
        let are_empty = match shape {
            Shape::Seq(item, _) => is_empty(item.get()),
            Shape::Map(key, value) => is_empty(key.get()) && is_empty(value.get()),
            _ => false,
        };
        if are_empty { self.empty.count(len as u64) } else { Ok(()) }
    }

    /// Writes the length, or a placeholder if it is unknown.
    pub(super) fn begin_counted(&mut self, len: usize, items: Items) -> Result {
        if len == UNKNOWN_LEN {
            let at = self.part.bytes.len();
            self.open(State::Counting { at, len: 0, items });
            self.part.bytes.push(0);
        } else {
            if items == Items::Empty {
                self.empty.count(len as u64)?;
            }
            self.open(match items {
                Items::Plain | Items::Empty => State::Plain,
                Items::Block => State::Block,
                Items::Tagged => State::TaggedItems,
            });
            put_u64(&mut self.part.bytes, len as u64);
        }
        Ok(())
    }

    /// Replaces the number at `at`, which was written with the value `was`. The bytes after it move
    /// if the new number takes another number of bytes.
    #[cold]
    pub(crate) fn patch(&mut self, at: usize, was: u64, number: u64) {
        let mut coded = Vec::new();
        put_u64(&mut coded, number);
        let (old, new) = (len_u64(was) as usize, coded.len());
        self.part.bytes.splice(at..at + old, coded);
        if new != old {
            for body in self.part.bodies.iter_mut().rev().take_while(|body| body.at > at) {
                body.at = body.at + new - old;
            }
        }
    }

    /// Prepares for an item of a sequence that is not plain.
    pub(super) fn item_slow(&mut self) {
        let any = match &mut self.state {
            State::Plain
            | State::Block
            | State::Tagged
            | State::Entries(_)
            | State::Members { .. } => false,
            State::TaggedItems => true,
            State::Tuple(items, next) => {
                *next += 1;
                items.get(*next - 1).is_some_and(|item| is_any(*item))
            }
            State::Entry(map, next) => {
                *next += 1;
                matches!(map, Shape::Map(key, value) if is_any(if *next == 1 { *key } else { *value }))
            }
            State::Counting { len, items, .. } => {
                *len += 1;
                *items == Items::Tagged
            }
        };
        self.slot(any);
    }

    /// Opens an object inside of a container that is not plain, or an object of a hand-written
    /// function.
    pub(super) fn object_slow(&mut self, class: &'static Class) {
        if matches!(self.state, State::Tagged) {
            self.begin_tagged_object();
        } else if class.block_size().is_some() {
            self.open(State::Block);
        } else if class.members.is_some() {
            self.open(State::Plain);
        } else {
            let root = self.layouts.root(class, &mut self.types);
            let number = self.layouts.predicted(root);
            let at = self.part.bytes.len();
            self.outer.push((self.state, self.run));
            (self.state, self.run) = (State::Members { at, number, root, node: root }, 0);
            put_u64(&mut self.part.bytes, number.into());
        }
    }

    /// Starts a member of an object that is not plain, or a member that describes itself.
    pub(super) fn member_slow(&mut self, name: &str, shape: &'static Shape) -> Result {
        match &mut self.state {
            State::Members { node, .. } => {
                *node = self.layouts.member(*node, name, shape, &mut self.types);
            }
            State::Plain | State::Block => {}
            State::Tagged => {
                self.tagged_key(name);
                return Ok(());
            }
            _ => {
                let message = format_args!("the member `{name}` is outside of an object");
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
        self.slot(matches!(shape, Shape::Any));
        Ok(())
    }

    /// Closes a container other than a plain object or sequence.
    pub(super) fn end_slow(&mut self) -> Result {
        match self.state {
            State::Tagged => {
                self.end_tagged();
                return Ok(());
            }
            State::Counting { len: 0, .. } => {}
            State::Counting { at, len, items, .. } => {
                if items == Items::Empty {
                    self.empty.count(len)?;
                }
                self.patch(at, 0, len);
            }
            State::Members { at, number, root, node } => {
                let found = self.layouts.finish(root, node, &mut self.types)?;
                if found != number {
                    self.patch(at, number.into(), found.into());
                }
            }
            _ => {}
        }
        self.close();
        Ok(())
    }
}
