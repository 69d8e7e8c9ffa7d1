//! [`Encoder`]: writes values by position and describes their types at the end.

mod tagged;

use archive_core::encoder::UNKNOWN_LEN;
use archive_core::pointer::{PointerHead, PointerKind};
use archive_core::shape::{Class, Enum, Payload, Shape, ShapeFn};
use archive_core::{Error, ErrorKind, Result};

use crate::container::{put_footer, put_header};
use crate::intern::TypeTable;
use crate::layouts::{Layouts, Node};
use crate::objects::{Body, Concretes};
use crate::types::TypeId;
use crate::varint::{len_u64, put_i64, put_i128, put_u64, put_u128};
use crate::write_tables::{Contents, put_tables};

/// Writes the binary format.
///
/// Values of types that are known from the start are nothing but their bytes: the encoder looks at
/// what it is inside of only where that is not [`State::Plain`].
pub struct Encoder {
    /// The part being written: the root's data, or deferred bodies.
    part: Part,
    /// The other one.
    other: Part,
    state: State,
    /// How many more of the same are open.
    run: usize,
    outer: Vec<(State, usize)>,
    root: TypeId,
    types: TypeTable,
    layouts: Layouts,
    concretes: Concretes,
    last_object: u64,
}

/// Data, and the bodies of objects in it in the order of their offsets.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    bodies: Vec<Body>,
}

