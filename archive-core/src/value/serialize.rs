//! How a [`Value`] is saved and loaded.

use std::collections::HashMap;

use super::pointers::{self, is_pointer_name, mention};
use super::{CLASS, Value};
use crate::archive::{Archive, Body, Keyed, LoadAny, loads};
use crate::blank::Blank;
use crate::decoder::SOME_NAME;
use crate::error::Result;
use crate::number::Number;
use crate::opaque::Links;
use crate::options::Options;
use crate::pointer::{PointerHead, PointerKind};
use crate::scalar::Scalar;
use crate::session::{Mention, NoteKind};
use crate::shape::Shape;
use crate::{Save, Serialize};

impl Serialize for Value {
    const SHAPE: &'static Shape = &Shape::Any;
    const NULLABLE: bool = true;

    fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
        match self {
            Value::Null => true,
            Value::Object(members) => members.first().is_some_and(|(name, _)| name == SOME_NAME),
            _ => false,
        }
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        ar.session_mut().trees.met_pointer = false;
        ar.load_any(self)?;
        if ar.session().trees.met_pointer {
            pointers::complete(self, ar)?;
        }
        Ok(())
    }
}

impl Save for Value {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        begin([self], ar);
        save_tree(self, None, ar)
    }
}

/// Announces trees that are saved one after the other with [`save_tree`].
pub(crate) fn begin<'v, A: Archive>(trees: impl IntoIterator<Item = &'v Value>, ar: &mut A) {
    let mut bodies = Vec::new();
    trees.into_iter().for_each(|tree| pointers::bodies(tree, &mut bodies));
    ar.session_mut().saved.begin_tree(&bodies);
}

/// Saves a tree that was announced; or one in which the pointers are references to objects, which are
/// saved as pointers to these.
pub(crate) fn save_tree<A: Archive>(tree: &Value, links: Option<&Links>, ar: &mut A) -> Result {
    match tree {
        Value::Null => ar.scalar(Scalar::Unit),
        Value::Bool(value) => value.save(ar),
        Value::Number(Number::Int(value)) => save_int(*value, ar),
        Value::Number(Number::UInt(value)) => value.save(ar),
        Value::Number(Number::F32(value)) => value.save(ar),
        Value::Number(Number::F64(value)) => value.save(ar),
        Value::Str(text) => ar.scalar(Scalar::Str(text)),
        Value::Bytes(bytes) => ar.scalar(Scalar::ByteSlice(bytes)),
        Value::Array(items) => ar.seq(&Shape::Any, items.len(), &mut Items(items, links)),
        Value::Object(members) => {
            if let Some(links) = links
                && let Some((id, mention)) = mention(members)
            {
                return save_reference(id, mention, links, ar);
            }
            ar.session_mut().size_hint = members.len();
            ar.object(&CLASS, &mut Members(members, links))
        }
    }
}

/// Saves a pointer to the object that a reference means.
fn save_reference<A: Archive>(id: u64, mention: Mention, links: &Links, ar: &mut A) -> Result {
    match links.find(id)? {
        Some(object) => object.save(mention != Mention::Weak, &mut ar.erased()),
        None => ar.scalar(Scalar::Unit),
    }
}

impl Blank for Value {
    fn blank(_: &Options<'_>) -> Self {
        Value::Null
    }
}

/// An integer with no more bits than it needs, since few formats have 128.
fn save_int<A: Archive>(value: i128, ar: &mut A) -> Result {
    if let Ok(value) = i64::try_from(value) {
        value.save(ar)
    } else if let Ok(value) = u64::try_from(value) {
        value.save(ar)
    } else {
        value.save(ar)
    }
}

struct Items<'a>(&'a [Value], Option<&'a Links>);

impl Body for Items<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, item) in self.0.iter().enumerate() {
            ar.item(index, &mut One(item, self.1))?;
        }
        Ok(())
    }
}

struct Members<'a>(&'a [(String, Value)], Option<&'a Links>);

