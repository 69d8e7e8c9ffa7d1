//! Methods and functions of the program that scripts call.

use std::any::{Any, TypeId};
use std::rc::Rc;

use archive::types::Made;
use archive::{Polymorphic, Result, Value};
use mlua::{Function, Lua, Variadic};

use crate::Call;
use crate::convert;
use crate::error::to_lua;
use crate::place::Place;
use crate::sandbox::Shared;

/// A method of a type.
pub(crate) type Method = Rc<dyn Fn(&mut dyn Polymorphic, &mut Call<'_>) -> Result<Value>>;

/// What a call of the program costs, in instructions.
const CALL: u64 = 200;

impl Shared {
    /// Returns the method of an object as a function of Lua.
    pub(crate) fn method(&self, lua: &Lua, place: &Place, name: &str) -> Result<Option<Function>> {
        if !place.node.path.is_empty() {
            return Ok(None);
        }
        let method = place.root.view(|root, _| {
            let root: &dyn Any = root;
            if let Some(made) = root.downcast_ref::<Made>()
                && made.has_method(name)
            {
                return Ok(Some(of_made(name)));
            }
            let methods = self.methods.borrow();
            Ok(methods.get(&(root.type_id(), name.to_owned())).cloned())
        })?;
        let Some(method) = method else { return Ok(None) };
        let function = lua.create_function(move |lua, arguments: Variadic<mlua::Value>| {
            call_method(&method, &arguments)
                .map_err(to_lua)
                .and_then(|value| convert::to_lua(&value, lua))
        });
        function.map(Some).map_err(|error| crate::error::from_lua(&error))
    }
}

/// Calls a method of an object whose type is made from a schema.
fn of_made(name: &str) -> Method {
    let name = name.to_owned();
    Rc::new(move |object, call| {
        let object: &mut dyn Any = object;
        match object.downcast_mut::<Made>() {
            Some(made) => made.call_with(&name, call.arguments(), call.host_any()),
            None => Ok(Value::Null),
        }
    })
}

fn call_method(method: &Method, arguments: &[mlua::Value]) -> Result<Value> {
    let Some(mlua::Value::UserData(this)) = arguments.first() else {
        return Err(archive::Error::custom("a method is called with a colon: `object:method()`"));
    };
    let Ok(place) = this.borrow::<Place>() else {
        return Err(archive::Error::custom("a method is called on an object of the program"));
    };
    let arguments = given(&place.shared, &arguments[1..])?;
    place.root.edit(|root, _, host| method(root, &mut Call::new(&arguments, host)))
}

/// Returns the arguments of a call, which is charged.
pub(crate) fn given(shared: &Shared, arguments: &[mlua::Value]) -> Result<Vec<Value>> {
    shared.budget.spend(CALL)?;
    arguments.iter().map(|argument| convert::from_lua(argument, &shared.budget)).collect()
}

/// The key of a method of a type.
pub(crate) fn key<T: 'static>(name: &str) -> (TypeId, String) {
    (TypeId::of::<T>(), name.to_owned())
}
