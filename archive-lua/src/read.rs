//! How scripts read members, items, entries and elements.

use std::rc::Rc;

use archive::path::{Path, Step};
use archive::reflect::{Peek, Row, children, peek};
use archive::{Error, ErrorKind, Result, Value};
use mlua::{Function, Lua};

use crate::convert;
use crate::error::to_lua;
use crate::nodes::Node;
use crate::place::Place;

/// What reading a part costs, in instructions.
const READ: usize = 20;

impl Place {
    /// Returns the part with that key: a scalar, a place, or nil if there is no such item or entry.
    pub(crate) fn read(&self, lua: &Lua, key: &mlua::Value) -> mlua::Result<mlua::Value> {
        self.spend(READ).map_err(to_lua)?;
        let node = match key {
            mlua::Value::String(name) => self.node.named(&name.as_bytes()),
            _ => self.find(key).map_err(to_lua)?,
        };
        let Some(node) = node else { return self.absent(key) };
        let found = self.root.view(|root, options| peek(root, &node.path, options));
        match found {
            Ok(Peek::Scalar(value)) => convert::to_lua(&value, lua),
            Ok(_) => lua.create_userdata(self.part(node)).map(mlua::Value::UserData),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.method(lua, key, error).map_err(to_lua)
            }
            Err(error) => Err(to_lua(error)),
        }
    }

    /// Returns the node of the part with a key that is not a name; `None` if there is no such part.
    fn find(&self, key: &mlua::Value) -> Result<Option<Rc<Node>>> {
        Ok(match self.peek()? {
            // Indices begin at 1 in Lua, and at 0 in paths.
            Peek::List(len) => match index(key) {
                Some(index) if (1..=len).contains(&index) => {
                    Some(self.node.part((index - 1).into()))
                }
                Some(_) => None,
                None => return Err(self.no_item(key)),
            },
            Peek::Variant(name) => return self.part(self.node.part(name.into())).find(key),
            Peek::Map(_) => self.node.named(key_name(key)?.as_bytes()),
            _ => None,
        })
    }

    #[cold]
    pub(crate) fn no_item(&self, key: &mlua::Value) -> Error {
        let error = match key {
            mlua::Value::Integer(_) | mlua::Value::Number(_) => "there are no items".to_owned(),
            other => format!("the index of an item is an integer, not a {}", other.type_name()),
        };
        self.within(Error::new(ErrorKind::NotFound, error))
    }

    /// What a script gets for a key without a part: nil, or whether a set has the element.
    fn absent(&self, key: &mlua::Value) -> mlua::Result<mlua::Value> {
        let found = match self.peek().map_err(to_lua)? {
            Peek::Set(_) => self.element(key).map_err(to_lua)?,
            Peek::List(_) | Peek::Map(_) => None,
            Peek::Variant(name) => return self.part(self.node.part(name.into())).absent(key),
            _ => return Err(to_lua(self.no_item(key))),
        };
        Ok(if found.is_some() { mlua::Value::Boolean(true) } else { mlua::Value::Nil })
    }

    /// Returns the index of an element of a set.
    pub(crate) fn element(&self, key: &mlua::Value) -> Result<Option<usize>> {
        let element = self.given(key)?;
        let Value::Array(elements) = self.tree()? else { return Ok(None) };
        Ok(elements.iter().position(|it| same(it, &element)))
    }

    /// Returns the method of that name. Keys that a map lacks are nil.
    fn method(&self, lua: &Lua, key: &mlua::Value, error: Error) -> Result<mlua::Value> {
        match self.peek() {
            Ok(Peek::Map(_) | Peek::List(_)) => return Ok(mlua::Value::Nil),
            Ok(Peek::Set(_)) => {
                let found = self.element(key)?;
                let nil = mlua::Value::Nil;
                return Ok(found.map_or(nil, |_| mlua::Value::Boolean(true)));
            }
            _ => {}
        }
        match key {
            mlua::Value::String(name) => {
                match self.shared.method(lua, self, &name.to_string_lossy())? {
                    Some(method) => Ok(mlua::Value::Function(method)),
                    None => Err(error),
                }
            }
            _ => Err(error),
        }
    }

    /// Returns a function that gives the next key and its value.
    pub(crate) fn pairs(&self, lua: &Lua) -> mlua::Result<Function> {
        self.spend(READ).map_err(to_lua)?;
        let keys = match self.peek().map_err(to_lua)? {
            Peek::List(len) => Keys::Items(1..=len),
            Peek::Set(_) => match self.tree().map_err(to_lua)? {
                Value::Array(elements) => Keys::Elements(elements.into_iter()),
                _ => Keys::Elements(Vec::new().into_iter()),
            },
            _ => Keys::Names(self.names().map_err(to_lua)?.into_iter()),
        };
        let (place, mut keys) = (self.clone(), keys);
        lua.create_function_mut(move |lua, _: mlua::MultiValue| {
            place.spend(READ).map_err(to_lua)?;
            let key = match &mut keys {
                Keys::Items(items) => items.next().map(|index| mlua::Value::Integer(index as i64)),
                Keys::Names(names) => match names.next() {
                    Some(name) => Some(mlua::Value::String(lua.create_string(name)?)),
                    None => None,
                },
                Keys::Elements(elements) => match elements.next() {
                    Some(element) => {
                        let element = convert::to_lua(&element, lua)?;
                        return Ok((element, mlua::Value::Boolean(true)));
                    }
                    None => None,
                },
            };
            match key {
                Some(key) => Ok((key.clone(), place.read(lua, &key)?)),
                None => Ok((mlua::Value::Nil, mlua::Value::Nil)),
            }
        })
    }

    /// Returns the names of the members, or the keys.
    fn names(&self) -> Result<Vec<String>> {
        let path: &Path = &self.node.path;
        let rows = self.root.view(|root, options| children(root, path, options))?;
        self.spend(rows.len() * 20)?;
        let name = |row: &Row| match row.path.to_path().steps().get(path.len()) {
            Some(Step::Name(name)) => Some(name.strip_prefix('$').unwrap_or(name).to_owned()),
            _ => None,
        };
        Ok(rows.iter().filter_map(name).collect())
    }
}

/// The keys that `pairs` visits.
enum Keys {
    Items(std::ops::RangeInclusive<usize>),
    Names(std::vec::IntoIter<String>),
    Elements(std::vec::IntoIter<Value>),
}

/// Whether two elements are the same value. A number may have another type.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.to_string() == other.to_string(),
        _ => one == other,
    }
}

/// Returns a key as an index that begins at 1. A negative one is 0.
pub(crate) fn index(key: &mlua::Value) -> Option<usize> {
    let index = match key {
        mlua::Value::Integer(index) => *index,
        mlua::Value::Number(number) if number.fract() == 0.0 => *number as i64,
        _ => return None,
    };
    Some(usize::try_from(index).unwrap_or(0))
}

/// Returns a key of a map as a name.
pub(crate) fn key_name(key: &mlua::Value) -> Result<String> {
    match key {
        mlua::Value::String(name) => Ok(name.to_string_lossy()),
        mlua::Value::Integer(key) => Ok(key.to_string()),
        mlua::Value::Number(key) if key.fract() == 0.0 => Ok(format!("{key:.0}")),
        mlua::Value::Boolean(key) => Ok(key.to_string()),
        other => {
            let message = format_args!("a {} is not a key of a map", other.type_name());
            Err(Error::new(ErrorKind::NotFound, message))
        }
    }
}
