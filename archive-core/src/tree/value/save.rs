//! Saves a [`Value`], and trees that are kept elsewhere.

use super::Value;
use super::tree_pointers::{self, mention};
use crate::model::error::Result;
use crate::model::number::Number;
use crate::model::reserved;
use crate::model::scalar::Scalar;
use crate::model::shape::{OBJECT, Shape};
use crate::tree::opaque::Links;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::serialize::Save;
use crate::visit::session::Mention;

impl Save for Value {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        save_trees([self], ar, |ids, ar| save_tree(self, ids, ar))
    }
}

/// How the ids in a tree are saved.
#[derive(Clone, Copy)]
pub(crate) enum Ids<'a> {
    /// Each is replaced by a new id, which no other object of the file has.
    New,
    /// They are kept.
    Same,
    /// They denote objects of the program, and pointers to these objects are saved.
    Of(&'a Links),
}

/// Calls `save`, which saves trees one after the other with [`save_tree`].
pub(crate) fn save_trees<'v, A: Archive>(
    trees: impl IntoIterator<Item = &'v Value>,
    ar: &mut A,
    save: impl FnOnce(Ids<'static>, &mut A) -> Result,
) -> Result {
    if ar.session().trees.same_ids {
        return save(Ids::Same, ar);
    }
    let mut stored = Vec::new();
    trees.into_iter().for_each(|tree| tree_pointers::stored(tree, &mut stored));
    ar.session_mut().saved.begin_tree(&stored);
    save(Ids::New, ar)
}

/// Saves a tree.
pub(crate) fn save_tree<A: Archive>(tree: &Value, ids: Ids<'_>, ar: &mut A) -> Result {
    match tree {
        Value::Null => ar.scalar(Scalar::Unit),
        Value::Bool(value) => value.save(ar),
        Value::Number(Number::Int(value)) => save_int(*value, ar),
        Value::Number(Number::UInt(value)) => value.save(ar),
        Value::Number(Number::F32(value)) => value.save(ar),
        Value::Number(Number::F64(value)) => value.save(ar),
        Value::Str(text) => ar.scalar(Scalar::Str(text)),
        Value::Bytes(bytes) => ar.scalar(Scalar::ByteSlice(bytes)),
        Value::Array(items) => ar.seq(&Shape::Any, items.len(), &mut Items(items, ids)),
        Value::Object(members) => {
            if let Ids::Of(links) = ids
                && let Some((id, mention)) = mention(members)
            {
                return save_reference(id, mention, links, ar);
            }
            ar.session_mut().current.size_hint = members.len();
            ar.object(&OBJECT, &mut Members(members, ids))
        }
    }
}

/// Saves a pointer to the object that a reference denotes.
fn save_reference<A: Archive>(id: u64, mention: Mention, links: &Links, ar: &mut A) -> Result {
    match links.find(id)? {
        Some(object) => object.save(mention != Mention::Weak, &mut ar.erased()),
        None => ar.scalar(Scalar::Unit),
    }
}

/// Saves an integer with no more bits than it needs, because few formats have 128.
fn save_int<A: Archive>(value: i128, ar: &mut A) -> Result {
    if let Ok(value) = i64::try_from(value) {
        value.save(ar)
    } else if let Ok(value) = u64::try_from(value) {
        value.save(ar)
    } else {
        value.save(ar)
    }
}

struct Items<'a>(&'a [Value], Ids<'a>);

impl Body for Items<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, item) in self.0.iter().enumerate() {
            ar.item(index, &mut One(item, self.1))?;
        }
        Ok(())
    }
}

struct Members<'a>(&'a [(String, Value)], Ids<'a>);

impl Body for Members<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Members(members, ids) = *self;
        let mention = mention(members).filter(|_| !matches!(ids, Ids::Same));
        let Some((id, kind)) = mention else {
            return members
                .iter()
                .try_for_each(|(name, value)| ar.save_key(name, &mut One(value, ids)));
        };
        let limit = ar.options().settings().limits().pointers;
        let id = Value::from(ar.session_mut().saved.tree_id(id, kind, limit)?);
        let name_of_id = if kind == Mention::Weak { reserved::WEAK } else { reserved::ID };
        self.0.iter().try_for_each(|(name, value)| {
            ar.save_key(name, &mut One(if name == name_of_id { &id } else { value }, Ids::New))
        })
    }
}

/// A [`Body`] that saves a tree.
pub(crate) struct One<'a>(pub(crate) &'a Value, pub(crate) Ids<'a>);

impl Body for One<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        save_tree(self.0, self.1, ar)
    }
}
