//! [`Encoder`]: converts a value to an [`Object`].

use std::collections::HashSet;
use std::sync::Arc;

use archive_core::encoder::UNCOUNTED;
use archive_core::shape::{Class, Enum, Payload, Shape, ShapeOf};
use archive_core::{Error, ErrorKind, Options, Result};

use crate::Variable;
use crate::bases::{BASE, qualified};
use crate::object::{Form, Member, Object, duplicate};
use crate::shapes::{Names, Packing, name_of};
use crate::signature;

/// Builds an [`Object`] from a value.
///
/// Objects become objects of their class; scalars, and sequences of plain data, become variables;
/// other sequences become lists. `docs/formats/bins.md` describes the representation of everything
/// else.
#[derive(Default)]
pub struct Encoder {
    root: Option<Object>,
    open: Vec<Open>,
    /// The plain data that is being written, if any.
    packed: Option<Packed>,
    /// The name of the member that is being written.
    place: Arc<str>,
    /// Whether that member is a base of the open object.
    is_base: bool,
    strings: HashSet<Arc<str>>,
    shapes: Names,
    /// The type of the root.
    root_shape: Option<&'static Shape>,
    /// Whether types are saved in versions other than their own.
    targeted: bool,
}

/// An object that is not closed.
struct Open {
    /// The object. For a base: its class and members, which are moved to the object around it.
    object: Object,
    /// Whether it is a base.
    is_base: bool,
    bases: Option<Box<Bases>>,
    /// If it is a map: the shapes of its keys and values.
    entries: Option<(ShapeOf, ShapeOf)>,
}

/// The bases in an object, and the names of the children that belong to them.
#[derive(Default)]
struct Bases {
    classes: HashSet<Arc<str>>,
    children: HashSet<Arc<str>>,
}

/// A variable that is written item by item.
struct Packed {
    type_name: Arc<str>,
    bytes: Vec<u8>,
    /// The number of bytes that it must have in the end.
    size: usize,
    /// How many sequences are open in it.
    open: usize,
}

impl Encoder {
    /// Creates an encoder of one value.
    pub fn new() -> Self {
        Encoder::default()
    }

    /// As [`new`](Encoder::new), with the options that the [`Saving`](archive_core::Saving) over it
    /// has.
    pub fn with(options: &Options<'_>) -> Self {
        Encoder { targeted: !options.settings().targets().is_empty(), ..Encoder::default() }
    }

    /// Returns the object. A value that is neither object nor list is wrapped in an object.
    ///
    /// # Errors
    /// If the value is incomplete.
    pub fn finish(self) -> Result<Object> {
        match self.root {
            Some(mut root) if self.open.is_empty() && self.packed.is_none() => {
                // A file for an older program has the layout of that program's types.
                let shape = self.root_shape.filter(|_| !self.targeted);
                root.class_signature = shape.and_then(signature::of_class);
                Ok(root)
            }
            _ => Err(Error::custom("the value is incomplete: `finish` was called before its end")),
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

    /// Writes a scalar of fixed size: a part of the plain data that is open, or a variable.
    fn scalar(&mut self, type_name: &str, bytes: &[u8]) -> Result {
        if let Some(packed) = &mut self.packed {
            packed.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        self.variable(type_name, bytes.to_vec())
    }

    /// Writes a value that cannot be part of plain data.
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
                let mut root = Object::empty(class, Arc::default(), Form::Value);
                root.members.push(Member::Variable(variable));
                self.root = Some(root);
            }
        }
        Ok(())
    }

    fn begin(&mut self, class: &str, form: Form) -> Result {
        self.not_packed()?;
        let object = Object::empty(self.intern(class), self.place.clone(), form);
        self.open.push(Open::new(object, false));
        Ok(())
    }

