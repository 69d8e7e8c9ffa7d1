//! [`Sandbox`]: where scripts run.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use archive::{Error, ErrorKind, Polymorphic, Result, Value};
use mlua::chunk::ChunkMode;
use mlua::{Function, HookTriggers, Lua, LuaOptions, StdLib, Table, Variadic, VmState};

use crate::budget::{Budget, Limits, STEP};
use crate::convert;
use crate::error::{from_lua, to_lua};
use crate::methods::{self, Method};
use crate::nodes::Node;
use crate::objects::{self, Root};
use crate::place::Place;
use crate::{Call, Script};

/// Where scripts run: a state of Lua without files, processes, the clock and random numbers, whose scripts have [`Limits`].
///
/// A sandbox belongs to one thread. Each script has its own global variables. Scripts are the
/// rules of a game, and objects are its state: what a script keeps in variables is not saved.
pub struct Sandbox {
    pub(crate) lua: Lua,
    pub(crate) shared: Rc<Shared>,
    /// Creates the global variables of a script.
    environment: Function,
    /// What all scripts can call.
    functions: Table,
}

/// What all places of a sandbox share.
pub(crate) struct Shared {
    pub(crate) budget: Rc<Budget>,
    pub(crate) methods: RefCell<HashMap<(TypeId, String), Method>>,
    /// The path of objects.
    pub(crate) node: Rc<Node>,
    /// Keeps the count of nodes alive.
    _kept: Rc<Cell<usize>>,
    /// The number of the last call.
    pub(crate) calls: Cell<u64>,
}

impl Sandbox {
    /// Creates a sandbox without scripts.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] if the memory limit is below what Lua itself needs, about 35 KB.
    pub fn new(limits: Limits) -> Result<Sandbox> {
        let budget = Rc::new(Budget::new(limits));
        Self::create(limits, &budget).map_err(|error| from_lua(&error))
    }

