//! Files that are changed and saved again without the program's types. The documents of the formats are built on it;
//! programs use `archive::binary::Document` and those of the other formats.
//!
//! - [`Edited`] is the document of a format whose files state the type of each value.
//! - [`InShape`] saves a tree as a value of the types of a file, the [`Shapes`]. It refuses values
//!   that the program would not load.
//! - [`References`] makes the same checks for single values of a file, without a tree of the file.

mod before;
mod bodies;
mod describing;
mod edited;
mod fits;
mod form;
mod graph;
mod keys;
mod layouts;
mod marked;
mod observed;
mod places;
mod references_in_tree;
mod references_without_tree;
mod save_pointers;
mod scalar;
mod tour;
mod visit_pointers;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use archive_core::bridge::{Mention, keep_tree_ids, tree_id};
use archive_core::shape::OBJECT;
use archive_core::{
    Archive, Body, Class, Enum, Error, ErrorKind, Found, Member, Payload, Result, Save, Shape,
    Source, Value, reserved,
};

use bodies::{Choice, Entries, Items, Members, Named};
use tour::{Plan, address};

pub use edited::{Edited, Rewrite};
pub use marked::Marked;
pub use places::{Place, Step};
pub use references_without_tree::{
    Checked, Found as FoundPointer, Left, Part as ReplacedPart, References, Target, referred,
};

/// A class whose function is hand-written, and the members that some of its objects have.
pub type Layout = (&'static Class, &'static [Member]);

/// The types of a file, as data.
#[derive(Debug)]
pub struct Shapes {
    /// The type of the root.
    pub root: &'static Shape,
    /// The members of objects whose functions are hand-written.
    pub layouts: Vec<Layout>,
    /// The types of the objects to which pointers refer, with the ids under which those of trait
    /// objects are registered.
    pub pointees: Vec<(Option<String>, &'static Shape)>,
    /// For each shared object that is stored, by its id, the index of its type.
    pub objects: HashMap<u64, u32>,
    /// The tree that the file was loaded as.
    pub original: Marked,
}

/// A tree to be saved as a value of types that are known at run time: numbers get the types, and
/// members the order, of these types.
pub struct InShape<'v> {
    value: &'v Value,
    shapes: Arc<Shapes>,
    /// If the tree is a part of a file: the objects of the file to which it refers. It has no objects itself,
    /// and was visited before.
    elsewhere: Option<&'v [u64]>,
}

impl<'v> InShape<'v> {
    /// Creates the root of a file with these types from a tree.
    pub fn new(value: &'v Value, shapes: Arc<Shapes>) -> Self {
        InShape { value, shapes, elsewhere: None }
    }

    /// Creates a part of a file. It refers to objects of the file and has none itself.
    pub fn part(value: &'v Value, shapes: Arc<Shapes>, elsewhere: &'v [u64]) -> Self {
        InShape { value, shapes, elsewhere: Some(elsewhere) }
    }
}

impl Source for InShape<'_> {
    fn shape(&self) -> &'static Shape {
        self.shapes.root
    }
}

impl Body for InShape<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let plan = match self.elsewhere {
            None => {
                let plan = Plan::of(self.value, &self.shapes, ar.options())?;
                let kept = self.shapes.original.ids();
                let last = kept.last().copied().unwrap_or_default();
                keep_tree_ids(ar.session_mut(), kept, last);
                plan
            }
            Some(ids) => {
                keep_tree_ids(ar.session_mut(), ids.iter().copied(), 0);
                for id in ids {
                    tree_id(ar, *id, Mention::Stored)?;
                }
                Plan::default()
            }
        };
        let walk = Rc::new(Walk { shapes: self.shapes.clone(), plan });
        Part { value: self.value, shape: self.shapes.root, walk: &walk }.run(ar)
    }
}

/// The data that the visit of a tree needs.
struct Walk {
    shapes: Arc<Shapes>,
    plan: Plan,
}

/// A part of a tree, and the shape that it is saved in.
#[derive(Clone, Copy)]
struct Part<'v> {
    value: &'v Value,
    shape: &'static Shape,
    walk: &'v Rc<Walk>,
}

impl Body for Part<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self.shape {
            Shape::Primitive(primitive, _) => scalar::save(self.value, *primitive, ar),
            Shape::Seq(..) | Shape::Array(..) | Shape::Tuple(..) => self.seq(ar),
            Shape::Map(..) => self.map(ar),
            Shape::Option(value) => self.option(value.get(), ar),
            Shape::Class(class) => self.object(class, ar),
            Shape::Enum(info) => self.variant(info, ar),
            Shape::Pointer(..) | Shape::Weak(..) | Shape::Dyn => self.pointer(ar),
            _ => self.any(ar),
        }
    }
}