    /// Opens a base of the open object, which declares it.
    #[cold]
    fn begin_base(&mut self) -> Result {
        self.is_base = false;
        let (name, type_name) = (self.place.clone(), self.intern(BASE));
        let Some(derived) = self.open.last_mut() else { return Err(misuse()) };
        derived.object.members.push(Member::Variable(Variable {
            type_name,
            class: derived.object.class.clone(),
            name: name.clone(),
            bytes: Vec::new(),
        }));
        let whole = self.open.iter_mut().rev().find(|open| !open.is_base).ok_or_else(misuse)?;
        if whole.object.class == name || !whole.bases().classes.insert(name.clone()) {
            return Err(duplicate(&name));
        }
        let base = Object::empty(name.clone(), name, Form::Object);
        self.open.push(Open::new(base, true));
        Ok(())
    }

    fn end(&mut self) -> Result {
        let mut closed = self.open.pop().ok_or_else(misuse)?;
        let Some(outer) = self.open.last_mut() else {
            closed.check_names()?;
            self.root = Some(closed.object);
            return Ok(());
        };
        if closed.is_base {
            outer.object.members.append(&mut closed.object.members);
            if let Some(bases) = closed.bases {
                outer.bases().children.extend(bases.children);
            }
            return Ok(());
        }
        closed.check_names()?;
        let mut child = closed.object;
        if outer.is_base {
            child.name = format!("{}::{}", outer.object.class, child.name).into();
            outer.bases().children.insert(child.name.clone());
        }
        outer.object.members.push(Member::Child(child));
        Ok(())
    }

    /// Opens a sequence; it is one variable if its shape is plain data.
    fn begin_items(&mut self, shape: &'static Shape, len: usize) -> Result {
        if let Some(packed) = &mut self.packed {
            packed.open += 1;
            return Ok(());
        }
        if let (Shape::Tuple(..), Some(Open { entries: Some((key, value)), .. })) =
            (shape, self.open.last())
        {
            let class = format!("({}, {})", name_of(key.get()), name_of(value.get()));
            return self.begin(&class, Form::List);
        }
        let named = self.shapes.get(shape);
        let size = match named.packed {
            _ if len == UNCOUNTED => None,
            Some(Packing::Fixed(size)) => Some(size),
            Some(Packing::Each(size)) => len.checked_mul(size),
            None => None,
        };
        match size {
            Some(size) => {
                let bytes = Vec::with_capacity(size.min(MAX_RESERVED));
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

impl Open {
    fn new(object: Object, is_base: bool) -> Self {
        Open { object, is_base, bases: None, entries: None }
    }

    fn bases(&mut self) -> &mut Bases {
        self.bases.get_or_insert_default()
    }

    /// Refuses a child that could be mistaken for the child of a base.
    fn check_names(&self) -> Result {
        let Some(bases) = &self.bases else { return Ok(()) };
        let taken = |child: &&Object| {
            !bases.children.contains(&child.name)
                && qualified(&child.name).is_some_and(|(class, _)| bases.classes.contains(class))
        };
        match self.object.children().find(taken) {
            None => Ok(()),
            Some(child) => {
                let message = "the name is reserved for the members of a base";
                Err(Error::new(ErrorKind::Unsupported, message).in_member(&child.name))
            }
        }
    }
}

/// The maximum number of bytes that are reserved for a variable before they are written.
const MAX_RESERVED: usize = 1 << 20;

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    Error::new(ErrorKind::Unsupported, "calls out of order: an end without a begin")
}

#[cold]
fn other_shape() -> Error {
    Error::new(ErrorKind::Unsupported, "the value does not have the shape that its type declares")
}

impl archive_core::Encoder for Encoder {
    scalars!();

    fn null(&mut self) -> Result {
        self.variable("()", Vec::new())
    }
    fn str(&mut self, value: &str) -> Result {
        self.variable("String", value.as_bytes().to_vec())
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.variable("bytes", value.to_vec())
    }

    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.root_shape = Some(shape);
        Ok(())
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
        // Items of plain data are written while `place` names the variable.
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
        if self.is_base {
            return self.begin_base();
        }
        self.begin(class.name(), Form::Object)
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.not_packed()?;
        self.place = self.intern(name);
        self.is_base = false;
        Ok(())
    }
    fn known_member(&mut self, info: &'static archive_core::Member) -> Result {
        self.member(info.name, info.shape.get())?;
        self.is_base = info.base.is_some();
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