    fn create(limits: Limits, budget: &Rc<Budget>) -> mlua::Result<Sandbox> {
        let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::COROUTINE;
        let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
        lua.set_memory_limit(limits.memory)?;
        let charged = budget.clone();
        let spend = lua.create_function(move |_, count: f64| {
            // Infinity is the largest number here.
            charged.spend(count as u64).map_err(to_lua)
        })?;
        let prelude = lua.load(include_str!("prelude.lua")).set_name("=prelude");
        let environment: Function = prelude.call(spend)?;
        let charged = budget.clone();
        // Also in coroutines, which the hook of a thread does not see.
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(STEP), move |lua, _| {
            charged.step(lua.used_memory()).map_err(to_lua)?;
            Ok(VmState::Continue)
        })?;
        let kept = Rc::new(Cell::new(0));
        let shared = Rc::new(Shared {
            budget: budget.clone(),
            methods: RefCell::default(),
            node: Node::root(&kept),
            _kept: kept,
            calls: Cell::new(0),
        });
        let functions = lua.create_table()?;
        let variant = lua.create_function(|lua, value: mlua::Value| match &value {
            mlua::Value::UserData(object) => match object.borrow::<Place>()?.variant() {
                Ok(Some(name)) => lua.create_string(name).map(mlua::Value::String),
                Ok(None) => Ok(mlua::Value::Nil),
                Err(error) => Err(to_lua(error)),
            },
            mlua::Value::String(_) => Ok(value),
            _ => Ok(mlua::Value::Nil),
        })?;
        functions.raw_set("variant", variant)?;
        let copy = lua.create_function(|lua, value: mlua::Value| match &value {
            mlua::Value::UserData(object) => {
                let tree = object.borrow::<Place>()?.tree().map_err(to_lua)?;
                convert::to_lua(&tree, lua)
            }
            _ => Ok(value),
        })?;
        functions.raw_set("copy", copy)?;
        Ok(Sandbox { lua, shared, environment, functions })
    }

    /// Runs a script once, so that its functions can be called. The name is for errors.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`], and errors that the script throws, with its name and line.
    pub fn load(&self, name: &str, source: &str) -> Result<Script> {
        let environment = self.globals().map_err(|error| from_lua(&error))?;
        let script = Script {
            lua: self.lua.clone(),
            shared: self.shared.clone(),
            environment: environment.clone(),
        };
        let chunk = self.lua.load(source).set_name(format!("={name}")).set_mode(ChunkMode::Text);
        let run = || chunk.set_environment(environment).exec();
        script.during(crate::Arguments::new(), |_| run()).map(|()| script)
    }

    fn globals(&self) -> mlua::Result<Table> {
        let environment: Table = self.environment.call(())?;
        for pair in self.functions.pairs::<mlua::Value, mlua::Value>() {
            let (name, function) = pair?;
            environment.raw_set(name, function)?;
        }
        Ok(environment)
    }

    /// Adds a function that scripts call by its name. Scripts that are loaded later have it.
    ///
    /// ```
    /// use archive_lua::{Arguments, Limits, Sandbox};
    ///
    /// let sandbox = Sandbox::new(Limits::default())?;
    /// sandbox.function("log", |call| {
    ///     let text: String = call.argument(0)?;
    ///     call.host::<Vec<String>>()?.push(text);
    ///     Ok(().into())
    /// })?;
    /// let script = sandbox.load("hello.lua", "function hello() log('hello') end")?;
    /// let mut log: Vec<String> = Vec::new();
    /// script.call("hello", Arguments::new().host(&mut log))?;
    /// assert_eq!(log, ["hello"]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] if there is no memory for it.
    pub fn function<F>(&self, name: &str, function: F) -> Result
    where
        F: Fn(&mut Call<'_>) -> Result<Value> + 'static,
    {
        let shared = self.shared.clone();
        let run = move |arguments: &[mlua::Value]| {
            let arguments = methods::given(&shared, arguments)?;
            objects::with_host(|host| function(&mut Call::new(&arguments, host)))
        };
        let function = self.lua.create_function(move |lua, arguments: Variadic<mlua::Value>| {
            run(&arguments).map_err(to_lua).and_then(|value| convert::to_lua(&value, lua))
        });
        let done = function.and_then(|function| self.functions.raw_set(name, function));
        done.map_err(|error| from_lua(&error))
    }

    /// Adds a method of a type: `unit:heal(3)` calls the method `heal` of the type of the object
    /// `unit`. The objects that a script is called with have methods, their parts have none.
    ///
    /// ```
    /// use archive::Serialize;
    /// use archive_lua::{Arguments, Limits, Sandbox};
    ///
    /// #[derive(Serialize)]
    /// struct Unit { hp: u16 }
    ///
    /// let sandbox = Sandbox::new(Limits::default())?;
    /// sandbox.method::<Unit, _>("heal", |unit, call| {
    ///     unit.hp += call.argument::<u16>(0)?;
    ///     Ok(unit.hp.into())
    /// });
    /// let script = sandbox.load("heal.lua", "function run(unit) return unit:heal(3) end")?;
    /// let mut unit = Unit { hp: 4 };
    /// assert_eq!(script.call("run", Arguments::new().edit(&mut unit))?, 7.into());
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn method<T, F>(&self, name: &str, method: F)
    where
        T: Polymorphic,
        F: Fn(&mut T, &mut Call<'_>) -> Result<Value> + 'static,
    {
        let method: Method = Rc::new(move |object, call| {
            let object: &mut dyn std::any::Any = object;
            match object.downcast_mut::<T>() {
                Some(object) => method(object, call),
                None => Err(Error::new(ErrorKind::WrongType, "the object has another type")),
            }
        });
        self.shared.methods.borrow_mut().insert(methods::key::<T>(name), method);
    }

    /// Lets scripts create objects: `new(id, members)` creates an object with the function, which gets the id,
    /// and sets the members of a table. The script may store the object in a list of a
    /// program's object, which copies it.
    ///
    /// ```
    /// use archive::reflect::Factory;
    /// use archive::{Options, Registry, Serialize};
    /// use archive_lua::{Arguments, Limits, Sandbox};
    ///
    /// trait Order: archive::Polymorphic {}
    /// archive::polymorphic!(dyn Order);
    /// #[derive(Default, Serialize)]
    /// struct Wait { ticks: u32 }
    /// impl Order for Wait {}
    ///
    /// let mut registry = Registry::new();
    /// archive::register!(registry, dyn Order { Wait as "wait" })?;
    /// let sandbox = Sandbox::new(Limits::default())?;
    /// let registered = registry.clone();
    /// sandbox.constructor(move |id| {
    ///     Factory::<dyn Order>::new(&Options::new().registry(&registered)).create(id)
    /// })?;
    /// let script = sandbox.load("wait.lua", "
    ///     function add(orders) orders[#orders + 1] = new('wait', { ticks = 7 }) end
    /// ")?;
    /// let mut orders: Vec<Box<dyn Order>> = Vec::new();
    /// let options = Options::new().registry(&registry);
    /// script.call("add", Arguments::new().edit(&mut orders).options(&options))?;
    /// assert_eq!(archive::json::to_string_with(&orders, &options)?, r#"[{"$type":"wait","$value":{"ticks":7}}]"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] if there is no memory for it.
    pub fn constructor<T, F>(&self, create: F) -> Result
    where
        T: Polymorphic,
        F: Fn(&str) -> Result<T> + 'static,
    {
        let shared = self.shared.clone();
        let new = move |id: &str, members: Option<Table>| -> Result<Place> {
            shared.budget.spend(500)?;
            let root = Root::Shared(Rc::new(RefCell::new(create(id)?)));
            let place = Place { shared: shared.clone(), root, node: shared.node.clone() };
            for pair in members.iter().flat_map(|it| it.pairs::<mlua::Value, mlua::Value>()) {
                let (name, value) = pair.map_err(|error| from_lua(&error))?;
                place.write(&name, &value)?;
            }
            Ok(place)
        };
        let function =
            self.lua.create_function(move |_, (id, members): (String, Option<Table>)| {
                new(&id, members).map_err(to_lua)
            });
        let done = function.and_then(|function| self.functions.raw_set("new", function));
        done.map_err(|error| from_lua(&error))
    }
}
