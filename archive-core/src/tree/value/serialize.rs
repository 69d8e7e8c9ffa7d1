//! Loads a [`Value`].

use std::collections::HashMap;

use super::Value;
use super::in_place::change_part;
use super::mark::mark;
use super::tree_pointers::{self, is_pointer_name};
use crate::model::error::Result;
use crate::model::head::{PointerHead, PointerKind};
use crate::model::number::Number;
use crate::model::reserved;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::body::{Body, Keyed, LoadAny};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::{NoteKind, Session};
use crate::visit::walk::route;

impl Serialize for Value {
    const SHAPE: &'static Shape = &Shape::Any;
    const ABOUT: &'static About = &About::named("Value");
    const NULLABLE: bool = true;

    fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
        match self {
            Value::Null => true,
            Value::Object(members) => {
                members.first().is_some_and(|(name, _)| name == reserved::SOME)
            }
            _ => false,
        }
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        if route(ar).is_some() {
            return change_part(self, ar);
        }
        ar.session_mut().trees.met_pointer = false;
        ar.load_any(self)?;
        if ar.session().trees.met_pointer && !ar.session().trees.same_ids {
            tree_pointers::complete(self, ar)?;
        }
        Ok(())
    }
}

impl Blank for Value {
    fn blank(_: &Options<'_>) -> Self {
        Value::Null
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
        let hint = ar.size_hint();
        let (session, options) = ar.parts_mut();
        let room = session.hold_room(&mut items, hint, options)?;
        let mut index = 0;
        while ar.item(index, &mut Push(&mut items))? {
            index += 1;
        }
        let session = ar.session_mut();
        session.filled(room, room, size_of::<Value>());
        session.hold_no_more(&mut items);
        *self = Value::Array(items);
        Ok(())
    }

    fn object<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut object = Object::default();
        let layout = ar.session_mut().trees.layout.take();
        while ar.load_key(&mut object)? {}
        let session = ar.session_mut();
        if session.trees.marks {
            mark(&mut object.members, layout);
        }
        session.hold_no_more(&mut object.members);
        session.let_go(object.index_bytes);
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
            PointerKind::Weak => push_member(&mut members, reserved::WEAK, id, ar)?,
            _ if head.id != 0 => push_member(&mut members, reserved::ID, id, ar)?,
            _ => {}
        }
        if let Some(name) = head.type_name {
            ar.session_mut().hold(name.len())?;
            push_member(&mut members, reserved::TYPE, Value::from(name), ar)?;
        }
        if head.has_pointee() {
            let mut object = Value::Null;
            load_held(&mut object, ar)?;
            push_member(&mut members, reserved::VALUE, object, ar)?;
        }
        ar.session_mut().hold_no_more(&mut members);
        *self = Value::Object(members);
        Ok(())
    }
}

/// Loads a part of a tree, and counts the memory of its own text or bytes.
pub(crate) fn load_held<A: Archive>(value: &mut Value, ar: &mut A) -> Result {
    ar.load_any(value)?;
    match value.own_size() {
        0 => Ok(()),
        size => ar.session_mut().hold(size),
    }
}

/// Adds a member with a name of the format's own.
fn push_member<A: Archive>(
    members: &mut Vec<(String, Value)>,
    name: &'static str,
    value: Value,
    ar: &mut A,
) -> Result {
    let session = ar.session_mut();
    session.hold(name.len())?;
    session.hold_item(members, (name.to_owned(), value))
}

struct Push<'a>(&'a mut Vec<Value>);

impl Body for Push<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut item = Value::Null;
        load_held(&mut item, ar)?;
        ar.session_mut().hold_item(self.0, item)
    }
}

/// The members of an object to be loaded. If a name occurs twice, the last member replaces the
/// first.
#[derive(Default)]
struct Object {
    members: Vec<(String, Value)>,
    name: String,
    /// The index of each name, once there are too many to search linearly.
    index: HashMap<String, usize>,
    /// The memory that the index takes.
    index_bytes: usize,
}

const SEARCHED: usize = 16;

impl Object {
    fn find(&mut self, name: &str, session: &mut Session) -> Result<Option<usize>> {
        if self.members.len() < SEARCHED {
            return Ok(self.members.iter().position(|(key, _)| key == name));
        }
        if self.index.is_empty() {
            for at in 0..self.members.len() {
                let name = self.members[at].0.clone();
                self.note(name, at, session)?;
            }
        }
        Ok(self.index.get(name).copied())
    }

    fn note(&mut self, name: String, at: usize, session: &mut Session) -> Result {
        // An upper bound for an entry of a hash map: at least an eighth of the table is free, and
        // at most half. While the table grows, the old one exists next to the new one.
        const ENTRY: usize = 3 * (size_of::<(String, usize)>() + 1) * 8 / 7;
        let bytes = ENTRY + name.len();
        session.hold(bytes)?;
        self.index_bytes += bytes;
        self.index.insert(name, at);
        Ok(())
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
        ar.session_mut().hold(self.name.len())?;
        load_held(&mut value, ar)?;
        let name = std::mem::take(&mut self.name);
        let session = ar.session_mut();
        match self.find(&name, session)? {
            Some(at) => {
                self.members[at].1 = value;
                session.let_go(name.len());
                session.note(NoteKind::Duplicate);
                Ok(())
            }
            None => {
                if !self.index.is_empty() {
                    self.note(name.clone(), self.members.len(), session)?;
                }
                session.hold_item(&mut self.members, (name, value))
            }
        }
    }
}
