//! [`Encoder`]: writes values by position and describes their types at the end.

mod output;
mod profile;
mod row;
mod state;
mod tagged;

use std::any::Any;

use archive_core::backend::Sink;
use archive_core::encoder::UNKNOWN_LEN;
use archive_core::pointer::{PointerHead, PointerKind};
use archive_core::reserved;
use archive_core::session::EmptyElements;
use archive_core::shape::{Class, Enum, Member, Payload, Shape};
use archive_core::{Options, Result, Session};

use rustc_hash::FxHashMap;

use crate::container::Profile;
use crate::fast_path;
use crate::intern::TypeTable;
use crate::layouts::Layouts;
use crate::objects::{Body, ConcreteTypes, by_id};
use crate::types::TypeId;
use crate::varint::{put_bytes, put_i64, put_i128, put_u64, put_u128};
use crate::write_tables::Contents;
pub(crate) use state::is_any;
use state::{Items, State};

/// Writes the binary format.
///
/// A value of a type that is known from the start is written as its bytes only: the encoder tracks
/// what it is inside of only where that is not plain data.
pub struct Encoder<'w> {
    /// The part being written: the root's data, or deferred bodies.
    part: Part,
    /// The other one.
    other: Part,
    state: State,
    /// How many more containers with the same state are open.
    run: usize,
    outer: Vec<(State, usize)>,
    profile: Profile,
    /// The fingerprint of the root's types, for profiles that do not store types.
    fingerprint: u64,
    root: TypeId,
    /// The sink that receives a plain root while it is written, and how many bytes it received.
    sink: Option<Sink<'w>>,
    written: u64,
    /// Whether the output is borrowed from an archive that continues with it later.
    has_output: bool,
    pub(crate) types: TypeTable,
    pub(crate) layouts: Layouts,
    body_types: ConcreteTypes,
    known_objects: FxHashMap<std::any::TypeId, Option<output::KnownObject>>,
    last_object: u64,
    empty: EmptyElements,
}

/// Data, and the bodies of objects in it in the order of their offsets.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    bodies: Vec<Body>,
}

impl<'w> Encoder<'w> {
    /// Creates an encoder that has written nothing.
    pub fn new() -> Self {
        Encoder::with(&Options::new())
    }

    /// As [`new`](Encoder::new), with options: classes are written in the versions that the options
    /// request.
    pub fn with(options: &Options<'_>) -> Self {
        Encoder::for_profile(Profile::Embedded, Vec::new(), options)
    }

    /// Creates an encoder that has not even written the start of the file. It writes into `buffer`,
    /// which is empty.
    fn empty(profile: Profile, buffer: Vec<u8>, options: &Options<'_>) -> Self {
        Encoder {
            part: Part { bytes: buffer, bodies: Vec::new() },
            other: Part::default(),
            state: State::Tagged,
            run: 0,
            outer: Vec::new(),
            profile,
            fingerprint: 0,
            root: TypeId::ANY,
            sink: None,
            written: 0,
            has_output: false,
            types: TypeTable::new(options.get_targets().clone()),
            layouts: Layouts::default(),
            body_types: ConcreteTypes::default(),
            known_objects: FxHashMap::default(),
            last_object: 0,
            empty: EmptyElements::new(options),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember) if a class has two members with
    /// one name; [`ErrorKind::BadPointer`](archive_core::ErrorKind::BadPointer) if an object was written twice.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        if let Some(refusal) = self.types.refusal() {
            return Err(refusal);
        }
        let Part { bytes: mut out, mut bodies } = self.part;
        // If the root went to the sink while it was written, the data holds nothing else.
        let written = self.written;
        let root_end = out.len();
        out.append(&mut self.other.bytes);
        bodies
            .extend(self.other.bodies.iter().map(|body| Body { at: body.at + root_end, ..*body }));
        let bodies = by_id(bodies, self.last_object)?;
        let contents = Contents {
            written,
            root_end,
            root: self.root,
            types: &self.types,
            layouts: &self.layouts,
            body_types: &self.body_types,
            bodies: &bodies,
            last_object: self.last_object,
        };
        Encoder::put_end(self.profile, self.fingerprint, &mut out, &contents);
        Ok(out)
    }
}

impl Default for Encoder<'_> {
    fn default() -> Self {
        Encoder::new()
    }
}

/// Writes a scalar: its bytes, or a tag and the bytes where it describes itself.
macro_rules! scalars {
    ($($name:ident($ty:ty): $put:expr, $tagged:ident;)*) => { $(
        #[inline]
        fn $name(&mut self, value: $ty) -> Result {
            if matches!(self.state, State::Tagged) {
                return self.$tagged(value.into());
            }
            let put: fn(&mut Vec<u8>, $ty) = $put;
            put(&mut self.part.bytes, value);
            Ok(())
        }
    )* };
}

