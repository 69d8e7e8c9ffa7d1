//! [`Place`]: an object, or a part of one, in a script.

use std::rc::Rc;

use archive::reflect::{Peek, get, peek};
use archive::{Error, ErrorKind, Result, Value};
use mlua::{Lua, MetaMethod, UserData, UserDataFields, UserDataMethods};

use crate::convert;
use crate::error::to_lua;
use crate::nodes::Node;
use crate::objects::Root;
use crate::sandbox::Shared;

/// An object that a script was given, or a part of one: where it is, not what it is.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) shared: Rc<Shared>,
    pub(crate) root: Root,
    pub(crate) node: Rc<Node>,
}

impl Place {
    /// Charges the budget.
    #[inline]
    pub(crate) fn spend(&self, count: usize) -> Result {
        self.shared.budget.spend(count as u64)
    }

    pub(crate) fn peek(&self) -> Result<Peek> {
        self.root.view(|root, options| peek(root, &self.node.path, options))
    }

    /// Returns a copy of the value.
    pub(crate) fn tree(&self) -> Result<Value> {
        let tree = self.root.view(|root, options| get(root, &self.node.path, options))?;
        self.spend(parts(&tree) * 10)?;
        Ok(tree)
    }

    /// Returns a value of a script as a tree.
    pub(crate) fn given(&self, value: &mlua::Value) -> Result<Value> {
        convert::from_lua(value, &self.shared.budget)
    }

    /// Returns the place of a part.
    pub(crate) fn part(&self, node: Rc<Node>) -> Place {
        Place { shared: self.shared.clone(), root: self.root.clone(), node }
    }

    /// Returns the name of a variant with data, or of one without.
    pub(crate) fn variant(&self) -> Result<Option<String>> {
        Ok(match self.peek()? {
            Peek::Variant(name) => Some(name.to_owned()),
            Peek::Scalar(Value::Str(name)) => Some(name),
            _ => None,
        })
    }

    fn len(&self) -> Result<usize> {
        self.spend(20)?;
        match self.peek()? {
            Peek::List(len) | Peek::Set(len) | Peek::Map(len) => Ok(len),
            _ => {
                let message = "only lists, sets and maps have a length";
                Err(self.within(Error::new(ErrorKind::WrongType, message)))
            }
        }
    }

    /// Returns the start of the value as JSON.
    fn text(&self) -> Result<String> {
        const MOST: usize = 1_000;
        let mut text = self.tree()?.to_string();
        if text.len() > MOST {
            text.truncate(text.floor_char_boundary(MOST));
            text.push_str("...");
        }
        Ok(text)
    }
}

/// Returns how many parts a tree has.
fn parts(tree: &Value) -> usize {
    match tree {
        Value::Array(items) => 1 + items.iter().map(parts).sum::<usize>(),
        Value::Object(members) => {
            1 + members.iter().map(|(_, member)| parts(member)).sum::<usize>()
        }
        Value::Str(text) => 1 + text.len() / 64,
        _ => 1,
    }
}

impl UserData for Place {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        // The name of the type in messages of Lua.
        fields.add_meta_field(MetaMethod::Type, "object");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods
            .add_meta_method(MetaMethod::Index, |lua, this, key: mlua::Value| this.read(lua, &key));
        methods.add_meta_method(
            MetaMethod::NewIndex,
            |_, this, (key, value): (mlua::Value, mlua::Value)| {
                this.write(&key, &value).map_err(to_lua)
            },
        );
        methods.add_meta_method(MetaMethod::Len, |_, this, ()| this.len().map_err(to_lua));
        methods.add_meta_method(MetaMethod::Pairs, |lua: &Lua, this, ()| {
            Ok((this.pairs(lua)?, mlua::Value::Nil, mlua::Value::Nil))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| this.text().map_err(to_lua));
        methods.add_meta_method(MetaMethod::Eq, |_, this, other: mlua::UserDataRef<Place>| {
            Ok(this.root.is(&other.root) && this.node.path == other.node.path)
        });
    }
}
