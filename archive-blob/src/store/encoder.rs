//! [`Encoder`]: builds a [`StoreObject`] of a value.

use std::collections::HashSet;
use std::sync::Arc;

use archive_core::encoder::UNKNOWN_LEN;
use archive_core::shape::{Class, Enum, Payload, Shape, ShapeFn};
use archive_core::{Error, ErrorKind, Result};

use super::Variable;
use super::object::{Form, Member, StoreObject};
use super::shapes::{Names, Packing, name_of};

/// Builds a [`StoreObject`].
///
/// Objects become objects of their class; scalars, and sequences of plain data, become variables;
/// other sequences become lists. What stands for the rest is in the description of the format.
#[derive(Default)]
pub struct Encoder {
    root: Option<StoreObject>,
    open: Vec<Open>,
    /// The plain data that is being written, if any.
    packed: Option<Packed>,
    /// The name of the place being filled.
    place: Arc<str>,
    strings: HashSet<Arc<str>>,
    shapes: Names,
}

/// An object that is not closed.
struct Open {
    object: StoreObject,
    /// The key and value of the map that it is.
    entries: Option<(ShapeFn, ShapeFn)>,
}

/// A variable that is written item by item.
struct Packed {
    type_name: Arc<str>,
    bytes: Vec<u8>,
    /// How many bytes it must come to.
    size: usize,
    /// How many sequences are open in it.
    open: usize,
}

impl Encoder {
    /// An encoder of one value.
    pub fn new() -> Self {
        Encoder::default()
    }

    /// The object. A value that is no object or list is held by one.
    ///
    /// # Errors
    /// If the value was not written to its end.
    pub fn finish(self) -> Result<StoreObject> {
        match self.root {
            Some(root) if self.open.is_empty() && self.packed.is_none() => Ok(root),
            _ => Err(Error::custom("the value was not written to its end")),
        }
    }

    fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.strings.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.strings.insert(new.clone());
        new
    }

    /// A scalar of fixed size: part of the plain data that is open, or a variable.
    fn scalar(&mut self, type_name: &str, bytes: &[u8]) -> Result {
        if let Some(packed) = &mut self.packed {
            packed.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        self.variable(type_name, bytes.to_vec())
    }

    /// A value that cannot be part of plain data.
    fn variable(&mut self, type_name: &str, bytes: Vec<u8>) -> Result {
        self.not_packed()?;
        let type_name = self.intern(type_name);
        self.put_variable(type_name, bytes)
    }

    fn put_variable(&mut self, type_name: Arc<str>, bytes: Vec<u8>) -> Result {
        let name = self.place.clone();
        match self.open.last_mut() {
            Some(Open { object, .. }) => {
                let class = object.class.clone();
                object.members.push(Member::Variable(Variable { type_name, class, name, bytes }));
            }
            None => {
                let class = self.intern("value");
                let variable = Variable { type_name, class: class.clone(), name, bytes };
                let mut root = StoreObject::empty(class, Arc::default(), Form::Value);
                root.members.push(Member::Variable(variable));
                self.root = Some(root);
            }
        }
        Ok(())
    }

    fn begin(&mut self, class: &str, form: Form) -> Result {
        self.not_packed()?;
        let object = StoreObject::empty(self.intern(class), self.place.clone(), form);
        self.open.push(Open { object, entries: None });
        Ok(())
    }

    fn end(&mut self) -> Result {
        let Open { object, .. } = self.open.pop().ok_or_else(misuse)?;
        match self.open.last_mut() {
            Some(parent) => parent.object.members.push(Member::Child(object)),
            None => self.root = Some(object),
        }
        Ok(())
    }

    /// Opens a sequence: one variable if its shape says that it is plain data.
    fn begin_items(&mut self, shape: &'static Shape, len: usize) -> Result {
        if let Some(packed) = &mut self.packed {
            packed.open += 1;
            return Ok(());
        }
        if let (Shape::Tuple(..), Some(Open { entries: Some((key, value)), .. })) =
            (shape, self.open.last())
        {
            let class = format!("({}, {})", name_of(key()), name_of(value()));
            return self.begin(&class, Form::List);
        }
        let named = self.shapes.get(shape);
        let size = match named.packed {
            _ if len == UNKNOWN_LEN => None,
            Some(Packing::Fixed(size)) => Some(size),
            Some(Packing::Each(size)) => len.checked_mul(size),
            None => None,
        };
        match size {
            Some(size) => {
                let bytes = Vec::with_capacity(size.min(MOST_AT_ONCE));
                self.packed = Some(Packed { type_name: named.name, bytes, size, open: 1 });
                Ok(())
            }
            None if shape.is_any() => self.begin("list", Form::List),
            None => self.begin(&named.name, Form::List),
        }
    }

    fn not_packed(&self) -> Result {
        if self.packed.is_some() { Err(other_shape()) } else { Ok(()) }
    }
}