/// What the encoder is inside of.
#[derive(Clone, Copy)]
enum State {
    /// Something whose components are known and do not describe themselves.
    Plain,
    /// A place for a value that describes itself, or that value.
    Tagged,
    /// A sequence of values that describe themselves.
    TaggedItems,
    /// A tuple of which some items describe themselves, and how many were announced.
    Tuple(&'static [ShapeFn], usize),
    /// A map of that shape.
    Entries(&'static Shape),
    /// An entry of such a map, and how many items of it were announced.
    Entry(&'static Shape, usize),
    /// A sequence whose length, which stands at `at`, is not known yet.
    Counting { at: usize, items: u64, tagged: bool },
    /// An object of a hand-written function: where it begins, the layout number written there,
    /// its class, and its members so far.
    Members { at: usize, number: u32, root: Node, node: Node },
}

fn is_any(shape: ShapeFn) -> bool {
    matches!(shape(), Shape::Any)
}

impl Encoder {
    /// An encoder that has written nothing.
    pub fn new() -> Self {
        let mut part = Part::default();
        put_header(&mut part.bytes);
        Encoder {
            part,
            other: Part::default(),
            state: State::Tagged,
            run: 0,
            outer: Vec::new(),
            root: TypeId::ANY,
            types: TypeTable::default(),
            layouts: Layouts::default(),
            concretes: Concretes::default(),
            last_object: 0,
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if a class has two members of one name.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        if let Some(refusal) = self.types.refusal() {
            return Err(refusal);
        }
        let Part { bytes: mut out, mut bodies } = self.part;
        let root_end = out.len();
        out.append(&mut self.other.bytes);
        bodies
            .extend(self.other.bodies.iter().map(|body| Body { at: body.at + root_end, ..*body }));
        bodies.sort_unstable_by_key(|body| body.id);
        if bodies.windows(2).any(|pair| pair[0].id == pair[1].id) {
            return Err(Error::new(ErrorKind::BadPointer, "an object was written twice"));
        }
        let tables = out.len();
        let contents = Contents {
            root_end,
            root: self.root,
            types: &self.types,
            layouts: &self.layouts,
            concretes: &self.concretes,
            bodies: &bodies,
            last_object: self.last_object,
        };
        put_tables(&mut out, &contents);
        put_footer(&mut out, tables);
        Ok(out)
    }

    /// Goes into something.
    #[inline]
    fn open(&mut self, state: State) {
        match (self.state, state) {
            (State::Plain, State::Plain) => self.run += 1,
            _ => {
                self.outer.push((self.state, self.run));
                (self.state, self.run) = (state, 0);
            }
        }
    }

    /// Comes back from what was opened last.
    #[inline]
    fn close(&mut self) {
        if self.run > 0 {
            self.run -= 1;
        } else if let Some(outer) = self.outer.pop() {
            (self.state, self.run) = outer;
        }
    }

    /// Announces the value of a component, which is tagged if it may be anything.
    #[inline]
    fn slot(&mut self, any: bool) {
        if any {
            self.open(State::Tagged);
        }
    }

    /// Writes a length, or leaves room for it.
    fn begin_counted(&mut self, len: usize, tagged: bool) {
        let state = if tagged { State::TaggedItems } else { State::Plain };
        if len == UNKNOWN_LEN {
            let at = self.part.bytes.len();
            self.open(State::Counting { at, items: 0, tagged });
            self.part.bytes.push(0);
        } else {
            self.open(state);
            put_u64(&mut self.part.bytes, len as u64);
        }
    }

    /// Replaces the number at `at`, which was written with the value `was`. What stands behind it
    /// moves if the new one takes another number of bytes.
    fn patch(&mut self, at: usize, was: u64, number: u64) {
        if was == number {
            return;
        }
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

    /// What an item announces, other than in plain sequences.
    fn special_item(&mut self) {
        let any = match &mut self.state {
            State::Plain | State::Tagged | State::Entries(_) | State::Members { .. } => false,
            State::TaggedItems => true,
            State::Tuple(items, next) => {
                *next += 1;
                items.get(*next - 1).is_some_and(|item| is_any(*item))
            }
            State::Entry(map, next) => {
                *next += 1;
                matches!(map, Shape::Map(key, value) if is_any(if *next == 1 { *key } else { *value }))
            }
            State::Counting { items, tagged, .. } => {
                *items += 1;
                *tagged
            }
        };
        self.slot(any);
    }

    /// Opens an object inside of something that is not plain, or of a hand-written function.
    fn special_object(&mut self, class: &'static Class) {
        if matches!(self.state, State::Tagged) {
            self.begin_tagged_object();
        } else if class.members.is_some() {
            self.open(State::Plain);
        } else {
            let root = self.layouts.root(class, &mut self.types);
            let number = self.layouts.predicted(root);
            let at = self.part.bytes.len();
            self.open(State::Members { at, number, root, node: root });
            put_u64(&mut self.part.bytes, number.into());
        }
    }

    /// A member of an object that is not plain, or one that describes itself.
    fn special_member(&mut self, name: &str, shape: &'static Shape) -> Result {
        match &mut self.state {
            State::Plain => {}
            State::Members { node, .. } => {
                *node = self.layouts.member(*node, name, shape, &mut self.types);
            }
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

    /// Closes something other than a plain object or sequence.
    fn special_end(&mut self) {
        match self.state {
            State::Tagged => return self.end_tagged(),
            State::Counting { at, items, .. } => self.patch(at, 0, items),
            State::Members { at, number, root, node } => {
                let found = self.layouts.finish(root, node, &mut self.types);
                self.patch(at, number.into(), found.into());
            }
            _ => {}
        }
        self.close();
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder::new()
    }
}

/// A scalar: its bytes, or tag and bytes where it describes itself.
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

impl archive_core::Encoder for Encoder {
    fn as_dyn(&mut self) -> &mut dyn archive_core::Encoder {
        self
    }

    scalars! {
        bool(bool): |out, value| out.push(value.into()), tagged_bool;
        u8(u8): |out, value| out.push(value), tagged_uint;
        u16(u16): |out, value| put_u64(out, value.into()), tagged_uint;
        u32(u32): |out, value| put_u64(out, value.into()), tagged_uint;
        u64(u64): put_u64, tagged_uint;
        u128(u128): put_u128, tagged_uint;
        i8(i8): |out, value| out.push(value as u8), tagged_int;
        i16(i16): |out, value| put_i64(out, value.into()), tagged_int;
        i32(i32): |out, value| put_i64(out, value.into()), tagged_int;
        i64(i64): put_i64, tagged_int;
        i128(i128): put_i128, tagged_int;
        f32(f32): |out, value| out.extend_from_slice(&value.to_le_bytes()), tagged_f32;
        f64(f64): |out, value| out.extend_from_slice(&value.to_le_bytes()), tagged_f64;
        char(char): |out, value| put_u64(out, u32::from(value).into()), tagged_char;
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
        put_u64(&mut self.part.bytes, value.len() as u64);
        self.part.bytes.extend_from_slice(value.as_bytes());
        Ok(())
    }

    #[inline]
    fn bytes(&mut self, value: &[u8]) -> Result {
        if matches!(self.state, State::Tagged) {
            return self.tagged_bytes(value);
        }
        put_u64(&mut self.part.bytes, value.len() as u64);
        self.part.bytes.extend_from_slice(value);
        Ok(())
    }

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        match (self.state, shape) {
            (State::Tagged, _) => self.begin_tagged_seq(),
            (State::Entries(map), _) => self.open(State::Entry(map, 0)),
            (_, Shape::Tuple(items)) if items.iter().any(|item| is_any(*item)) => {
                self.open(State::Tuple(items, 0));
            }
            (_, Shape::Tuple(_)) => self.open(State::Plain),
            (_, Shape::Array(item, _)) if is_any(*item) => self.open(State::TaggedItems),
            (_, Shape::Array(..)) => self.open(State::Plain),
            (_, Shape::Seq(item)) => self.begin_counted(len, is_any(*item)),
            _ => self.begin_counted(len, false),
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self) -> Result {
        if !matches!(self.state, State::Plain) {
            self.special_item();
        }
        Ok(())
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        if matches!(self.state, State::Plain) {
            self.close()
        } else {
            self.special_end()
        }
        Ok(())
    }

    #[inline]
    fn begin_map(&mut self, shape: &'static Shape, len: usize) -> Result {
        if matches!(self.state, State::Tagged) {
            self.begin_tagged_seq();
        } else {
            self.open(State::Entries(shape));
            put_u64(&mut self.part.bytes, len as u64);
        }
        Ok(())
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        if matches!(self.state, State::Plain) && class.members.is_some() {
            self.run += 1;
        } else {
            self.special_object(class);
        }
        Ok(())
    }

    #[inline]
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        if matches!(self.state, State::Plain) && !matches!(shape, Shape::Any) {
            return Ok(());
        }
        self.special_member(name, shape)
    }

    #[inline]
    fn end_object(&mut self) -> Result {
        if matches!(self.state, State::Plain) {
            self.close()
        } else {
            self.special_end()
        }
        Ok(())
    }

    fn version(&mut self, version: u32) -> Result {
        match &mut self.state {
            State::Members { root, node, .. } => {
                *root = self.layouts.with_version(*root, version);
                *node = *root;
                Ok(())
            }
            State::Tagged => {
                self.tagged_key("$version");
                self.u32(version)
            }
            // That of a derived type stands in the class table.
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
    fn begin_some(&mut self, shape: &'static Shape, nullable: bool) -> Result {
        match (self.state, shape) {
            (State::Tagged, _) if nullable => self.begin_tagged_seq(),
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
    fn end_some(&mut self, nullable: bool) -> Result {
        match self.state {
            State::Tagged if nullable => self.end_tagged(),
            State::Tagged => {}
            _ => self.close(),
        }
        Ok(())
    }

    #[inline]
    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        if matches!(self.state, State::Tagged) {
            return self.begin_tagged_variant(&info.variants[index]);
        }
        put_u64(&mut self.part.bytes, index as u64);
        let payload = &info.variants[index].payload;
        if !matches!(payload, Payload::Unit) {
            self.open(State::Plain);
            self.slot(matches!(payload, Payload::Newtype(value) if is_any(*value)));
        }
        Ok(())
    }

    #[inline]
    fn end_variant(&mut self) -> Result {
        if matches!(self.state, State::Plain) {
            self.close()
        } else {
            self.special_end()
        }
        Ok(())
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
                let concrete = self.concretes.intern(head.shape, head.type_name, &mut self.types);
                put_u64(bytes, u64::from(concrete) + 1);
            }
            PointerKind::Body => {
                put_u64(bytes, head.id);
                let at = bytes.len();
                let concrete = self.concretes.intern(head.shape, head.type_name, &mut self.types);
                self.part.bodies.push(Body { id: head.id, at, concrete });
            }
            PointerKind::Seen | PointerKind::Later | PointerKind::Weak => put_u64(bytes, head.id),
            PointerKind::Plain => return Err(self.unsupported("a pointer that is none")),
        }
        self.last_object = self.last_object.max(head.id);
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

    /// Bodies that had to wait stand behind the data of the root, so that they are not in the way
    /// of what is read by position.
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
        self.root = self.types.intern(shape);
        self.state = State::Plain;
        self.slot(self.root == TypeId::ANY);
        Ok(())
    }
}