impl<'v> Part<'v> {
    fn part(&self, value: &'v Value, shape: &'static Shape) -> Part<'v> {
        Part { value, shape, walk: self.walk }
    }

    fn wrong(&self, expected: &str) -> Error {
        Error::wrong_type(expected, Found::from(self.value))
    }

    /// Returns the shape of an item of a sequence.
    fn item(&self, index: usize) -> &'static Shape {
        match self.shape {
            Shape::Seq(item, _) | Shape::Array(item, ..) => item.get(),
            Shape::Tuple(items, ..) => items.get(index).map_or(&Shape::Any, |item| item.get()),
            _ => &Shape::Any,
        }
    }

    fn seq<A: Archive>(&self, ar: &mut A) -> Result {
        let Value::Array(items) = self.value else { return Err(self.wrong("a sequence")) };
        let len = match self.shape {
            Shape::Array(_, len, ..) => *len,
            Shape::Tuple(items, ..) => items.len(),
            _ => items.len(),
        };
        if len != items.len() {
            let message = format_args!("expected {len} items, found {}", items.len());
            return Err(Error::new(ErrorKind::WrongLength, message));
        }
        ar.seq(self.shape, len, &mut Items(items, self))
    }

    /// Saves a map, whose entries are pairs or members of an object.
    fn map<A: Archive>(&self, ar: &mut A) -> Result {
        let len = match self.value {
            Value::Array(entries) => entries.len(),
            Value::Object(members) => members.len(),
            _ => return Err(self.wrong("a map")),
        };
        ar.map(self.shape, len, &mut Entries(self))
    }

    fn option<A: Archive>(&self, shape: &'static Shape, ar: &mut A) -> Result {
        let (present, null, value) = optional(self.value);
        ar.option(self.shape, present, null, &mut self.part(value, shape)).map(|_| ())
    }

    fn object<A: Archive>(&self, class: &'static Class, ar: &mut A) -> Result {
        let Value::Object(values) = self.value else { return Err(self.wrong("an object")) };
        let (version, values) = versioned(values)?;
        if let Some(members) = class.members {
            if version.is_some_and(|version| version != u64::from(class.version)) {
                let message = format_args!("the class of the object has version {}", class.version);
                return Err(
                    Error::new(ErrorKind::NewerVersion, message).in_member(reserved::VERSION)
                );
            }
            return ar.object(class, &mut Members { values, members, of: self });
        }
        let layout = self.walk.plan.layouts.get(&address(self.value));
        let layout = layout.and_then(|layout| self.walk.shapes.layouts.get(*layout as usize));
        let Some((class, members)) = layout else { return Err(self.wrong("an object")) };
        ar.object(class, &mut Members { values, members, of: self })
    }

    fn variant<A: Archive>(&self, info: &'static Enum, ar: &mut A) -> Result {
        let (name, payload) = match self.value {
            Value::Str(name) => (name, &Value::Null),
            Value::Object(members) if members.len() == 1 => (&members[0].0, &members[0].1),
            _ => return Err(self.wrong(&format!("a variant of `{}`", info.name()))),
        };
        let Some(index) = info.find(name) else {
            let message = format_args!("`{}` has no variant `{name}`", info.name());
            return Err(Error::new(ErrorKind::UnknownVariant, message));
        };
        let shape = match &info.variants[index].payload {
            Payload::Newtype(value) => value.get(),
            _ if payload.is_null() => &Shape::Any,
            _ => {
                let message = format_args!("`{name}`, which has no data");
                return Err(Error::wrong_type(message, Found::from(payload)).in_member(name));
            }
        };
        ar.variant(info, &mut Choice { index, payload: self.part(payload, shape) })
    }

    /// Saves a self-describing value.
    fn any<A: Archive>(&self, ar: &mut A) -> Result {
        match self.value {
            Value::Array(items) => ar.seq(&Shape::Any, items.len(), &mut Items(items, self)),
            Value::Object(_) if self.walk.plan.pointers.contains(&address(self.value)) => {
                self.pointer(ar)
            }
            Value::Object(members) => {
                ar.session_mut().current.size_hint = members.len();
                ar.object(&OBJECT, &mut Named(members, self))
            }
            value => value.save(ar),
        }
    }
}

/// The version of an object, if it has one, and its members.
type Versioned<'v> = (Option<u64>, &'v [(String, Value)]);

fn versioned(members: &[(String, Value)]) -> Result<Versioned<'_>> {
    match members.split_first() {
        Some(((name, version), members)) if name == reserved::VERSION => match version.as_u64() {
            Some(version) => Ok((Some(version), members)),
            None => {
                let error = Error::wrong_type("the version of an object", Found::from(version));
                Err(error.in_member(reserved::VERSION))
            }
        },
        _ => Ok((None, members)),
    }
}

/// Returns whether there is a value, whether it is itself null, and the value.
fn optional(value: &Value) -> (bool, bool, &Value) {
    match value {
        Value::Null => (false, false, value),
        Value::Object(members) if matches!(&**members, [(name, _)] if name == reserved::SOME) => {
            (true, true, &members[0].1)
        }
        value => (true, false, value),
    }
}