impl Body for Members<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Some((id, kind)) = mention(self.0) else {
            let Members(members, links) = *self;
            return members
                .iter()
                .try_for_each(|(name, value)| ar.save_key(name, &mut One(value, links)));
        };
        let limit = ar.options().get_limits().pointers;
        let id = Value::from(ar.session_mut().saved.tree_id(id, kind, limit)?);
        let name_of_id = if kind == Mention::Weak { "$weak" } else { "$id" };
        self.0.iter().try_for_each(|(name, value)| {
            ar.save_key(name, &mut One(if name == name_of_id { &id } else { value }, None))
        })
    }
}

struct One<'a>(&'a Value, Option<&'a Links>);

impl Body for One<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        save_tree(self.0, self.1, ar)
    }
}

impl LoadAny for Value {
    fn null(&mut self) {
        *self = Value::Null;
    }
    fn bool(&mut self, value: bool) {
        *self = Value::Bool(value);
    }
    fn number(&mut self, value: Number) {
        *self = Value::Number(value);
    }
    fn str(&mut self, value: &str) {
        *self = Value::Str(value.to_owned());
    }
    fn bytes(&mut self, value: Vec<u8>) {
        *self = Value::Bytes(value);
    }

    fn seq<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut items = Vec::new();
        let mut index = 0;
        while ar.item(index, &mut Push(&mut items))? {
            index += 1;
        }
        *self = Value::Array(items);
        Ok(())
    }

    fn object<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut object = Object::default();
        while ar.load_key(&mut object)? {}
        *self = Value::Object(object.members);
        Ok(())
    }

    fn pointer<A: Archive>(&mut self, ar: &mut A, head: &PointerHead<'_>) -> Result {
        ar.session_mut().trees.met_pointer = true;
        let id = Value::from(head.id);
        let mut members = Vec::new();
        match head.kind {
            PointerKind::Null => {
                *self = Value::Null;
                return Ok(());
            }
            PointerKind::Plain => return ar.load_any(self),
            PointerKind::Weak => members.push(("$weak".to_owned(), id)),
            _ if head.id != 0 => members.push(("$id".to_owned(), id)),
            _ => {}
        }
        if let Some(name) = head.type_name {
            members.push(("$type".to_owned(), Value::from(name)));
        }
        if head.has_body() {
            let mut body = Value::Null;
            ar.load_any(&mut body)?;
            members.push(("$value".to_owned(), body));
        }
        *self = Value::Object(members);
        Ok(())
    }
}

struct Push<'a>(&'a mut Vec<Value>);

impl Body for Push<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut item = Value::Null;
        ar.load_any(&mut item)?;
        self.0.push(item);
        Ok(())
    }
}

/// The members of an object being loaded. Of a name that stands twice the last one wins.
#[derive(Default)]
struct Object {
    members: Vec<(String, Value)>,
    name: String,
    /// Where names stand, once there are too many to search.
    index: HashMap<String, usize>,
}

const SEARCHED: usize = 16;

impl Object {
    fn find(&mut self, name: &str) -> Option<usize> {
        if self.members.len() < SEARCHED {
            return self.members.iter().position(|(key, _)| key == name);
        }
        if self.index.is_empty() {
            let names = self.members.iter().map(|(name, _)| name.clone());
            self.index = names.zip(0..).collect();
        }
        self.index.get(name).copied()
    }
}

impl Keyed for Object {
    fn key(&mut self, name: &str) {
        self.name = name.to_owned();
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut value = Value::Null;
        if self.members.is_empty() && is_pointer_name(&self.name) {
            ar.session_mut().trees.met_pointer = true;
        }
        ar.load_any(&mut value)?;
        let name = std::mem::take(&mut self.name);
        match self.find(&name) {
            Some(at) => {
                self.members[at].1 = value;
                ar.session_mut().note(NoteKind::Duplicate);
            }
            None => {
                if !self.index.is_empty() {
                    self.index.insert(name.clone(), self.members.len());
                }
                self.members.push((name, value));
            }
        }
        Ok(())
    }
}
