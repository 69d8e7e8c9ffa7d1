//! The tables and columns of the types that a save states.

use std::cell::Cell;
use std::rc::Rc;

use super::found::Found;
use super::kinds::{Kind, Kinds};
use super::recorder::{ROOT, VALUE};
use super::types::{Id, Node, Types};

/// The number of columns and parts of columns of a table. Members after them are JSON.
const MOST: usize = 10_000;

/// Adds the tables of the types of a file, or of a row in the table of that class.
pub fn add(types: &Types, class: Option<&str>, found: &mut Found) {
    let mut finder = Finder { types, found, done: Vec::new() };
    let root = types.root;
    let name = types.root_class();
    let name = class.or(name.as_deref()).unwrap_or(ROOT);
    finder.rows(root, Some(name), class.unwrap_or(ROOT), class.is_none());
    finder.inside(root);
}

/// Returns the kinds of a row of one value.
fn value(kinds: Kinds) -> Kinds {
    Kinds::one(Kind::Struct(vec![(VALUE.into(), kinds)], true))
}

struct Finder<'a> {
    types: &'a Types,
    found: &'a mut Found,
    /// The types whose parts were visited.
    done: Vec<Id>,
}

impl Finder<'_> {
    fn kinds(&self, id: Id, is_outer: bool) -> Option<Kinds> {
        let walk = Walk { types: self.types, left: Cell::new(MOST) };
        walk.kinds(id, is_outer, &mut Vec::new())
    }

    /// Adds the tables of the objects in values of a type.
    fn inside(&mut self, id: Id) {
        if self.done.contains(&id) {
            return;
        }
        self.done.push(id);
        match self.types.get(id) {
            Node::Option(inner) => self.inside(*inner),
            Node::List(item) | Node::Map(_, item) => {
                self.item(*item);
                if let Node::Map(key, _) = self.types.get(id) {
                    self.inside(*key);
                }
            }
            Node::Tuple(items) => items.iter().for_each(|item| self.inside(*item)),
            Node::Class(_, members) => members.iter().for_each(|(_, member)| self.inside(*member)),
            Node::Enum(variants) => {
                variants.iter().filter_map(|(_, payload)| *payload).for_each(|of| self.inside(of));
            }
            Node::Pointer(pointee) => {
                let pointee = *pointee;
                self.object(pointee);
                self.inside(pointee);
            }
            Node::SharedTrait | Node::Trait => {
                for id in self.types.all_registered().collect::<Vec<_>>() {
                    self.object(id);
                    self.inside(id);
                }
            }
            _ => {}
        }
    }

    fn item(&mut self, item: Id) {
        let of = self.types.some(item);
        if matches!(self.types.get(of), Node::Class(..)) {
            self.object(of);
        }
        self.inside(item);
    }

    /// Adds the tables of shared objects of a type.
    fn object(&mut self, id: Id) {
        if let Some(other) = self.types.table(id) {
            self.rows(id, self.types.table(self.types.some(id)).as_deref(), &other, false);
        }
    }

    /// Adds the table of the objects of a type, and another one if a value may be something else.
    fn rows(&mut self, id: Id, class: Option<&str>, other: &str, is_outer: bool) {
        let of = self.types.some(id);
        let is_class = matches!(self.types.get(of), Node::Class(..));
        if let Some(class) = class.filter(|_| is_class) {
            self.found.add(class, self.kinds(of, is_outer).unwrap_or_default());
        }
        let kinds = match is_class {
            true if of == id => None,
            true => Some(Kinds::default().or_null()),
            false => self.kinds(id, is_outer),
        };
        if let Some(kinds) = kinds.filter(|kinds| kinds.is_null || !kinds.all.is_empty()) {
            self.found.add(other, value(kinds));
        }
    }
}

/// A walk over a type that may contain itself.
struct Walk<'a> {
    types: &'a Types,
    left: Cell<usize>,
}

impl Walk<'_> {
    /// Returns the kinds of the values of a type, or `None` if they are rows and nothing else.
    fn kinds(&self, id: Id, is_outer: bool, open: &mut Vec<Id>) -> Option<Kinds> {
        let (of, is_null) = (self.types.some(id), matches!(self.types.get(id), Node::Option(_)));
        let is_outer = is_outer && self.types.is_outer(id);
        let mut kinds = self.plain(of, is_outer, open)?;
        kinds.is_null |= is_null;
        Some(kinds)
    }

    fn plain(&self, id: Id, is_outer: bool, open: &mut Vec<Id>) -> Option<Kinds> {
        let left = self.left.get();
        if open.contains(&id) || left == 0 {
            return Some(Kinds::one(Kind::Json));
        }
        self.left.set(left - 1);
        open.push(id);
        let kinds = self.of_node(id, is_outer, open);
        open.pop();
        kinds
    }

    fn of_node(&self, id: Id, is_outer: bool, open: &mut Vec<Id>) -> Option<Kinds> {
        let mut inner = |id| self.kinds(id, false, open).unwrap_or_default();
        Some(Kinds::one(match self.types.get(id) {
            Node::Observed => return Some(Kinds::default()),
            Node::Open if is_outer => return Some(Kinds::default()),
            Node::Raw | Node::Open | Node::Trait | Node::Option(_) => Kind::Json,
            Node::Unit => return Some(Kinds::default().or_null()),
            Node::Bool => Kind::Bool,
            Node::Int(min, max) => Kind::Int(*min, *max),
            Node::F32 => Kind::Float { is_short: true, has_ints: false },
            Node::F64 => Kind::Float { is_short: false, has_ints: false },
            Node::Text => Kind::Text,
            Node::Bytes => Kind::Bytes,
            Node::List(item) if is_outer && matches!(self.types.get(*item), Node::Open) => {
                return Some(Kinds::default());
            }
            Node::List(_) | Node::Map(..) if is_outer => return None,
            Node::List(item) => Kind::List(inner(*item)),
            Node::Map(key, value) => Kind::Map(inner(*key), inner(*value)),
            Node::Tuple(items) => Kind::Tuple(items.iter().map(|item| inner(*item)).collect()),
            Node::Class(_, members) => {
                let mut all = Vec::new();
                for (name, member) in members {
                    if let Some(kinds) = self.kinds(*member, is_outer, open) {
                        all.push((name.clone(), kinds));
                    }
                }
                Kind::Struct(all, true)
            }
            Node::Enum(variants) => {
                let variant = |(name, payload): &(Rc<str>, Option<Id>)| {
                    (name.clone(), payload.map(&mut inner))
                };
                Kind::Enum(variants.iter().map(variant).collect())
            }
            Node::Pointer(_) | Node::Weak | Node::SharedTrait => {
                return Some(Kinds::one(Kind::Int(0, u64::MAX.into())).or_null());
            }
        }))
    }
}
