//! The parts of the encoder for an archive with an output buffer of its own: the tables, and the
//! exchange of the buffer.

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

/// The trait objects of one concrete type.
#[derive(Clone, Copy)]
pub(crate) struct KnownObject {
    /// The functions compiled for the type.
    pub(crate) bodies: &'static Bodies,
    /// The number of the type in the list of concrete types.
    pub(crate) concrete: u32,
}

impl<'w> Encoder<'w> {
    /// Returns the sink for the root if the root can be passed on while it is written, because its
    /// types determine it completely and none of it is moved or added to.
    pub(crate) fn sink_of(&mut self, root: &'static Shape) -> Option<Sink<'w>> {
        let fast = match self.profile {
            Profile::Embedded => self.types.is_fully_described(self.root),
            _ => Implied::of(root).fully_described,
        };
        self.sink.take().filter(|_| fast)
    }

    /// Gives the output to the caller.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        self.has_output = false;
        std::mem::take(&mut self.part.bytes)
    }

    /// Receives the output, until there must be [more room](Encoder::more_room) in it. `in_block`
    /// says whether the next value is in a block.
    #[inline]
    pub(crate) fn receive_output(&mut self, out: &mut Vec<u8>, in_block: bool) {
        self.state = if in_block { State::Block } else { State::Plain };
        if !self.has_output {
            self.has_output = true;
            self.part.bytes = std::mem::take(out);
        }
    }

    /// Returns the output with room for so many more bytes: `out`, or the output that was received.
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

    /// Begins a value that describes itself.
    pub(crate) fn go_into_any(&mut self) {
        self.open(State::Tagged);
    }

    /// Moves to a member other than the one that followed last time.
    #[inline(never)]
    pub(crate) fn other_member(&mut self, at: Node, name: &str, shape: &'static Shape) -> Node {
        self.layouts.member(at, name, shape, &mut self.types)
    }

    /// Returns the number of a body's type.
    pub(crate) fn concrete(&mut self, head: &PointerHead<'_>) -> u32 {
        self.body_types.intern(head.shape, head.type_name, &mut self.types)
    }

    /// Returns what is known about trait objects of that type, if their functions
    /// were compiled for this format and the type is registered.
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
            concrete: self.body_types.intern(bodies.shape, Some(&name), &mut self.types),
        });
        self.known_objects.insert(concrete, known);
        known
    }

    /// Notes that the body of an object begins at `at`.
    pub(crate) fn begin_body(&mut self, head: &PointerHead<'_>, at: usize) {
        let concrete = self.concrete(head);
        self.part.bodies.push(Body { id: head.id, at, concrete });
    }

    /// Notes that the file holds an object with that id.
    #[inline]
    pub(crate) fn count_object(&mut self, id: u64) {
        self.last_object = self.last_object.max(id);
    }
}
