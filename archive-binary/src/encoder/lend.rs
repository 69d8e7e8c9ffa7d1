//! What an archive with a buffer of its own needs of the encoder: the output to and fro, and the tables.

use archive_core::Options;
use archive_core::backend::Sink;
use archive_core::pointer::PointerHead;
use archive_core::shape::Shape;

use super::Encoder;
use super::state::State;
use crate::container::Profile;
use crate::fast_path::Bodies;
use crate::implied::Implied;
use crate::layouts::Node;
use crate::objects::Body;

/// Objects of one type behind trait objects.
#[derive(Clone, Copy)]
pub(crate) struct KnownObject {
    /// The functions that were compiled for them.
    pub(crate) bodies: &'static Bodies,
    /// The number of their type among the concrete ones.
    pub(crate) concrete: u32,
}

impl<'w> Encoder<'w> {
    /// Where the root goes as it is written, if none of it is moved or added to: its values are nothing
    /// but what the types say.
    pub(crate) fn sink_of(&mut self, root: &'static Shape) -> Option<Sink<'w>> {
        let fast = match self.profile {
            Profile::Embedded => self.types.is_told(self.root),
            _ => Implied::of(root).told,
        };
        self.sink.take().filter(|_| fast)
    }

    /// Gives the output away.
    pub(crate) fn give(&mut self) -> Vec<u8> {
        self.lent = false;
        std::mem::take(&mut self.part.bytes)
    }

    /// Takes the output that was given away, until there is to be [more room](Encoder::more_room) in it.
    /// What follows may be in a block.
    #[inline]
    pub(crate) fn borrow(&mut self, out: &mut Vec<u8>, in_block: bool) {
        self.state = if in_block { State::Block } else { State::Plain };
        if !self.lent {
            self.lent = true;
            self.part.bytes = std::mem::take(out);
        }
    }

    /// The output with room for so many more bytes: the one that is given, or the one that was borrowed.
    #[cold]
    #[inline(never)]
    pub(crate) fn more_room(&mut self, mut out: Vec<u8>, additional: usize) -> Vec<u8> {
        if self.lent {
            out = self.give();
        }
        archive_core::block::reserve(&mut out, additional);
        out
    }

    /// So much was handed over to the sink.
    pub(crate) fn handed_over(&mut self, written: u64) {
        self.written = written;
    }

    /// What follows describes itself.
    pub(crate) fn go_into_any(&mut self) {
        self.open(State::Tagged);
    }

    /// Another member than the one that followed last time.
    #[inline(never)]
    pub(crate) fn other_member(&mut self, at: Node, name: &str, shape: &'static Shape) -> Node {
        self.layouts.member(at, name, shape, &mut self.types)
    }

    /// The number of a body's type.
    pub(crate) fn concrete(&mut self, head: &PointerHead<'_>) -> u32 {
        self.concretes.intern(head.shape, head.type_name, &mut self.types)
    }

    /// What is known of objects of that type behind trait objects: if their functions were compiled for this
    /// format, and the type is registered.
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
        let name = options.get_registry().and_then(|registry| registry.id_of(concrete));
        let known = Bodies::find(concrete, options).zip(name).map(|(bodies, name)| KnownObject {
            bodies,
            concrete: self.concretes.intern(bodies.shape, Some(&name), &mut self.types),
        });
        self.known_objects.insert(concrete, known);
        known
    }

    /// The body of an object begins here.
    pub(crate) fn begin_body(&mut self, head: &PointerHead<'_>, at: usize) {
        let concrete = self.concrete(head);
        self.part.bodies.push(Body { id: head.id, at, concrete });
    }

    /// An object of that id is in the file.
    #[inline]
    pub(crate) fn count_object(&mut self, id: u64) {
        self.last_object = self.last_object.max(id);
    }
}
