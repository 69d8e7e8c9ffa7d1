//! How scripts change members, items, entries and elements.

use archive::path::{Path, Step};
use archive::reflect::{Edit, Peek, apply, set};
use archive::{Error, ErrorKind, Result, Value};

use crate::convert;
use crate::nodes::Node;
use crate::place::Place;
use crate::read::{index, key_name};

/// What writing a part costs, in instructions.
const WRITE: usize = 200;

/// Whether a part is there already.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Old,
    New,
}

impl Place {
    /// Sets the part with that key. nil removes an entry, an element and the last item; the index after the last
    /// item adds one.
    pub(crate) fn write(&self, key: &mlua::Value, value: &mlua::Value) -> Result {
        self.spend(WRITE)?;
        if let mlua::Value::String(name) = key
            && !value.is_nil()
            && let Some(node) = self.node.named(&name.as_bytes())
        {
            let done = self.store(&node, Part::Old, value);
            return match done {
                Err(error) if error.kind() == ErrorKind::NotFound => match self.peek()? {
                    Peek::Map(_) => self.store(&node, Part::New, value),
                    Peek::Set(_) => self.write_element(key, value),
                    _ => Err(error),
                },
                done => done,
            };
        }
        match self.peek()? {
            Peek::List(len) => self.write_item(len, key, value),
            Peek::Set(_) => self.write_element(key, value),
            Peek::Map(_) => self.write_entry(key, value),
            Peek::Variant(name) => self.part(self.node.part(name.into())).write(key, value),
            _ => self.store(&self.node.part((&*key_name(key)?).into()), Part::Old, value),
        }
    }

    fn write_item(&self, len: usize, key: &mlua::Value, value: &mlua::Value) -> Result {
        let Some(index) = index(key) else { return Err(self.no_item(key)) };
        let at = |index: usize| self.node.part((index - 1).into());
        if index == len + 1 {
            return if value.is_nil() { Ok(()) } else { self.store(&at(index), Part::New, value) };
        }
        if index == 0 || index > len {
            let message = format_args!(
                "there is no item {index} of {len}: items are added after the last one"
            );
            return Err(self.within(Error::new(ErrorKind::NotFound, message)));
        }
        if value.is_nil() && index == len {
            return self.change(&Edit::new().remove(at(index).path.clone()));
        }
        self.store(&at(index), Part::Old, value)
    }

    fn write_entry(&self, key: &mlua::Value, value: &mlua::Value) -> Result {
        let name = key_name(key)?;
        let node =
            self.node.named(name.as_bytes()).unwrap_or_else(|| self.node.part((&*name).into()));
        let change = |part| match value {
            mlua::Value::Nil => self.change(&Edit::new().remove(node.path.clone())),
            _ => self.store(&node, part, value),
        };
        match change(Part::Old) {
            Err(error) if error.kind() == ErrorKind::NotFound => match value {
                mlua::Value::Nil => Ok(()),
                _ => change(Part::New),
            },
            done => done,
        }
    }

    /// `set[x] = true` adds an element, nil or false removes it.
    fn write_element(&self, key: &mlua::Value, value: &mlua::Value) -> Result {
        let found = self.element(key)?;
        let at = |index: usize| self.node.part(index.into()).path.clone();
        match (value, found) {
            (mlua::Value::Boolean(true), None) => {
                let Peek::Set(len) = self.peek()? else { return Ok(()) };
                self.change(&Edit::new().insert(at(len), self.given(key)?))
            }
            (mlua::Value::Nil | mlua::Value::Boolean(false), Some(index)) => {
                self.change(&Edit::new().remove(at(index)))
            }
            (mlua::Value::Nil | mlua::Value::Boolean(_), _) => Ok(()),
            _ => {
                let message = "an element of a set is true or nil";
                Err(self.within(Error::new(ErrorKind::WrongType, message)))
            }
        }
    }

    /// Stores a value in a part.
    fn store(&self, node: &Node, part: Part, value: &mlua::Value) -> Result {
        let path = &node.path;
        // A part of the same object: pointers in it keep their objects.
        if let mlua::Value::UserData(other) = value
            && let Ok(other) = other.borrow::<Place>()
            && other.root.is(&self.root)
        {
            let edit = match part {
                Part::Old if *path == other.node.path => return Ok(()),
                Part::Old => Edit::new(),
                Part::New => Edit::new().insert(path.clone(), other.tree()?),
            };
            return self.change(&edit.attach(path.clone(), other.node.path.clone()));
        }
        let tree = self.given(value).map_err(|error| within(path, error))?;
        // An empty table may be an object.
        let again = matches!(value, mlua::Value::Table(_)).then(|| tree.clone());
        match (self.put(path, part, tree), again) {
            (Err(error), Some(tree)) if error.kind() == ErrorKind::WrongType => {
                let done = self.put(path, part, convert::with_empty_objects(tree));
                done.map_err(|_| error)
            }
            (done, _) => done,
        }
    }

    fn put(&self, path: &Path, part: Part, tree: Value) -> Result {
        match part {
            Part::Old => self.root.edit(|root, options, _| set(root, path, tree, options)),
            Part::New => self.change(&Edit::new().insert(path.clone(), tree)),
        }
    }

    fn change(&self, edit: &Edit) -> Result {
        self.root.edit(|root, options, _| apply(root, edit, options)).map(drop)
    }

    /// Prepends the path of the place to an error.
    pub(crate) fn within(&self, error: Error) -> Error {
        within(&self.node.path, error)
    }
}

fn within(path: &Path, error: Error) -> Error {
    path.steps().iter().rev().fold(error, |error, step| match step {
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(_) => error,
    })
}
