//! The parts of the encoder for the archive that writes values of known types: the tables, and the
//! exchange of the output buffer.

use archive_core::backend::Sink;
use archive_core::pointer::{PointerHead, PointerKind};
use archive_core::shape::{Class, Shape};
use archive_core::{Encoder as _, Options, Result};

use super::{ByHand, Encoder};
use crate::container::Profile;
use crate::fast_path::Functions;
use crate::implied::Implied;
use crate::layouts::Node;
use crate::objects::Pointee;
use crate::shapes::has_bytes;
use crate::shapes::is_empty;
use crate::varint::{len_u64, put_u64};

/// The trait objects of one concrete type.
#[derive(Clone, Copy)]
pub(crate) struct KnownObject {
    /// The functions compiled for the type.
    pub(crate) functions: &'static Functions,
    /// The number of the type in the list of concrete types.
    pub(crate) concrete: u32,
}

impl<'w> Encoder<'w> {
    /// Returns the sink for the root, if the root can be sent to it while it is written. That is
    /// the case if the root's types determine it completely, so that no part of it is moved or
    /// added later.
    pub(crate) fn sink_of(&mut self, root: &'static Shape) -> Option<Sink<'w>> {
        let fast = match self.profile {
            Profile::Embedded => self.types.is_fully_described(self.root),
            _ => Implied::of(root).fully_described,
        };
        self.sink.take().filter(|_| fast)
    }

    /// Returns the output to the caller.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        (self.has_output, self.is_untouched) = (false, false);
        std::mem::take(&mut self.part.bytes)
    }

    /// Receives the output, until it needs [more room](Encoder::more_room).
    #[inline]
    pub(crate) fn receive_output(&mut self, out: &mut Vec<u8>) {
        if !self.has_output {
            self.has_output = true;
            self.part.bytes = std::mem::take(out);
        }
    }

    /// Returns the output with room for that many more bytes: `out`, or the output that was
    /// received.
    #[cold]
    #[inline(never)]
    pub(crate) fn more_room(&mut self, mut out: Vec<u8>, additional: usize) -> Vec<u8> {
        if self.has_output {
            out = self.take_output();
        }
        archive_core::block::reserve(&mut out, additional);
        out
    }

    /// Sets the number of bytes that the sink received.
    pub(crate) fn handed_over(&mut self, written: u64) {
        self.written = written;
    }

    /// Begins an object of a hand-written function at `at`, the offset of its number.
    #[inline]
    pub(crate) fn begin_by_hand(&mut self, class: &'static Class, at: usize) -> ByHand {
        let root = self.layouts.root(class, &mut self.types);
        ByHand { at, number: self.layouts.predicted(root), root, node: root }
    }

    /// Moves to a member of an object of a hand-written function.
    #[inline(always)]
    pub(crate) fn member_by_hand(&mut self, at: Node, name: &str, shape: &'static Shape) -> Node {
        match self.layouts.follows(at, name, shape) {
            Some(after) => after,
            None => self.other_member(at, name, shape),
        }
    }

    /// Moves to a member other than the one that came next last time.
    #[inline(never)]
    fn other_member(&mut self, at: Node, name: &str, shape: &'static Shape) -> Node {
        self.layouts.member(at, name, shape, &mut self.types)
    }

    /// Ends an object of a hand-written function. Returns its final number, if that differs from
    /// the one that was written.
    #[inline]
    pub(crate) fn end_by_hand(&mut self, object: &ByHand) -> Result<Option<u32>> {
        let found = self.layouts.finish(object.root, object.node, &mut self.types)?;
        Ok((found != object.number).then_some(found))
    }

    /// Returns the number of an object's type.
    pub(crate) fn concrete(&mut self, head: &PointerHead<'_>) -> u32 {
        self.pointee_types.intern(head.shape, head.type_name, &mut self.types)
    }

    /// Returns the entry for trait objects of that type, if their functions were compiled for this
    /// format and the type is registered.
    #[inline]
    pub(crate) fn known_object(
        &mut self,
        concrete: std::any::TypeId,
        options: &Options<'_>,
    ) -> Option<KnownObject> {
        match self.known_objects.get(&concrete) {
            Some(known) => *known,
            None => self.find_object(concrete, options),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_object(
        &mut self,
        concrete: std::any::TypeId,
        options: &Options<'_>,
    ) -> Option<KnownObject> {
        let name = options.settings().registry().and_then(|registry| registry.id_of(concrete));
        let known =
            Functions::find(concrete, options).zip(name).map(|(functions, name)| KnownObject {
                functions,
                concrete: self.pointee_types.intern(functions.shape, Some(&name), &mut self.types),
            });
        self.known_objects.insert(concrete, known);
        known
    }

    /// Returns the number that is stored for a pointer.
    pub(crate) fn number_of(&mut self, head: &PointerHead<'_>) -> Result<u64> {
        match head.kind {
            PointerKind::Null => Ok(0),
            PointerKind::Owned => Ok(u64::from(self.concrete(head)) + 1),
            PointerKind::Plain => Err(self.unsupported("a plain value as a pointer")),
            _ => Ok(head.id),
        }
    }

    /// Records the object of a pointer. If it is stored with the pointer, it begins at `at`.
    pub(crate) fn begin_pointee(&mut self, head: &PointerHead<'_>, at: usize) {
        if head.kind == PointerKind::Stored {
            let concrete = self.concrete(head);
            self.part.pointees.push(Pointee { id: head.id, at, concrete });
        }
        self.last_object = self.last_object.max(head.id);
    }

    /// Counts the items of a list or the entries of a map if they take no bytes. A file with more
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

    /// Counts an item that takes no bytes.
    pub(crate) fn count_empty_item(&mut self) -> Result {
        self.empty.count(1)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn count_if_empty(&mut self, shape: &'static Shape, len: usize) -> Result {
        let are_empty = match shape {
            Shape::Seq(item, _) => is_empty(item.get()),
            Shape::Map(key, value) => is_empty(key.get()) && is_empty(value.get()),
            _ => false,
        };
        if are_empty { self.empty.count(len as u64) } else { Ok(()) }
    }

    /// Replaces the number at `at`, which was written with the value `was`. The bytes after it move
    /// if the new number takes a different number of bytes.
    #[cold]
    pub(crate) fn patch(&mut self, at: usize, was: u64, number: u64) {
        let mut coded = Vec::new();
        put_u64(&mut coded, number);
        let (old, new) = (len_u64(was) as usize, coded.len());
        self.part.bytes.splice(at..at + old, coded);
        if new != old {
            for pointee in self.part.pointees.iter_mut().rev().take_while(|pointee| pointee.at > at)
            {
                pointee.at = pointee.at + new - old;
            }
        }
    }
}
