//! Trees as values of Lua, and back.

use archive::value::Number;
use archive::{Error, ErrorKind, Result, Value};
use mlua::{Lua, Table};

use crate::budget::Budget;
use crate::place::Place;

/// How deeply tables may nest.
const DEPTH: usize = 64;

/// Returns a value that a script reads. Arrays and objects are new tables.
pub(crate) fn to_lua(value: &Value, lua: &Lua) -> mlua::Result<mlua::Value> {
    in_lua(value, lua, DEPTH)
}

fn in_lua(value: &Value, lua: &Lua, depth: usize) -> mlua::Result<mlua::Value> {
    Ok(match value {
        Value::Null => mlua::Value::Nil,
        Value::Bool(value) => mlua::Value::Boolean(*value),
        Value::Number(Number::F32(value)) => mlua::Value::Number((*value).into()),
        Value::Number(Number::F64(value)) => mlua::Value::Number(*value),
        Value::Number(number) => {
            mlua::Value::Integer(integer(number).map_err(crate::error::to_lua)?)
        }
        Value::Str(text) => mlua::Value::String(lua.create_string(text)?),
        Value::Bytes(bytes) => mlua::Value::String(lua.create_string(bytes)?),
        Value::Array(items) => {
            let depth = below(depth).map_err(crate::error::to_lua)?;
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (index, item) in items.iter().enumerate() {
                table.raw_set(index + 1, in_lua(item, lua, depth)?)?;
            }
            mlua::Value::Table(table)
        }
        Value::Object(members) => {
            let depth = below(depth).map_err(crate::error::to_lua)?;
            let table = lua.create_table_with_capacity(0, members.len())?;
            for (name, member) in members {
                table.raw_set(name.as_str(), in_lua(member, lua, depth)?)?;
            }
            mlua::Value::Table(table)
        }
    })
}

/// Returns the depth that is left below a table.
fn below(depth: usize) -> Result<usize> {
    depth.checked_sub(1).ok_or_else(|| {
        Error::new(ErrorKind::DepthLimit, format_args!("the tables nest more than {DEPTH} deep"))
    })
}

/// Lua's integers have 64 bits and a sign. A float would be another number.
fn integer(number: &Number) -> Result<i64> {
    let integer = match number {
        Number::Int(value) => i64::try_from(*value).ok(),
        Number::UInt(value) => i64::try_from(*value).ok(),
        Number::F32(_) | Number::F64(_) => None,
    };
    integer.ok_or_else(|| {
        Error::new(ErrorKind::OutOfRange, format_args!("{number} does not fit an integer of Lua"))
    })
}

/// Returns what a script gives to the program, which is charged. The parts of an object that the script was given are copied.
pub(crate) fn from_lua(value: &mlua::Value, budget: &Budget) -> Result<Value> {
    tree(value, budget, DEPTH)
}

fn tree(value: &mlua::Value, budget: &Budget, depth: usize) -> Result<Value> {
    budget.spend(20)?;
    Ok(match value {
        mlua::Value::Nil => Value::Null,
        mlua::Value::Boolean(value) => Value::Bool(*value),
        mlua::Value::Integer(value) => Value::from(*value),
        mlua::Value::Number(value) => Value::from(*value),
        mlua::Value::String(text) => {
            let bytes = text.as_bytes();
            // One text may be in many places.
            budget.spend(bytes.len() as u64 / 16)?;
            match std::str::from_utf8(&bytes) {
                Ok(text) => Value::from(text),
                Err(_) => Value::Bytes(bytes.to_vec()),
            }
        }
        mlua::Value::Table(table) => return of_table(table, budget, below(depth)?),
        mlua::Value::UserData(object) if let Ok(place) = object.borrow::<Place>() => {
            place.tree()?
        }
        other => {
            let message = format_args!("a {} of Lua cannot be stored", other.type_name());
            return Err(Error::new(ErrorKind::WrongType, message));
        }
    })
}

/// A table with items is a list, one with names an object. An empty one is a list.
fn of_table(table: &Table, budget: &Budget, depth: usize) -> Result<Value> {
    let lua = |error: mlua::Error| crate::error::from_lua(&error);
    let len = table.raw_len();
    let mut items = Vec::new();
    for index in 1..=len {
        let item = table.raw_get(index).map_err(lua)?;
        items.push(tree(&item, budget, depth).map_err(|error| error.in_item(index - 1))?);
    }
    let mut members = Vec::new();
    for pair in table.pairs::<mlua::Value, mlua::Value>() {
        let (key, member) = pair.map_err(lua)?;
        let name = match key {
            mlua::Value::Integer(index) if (1..=len as i64).contains(&index) => continue,
            mlua::Value::String(name) => name.to_str().map_err(lua)?.to_owned(),
            mlua::Value::Integer(key) => key.to_string(),
            other => {
                let message = format_args!("a {} is not a name of a member", other.type_name());
                return Err(Error::new(ErrorKind::WrongType, message));
            }
        };
        let member = tree(&member, budget, depth).map_err(|error| error.in_member(&name))?;
        members.push((name, member));
    }
    match (len, members.is_empty()) {
        (_, true) => Ok(Value::Array(items)),
        (0, false) => {
            // The order of a table changes from run to run.
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Ok(Value::Object(members))
        }
        (_, false) => {
            let message = "a table with both items and names cannot be stored";
            Err(Error::new(ErrorKind::WrongType, message))
        }
    }
}

/// Returns the tree with objects for empty lists: an empty table may be either.
pub(crate) fn with_empty_objects(tree: Value) -> Value {
    match tree {
        Value::Array(items) if items.is_empty() => Value::Object(Vec::new()),
        Value::Array(items) => Value::Array(items.into_iter().map(with_empty_objects).collect()),
        Value::Object(members) => {
            let part = |(name, member)| (name, with_empty_objects(member));
            Value::Object(members.into_iter().map(part).collect())
        }
        scalar => scalar,
    }
}