/// How many bytes are reserved for a variable before they are there.
const MOST_AT_ONCE: usize = 1 << 20;

/// The error for calls that do not come in a well-formed order.
#[cold]
fn misuse() -> Error {
    Error::new(ErrorKind::Unsupported, "an end of what was not begun")
}

#[cold]
fn other_shape() -> Error {
    Error::new(ErrorKind::Unsupported, "the value is of another shape than its type says")
}

macro_rules! scalars {
    ($($name:ident: $ty:ty as |$value:ident| $bytes:expr;)*) => { $(
        fn $name(&mut self, $value: $ty) -> Result {
            self.scalar(stringify!($name), &$bytes)
        }
    )* };
}

impl archive_core::Encoder for Encoder {
    scalars! {
        bool: bool as |value| [u8::from(value)];
        u8: u8 as |value| [value];
        u16: u16 as |value| value.to_le_bytes();
        u32: u32 as |value| value.to_le_bytes();
        u64: u64 as |value| value.to_le_bytes();
        u128: u128 as |value| value.to_le_bytes();
        i8: i8 as |value| value.to_le_bytes();
        i16: i16 as |value| value.to_le_bytes();
        i32: i32 as |value| value.to_le_bytes();
        i64: i64 as |value| value.to_le_bytes();
        i128: i128 as |value| value.to_le_bytes();
        f32: f32 as |value| value.to_le_bytes();
        f64: f64 as |value| value.to_le_bytes();
        char: char as |value| u32::from(value).to_le_bytes();
    }

    fn as_dyn(&mut self) -> &mut dyn archive_core::Encoder {
        self
    }
    fn null(&mut self) -> Result {
        self.variable("()", Vec::new())
    }
    fn str(&mut self, value: &str) -> Result {
        self.variable("String", value.as_bytes().to_vec())
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.variable("bytes", value.to_vec())
    }

    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        self.begin_items(shape, len)
    }
    fn begin_map(&mut self, shape: &'static Shape, len: usize) -> Result {
        self.begin_items(shape, len)?;
        if let (Shape::Map(key, value), None) = (shape, &self.packed)
            && let Some(open) = self.open.last_mut()
        {
            open.entries = Some((*key, *value));
        }
        Ok(())
    }
    fn item(&mut self) -> Result {
        // Items of plain data are in the place that the variable will take.
        if self.packed.is_none() && !self.place.is_empty() {
            self.place = Arc::default();
        }
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        let Some(packed) = &mut self.packed else { return self.end() };
        packed.open -= 1;
        match self.packed.take_if(|packed| packed.open == 0) {
            Some(packed) if packed.bytes.len() != packed.size => Err(other_shape()),
            Some(packed) => self.put_variable(packed.type_name, packed.bytes),
            None => Ok(()),
        }
    }

    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.begin(class.name(), Form::Object)
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.not_packed()?;
        self.place = self.intern(name);
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        self.end()
    }

    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        let variant = info.variant(index)?;
        if matches!(variant.payload, Payload::Unit) {
            return self.str(variant.name);
        }
        self.begin(info.name(), Form::Object)?;
        self.member(variant.name, &Shape::Any)
    }
}
