//! [`Script`]: a loaded script, whose functions the program calls.

use std::rc::Rc;

use archive::{Error, ErrorKind, Result, Value};
use mlua::{Function, Lua, MultiValue, Table};

use crate::Arguments;
use crate::arguments::Argument;
use crate::convert;
use crate::error::from_lua;
use crate::objects::{Root, during};
use crate::place::Place;
use crate::sandbox::Shared;

/// A script that was [loaded](crate::Sandbox::load). Its global functions can be called.
#[derive(Clone)]
pub struct Script {
    pub(crate) lua: Lua,
    pub(crate) shared: Rc<Shared>,
    pub(crate) environment: Table,
}

impl Script {
    /// Returns whether the script has a function of that name. `Kitchen.tick` is the function `tick` in the table
    /// `Kitchen`.
    #[must_use]
    pub fn has(&self, function: &str) -> bool {
        self.find(function).is_some()
    }

    fn find(&self, function: &str) -> Option<Function> {
        let mut names = function.split('.');
        let mut found = self.environment.raw_get(names.next()?).ok()?;
        for name in names {
            let mlua::Value::Table(table) = found else { return None };
            found = table.raw_get(name).ok()?;
        }
        if let mlua::Value::Function(function) = found { Some(function) } else { None }
    }

    /// Calls a function of a [name](Script::has), and returns what it returns: a copy, with lists and tables as arrays and objects.
    ///
    /// A function that changed an object and then throws leaves the changes that it made.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no such function. [`ErrorKind::SizeLimit`] if the script uses more than its
    /// [`Limits`](crate::Limits). Errors of reading and writing members, with their paths. All with the line of
    /// the script.
    pub fn call(&self, function: &str, arguments: Arguments<'_>) -> Result<Value> {
        let called = self.find(function).ok_or_else(|| {
            let message = format_args!("the script has no function `{function}`");
            Error::new(ErrorKind::NotFound, message)
        })?;
        let mut result = Ok(Value::Null);
        self.during(arguments, |arguments| {
            let value: mlua::Value = called.call(arguments)?;
            // While the objects are there, since a script may return a part of one.
            result = convert::from_lua(&value, &self.shared.budget);
            Ok(())
        })?;
        result
    }

    /// Runs a part of the script with the arguments and the budget of one call.
    pub(crate) fn during(
        &self,
        arguments: Arguments<'_>,
        run: impl FnOnce(MultiValue) -> mlua::Result<()>,
    ) -> Result {
        let call = self.shared.calls.get() + 1;
        self.shared.calls.set(call);
        let values = self.values(call, &arguments).map_err(|error| from_lua(&error))?;
        let _call = self.shared.budget.begin();
        let done = during(call, arguments, || run(values));
        done.map_err(|error| from_lua(&error))
    }

    fn values(&self, call: u64, arguments: &Arguments<'_>) -> mlua::Result<MultiValue> {
        let value = |(index, argument): (usize, &Argument<'_>)| {
            let root = match argument {
                Argument::Value(value) => return convert::to_lua(value, &self.lua),
                Argument::Shared(object) => Root::Shared(object.clone()),
                Argument::Edit(_) | Argument::View(_) => Root::Argument(call, index),
            };
            let place = Place { shared: self.shared.clone(), root, node: self.shared.node.clone() };
            self.lua.create_userdata(place).map(mlua::Value::UserData)
        };
        arguments.all.iter().enumerate().map(value).collect()
    }
}