/// Writes an integer of more than one byte: as [`scalars`], but with all its bytes inside of a
/// block.
macro_rules! integers {
    ($($name:ident($ty:ty): $put:expr, $tagged:ident;)*) => { $(
        #[inline]
        fn $name(&mut self, value: $ty) -> Result {
            match self.state {
                State::Tagged => return self.$tagged(value.into()),
                State::Block | State::Counting { items: Items::Block, .. } => {
                    self.part.bytes.extend_from_slice(&value.to_le_bytes());
                }
                _ => $put(&mut self.part.bytes, value.into()),
            }
            Ok(())
        }
    )* };
}

/// The message for maps of unknown length. The number of entries is stored before the entries, and
/// only that of a list can be inserted afterwards.
pub(crate) const MAP_OF_UNKNOWN_LEN: &str = "a map whose length is not known when it begins";

impl archive_core::Encoder for Encoder<'_> {
    scalars! {
        bool(bool): |out, value| out.push(value.into()), tagged_bool;
        u8(u8): |out, value| out.push(value), tagged_uint;
        i8(i8): |out, value| out.push(value as u8), tagged_int;
        f32(f32): |out, value| out.extend_from_slice(&value.to_le_bytes()), tagged_f32;
        f64(f64): |out, value| out.extend_from_slice(&value.to_le_bytes()), tagged_f64;
        char(char): |out, value| put_u64(out, u32::from(value).into()), tagged_char;
    }
    integers! {
        u16(u16): put_u64, tagged_uint;
        u32(u32): put_u64, tagged_uint;
        u64(u64): put_u64, tagged_uint;
        u128(u128): put_u128, tagged_uint;
        i16(i16): put_i64, tagged_int;
        i32(i32): put_i64, tagged_int;
        i64(i64): put_i64, tagged_int;
        i128(i128): put_i128, tagged_int;
    }

    #[inline]
    fn typed_member(&mut self, info: &'static Member) -> Result {
        if matches!(self.state, State::Plain | State::Block) {
            return Ok(());
        }
        self.member_slow(info.name, info.shape.get())
    }

    #[inline]
    fn block(&mut self, items: bool) -> Result<Option<&mut Vec<u8>>> {
        Ok(match self.state {
            State::Tagged => None,
            State::Block => Some(&mut self.part.bytes),
            _ if items => None,
            _ => Some(&mut self.part.bytes),
        })
    }

    #[inline]
    fn null(&mut self) -> Result {
        if matches!(self.state, State::Tagged) { self.tagged_null() } else { Ok(()) }
    }

    #[inline]
    fn str(&mut self, value: &str) -> Result {
        if matches!(self.state, State::Tagged) {
            return self.tagged_str(value);
        }
        put_bytes(&mut self.part.bytes, value.as_bytes());
        Ok(())
    }

    #[inline]
    fn bytes(&mut self, value: &[u8]) -> Result {
        if matches!(self.state, State::Tagged) {
            return self.tagged_bytes(value);
        }
        put_bytes(&mut self.part.bytes, value);
        Ok(())
    }

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        match (self.state, shape) {
            (State::Tagged, _) => self.begin_tagged_seq(),
            (State::Entries(map), _) => self.open(State::Entry(map, 0)),
            (_, Shape::Tuple(_, Some(_), _) | Shape::Array(_, _, Some(_), _)) => {
                self.open(State::Block)
            }
            (_, Shape::Tuple(items, _, _)) if items.iter().any(|item| is_any(*item)) => {
                self.open(State::Tuple(items, 0));
            }
            (_, Shape::Tuple(..)) => self.open(State::Plain),
            (_, Shape::Array(item, ..)) if is_any(*item) => self.open(State::TaggedItems),
            (_, Shape::Array(..)) => self.open(State::Plain),
            (_, Shape::Seq(item, _)) => return self.begin_counted(len, Items::of(item.get())),
            _ => return self.begin_counted(len, Items::Plain),
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self) -> Result {
        if !matches!(self.state, State::Plain | State::Block) {
            self.item_slow();
        }
        Ok(())
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        if matches!(self.state, State::Plain | State::Block) {
            self.close();
            return Ok(());
        }
        self.end_slow()
    }

    #[inline]
    fn begin_map(&mut self, shape: &'static Shape, len: usize) -> Result {
        if matches!(self.state, State::Tagged) {
            self.begin_tagged_seq();
        } else if len == UNKNOWN_LEN {
            return Err(self.unsupported(MAP_OF_UNKNOWN_LEN));
        } else {
            self.count_empty(shape, len)?;
            self.open(State::Entries(shape));
            put_u64(&mut self.part.bytes, len as u64);
        }
        Ok(())
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        if matches!(self.state, State::Plain)
            && class.members.is_some()
            && class.block_size().is_none()
        {
            self.run += 1;
        } else {
            self.object_slow(class);
        }
        Ok(())
    }

    // Inlined for hand-written functions: the name is a constant there, and comparing it with a
    // known name takes two instructions.
    #[inline(always)]
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        if !matches!(shape, Shape::Any) {
            if let State::Members { node, .. } = &mut self.state
                && let Some(after) = self.layouts.follows(*node, name, shape)
            {
                *node = after;
                return Ok(());
            }
            if matches!(self.state, State::Plain | State::Block) {
                return Ok(());
            }
        }
        self.member_slow(name, shape)
    }

    #[inline]
    fn end_object(&mut self) -> Result {
        if matches!(self.state, State::Plain | State::Block) {
            self.close();
            return Ok(());
        }
        self.end_slow()
    }

    #[inline]
    fn fixed_members(&self) -> bool {
        !matches!(self.state, State::Tagged | State::Members { .. })
    }

    // A class in the type table never has two members with one name.
    #[inline]
    fn refuses_duplicates(&self) -> bool {
        matches!(self.state, State::Members { .. })
    }

    #[inline]
    fn fixed_shape(&self) -> bool {
        !matches!(self.state, State::Tagged)
    }

    fn version(&mut self, version: u32) -> Result {
        match &mut self.state {
            State::Members { root, node, .. } => {
                *root = self.layouts.with_version(*root, version);
                *node = *root;
                Ok(())
            }
            State::Tagged => {
                self.tagged_key(reserved::VERSION);
                self.u32(version)
            }
            // The version of a derived type is stored in its class in the type table.
            _ => Ok(()),
        }
    }

    #[inline]
    fn none(&mut self) -> Result {
        if matches!(self.state, State::Tagged) {
            return self.tagged_null();
        }
        self.part.bytes.push(0);
        Ok(())
    }

    #[inline]
    fn begin_some(&mut self, shape: &'static Shape, null: bool) -> Result {
        match (self.state, shape) {
            (State::Tagged, _) if null => {
                self.begin_tagged_object();
                self.tagged_key(reserved::SOME);
            }
            (State::Tagged, _) => {}
            (_, Shape::Option(value)) => {
                self.part.bytes.push(1);
                self.open(State::Plain);
                self.slot(is_any(*value));
            }
            _ => return Err(self.unsupported("an option that is not announced as one")),
        }
        Ok(())
    }

    #[inline]
    fn end_some(&mut self, null: bool) -> Result {
        match self.state {
            State::Tagged if null => self.end_tagged(),
            State::Tagged => {}
            _ => self.close(),
        }
        Ok(())
    }

    #[inline]
    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        if matches!(self.state, State::Tagged) {
            return self.begin_tagged_variant(info.variant(index)?);
        }
        put_u64(&mut self.part.bytes, index as u64);
        let payload = &info.variant(index)?.payload;
        if !matches!(payload, Payload::Unit) {
            self.open(State::Plain);
            self.slot(matches!(payload, Payload::Newtype(value) if is_any(*value)));
        }
        Ok(())
    }

    #[inline]
    fn end_variant(&mut self) -> Result {
        if matches!(self.state, State::Plain | State::Block) {
            self.close();
            return Ok(());
        }
        self.end_slow()
    }

    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        if matches!(self.state, State::Tagged) {
            self.tagged_pointer(head.kind);
        }
        let bytes = &mut self.part.bytes;
        match head.kind {
            PointerKind::Null if matches!(self.state, State::Tagged) => {}
            PointerKind::Null => bytes.push(0),
            PointerKind::Owned => {
                let concrete = self.concrete(head);
                put_u64(&mut self.part.bytes, u64::from(concrete) + 1);
            }
            PointerKind::Body => {
                put_u64(bytes, head.id);
                let at = bytes.len();
                self.begin_body(head, at);
            }
            PointerKind::Seen | PointerKind::Later | PointerKind::Weak => put_u64(bytes, head.id),
            PointerKind::Plain => return Err(self.unsupported("a plain value as a pointer")),
        }
        self.count_object(head.id);
        if head.has_body() {
            self.open(State::Plain);
            self.slot(matches!(head.shape, Shape::Any));
        }
        Ok(())
    }

    fn end_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        if head.has_body() {
            self.close();
        }
        if matches!(self.state, State::Tagged) {
            self.end_tagged_value();
        }
        Ok(())
    }

    fn object(
        &mut self,
        object: &dyn Any,
        owned: bool,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        if !matches!(self.state, State::Plain) {
            return Ok(false);
        }
        fast_path::save_object(self, object, owned, session, options)
    }

    /// Deferred bodies are stored after the data of the root, so that the root can be read by
    /// position.
    fn begin_deferred(&mut self) -> Result {
        std::mem::swap(&mut self.part, &mut self.other);
        self.open(State::Plain);
        Ok(())
    }

    fn end_deferred(&mut self) -> Result {
        self.close();
        std::mem::swap(&mut self.part, &mut self.other);
        Ok(())
    }

    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.root = self.root_type(shape)?;
        self.state = State::Plain;
        self.slot(self.root == TypeId::ANY);
        Ok(())
    }
}
