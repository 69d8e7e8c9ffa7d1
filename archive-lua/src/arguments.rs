//! [`Arguments`]: what a script is called with.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use archive::{Options, Polymorphic, Value};

/// The arguments of a call of a script, in order.
///
/// A script reaches its arguments, and no other objects. An object of
/// [`edit`](Arguments::edit) or [`view`](Arguments::view) belongs to the call: a script that keeps it gets an error
/// when it uses it later.
///
/// ```
/// use archive_lua::{Arguments, Limits, Sandbox};
///
/// let script = Sandbox::new(Limits::default())?.load("sum.lua", "
///     function sum(into, numbers)
///         for _, number in ipairs(numbers) do into[1] = into[1] + number end
///     end
/// ")?;
/// let mut into = vec![100];
/// script.call("sum", Arguments::new().edit(&mut into).view(&vec![1, 2, 3]))?;
/// assert_eq!(into, [106]);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Default)]
pub struct Arguments<'a> {
    pub(crate) all: Vec<Argument<'a>>,
    pub(crate) options: Option<&'a Options<'a>>,
    pub(crate) host: Option<&'a mut dyn Any>,
}

pub(crate) enum Argument<'a> {
    Edit(&'a mut dyn Polymorphic),
    View(&'a dyn Polymorphic),
    Shared(Rc<RefCell<dyn Polymorphic>>),
    Value(Value),
}

impl<'a> Arguments<'a> {
    /// Creates a list of no arguments.
    #[must_use]
    pub fn new() -> Self {
        Arguments::default()
    }

    /// Adds an object that the script may change.
    #[must_use]
    pub fn edit(mut self, object: &'a mut dyn Polymorphic) -> Self {
        self.all.push(Argument::Edit(object));
        self
    }

    /// Adds an object that the script may only read.
    #[must_use]
    pub fn view(mut self, object: &'a dyn Polymorphic) -> Self {
        self.all.push(Argument::View(object));
        self
    }

    /// Adds a shared object. The script may keep and change it after the call, too.
    #[must_use]
    pub fn shared<T: Polymorphic>(mut self, object: &Rc<RefCell<T>>) -> Self {
        self.all.push(Argument::Shared(object.clone()));
        self
    }

    /// Adds a value. The script gets a copy: arrays and objects are tables.
    #[must_use]
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        self.all.push(Argument::Value(value.into()));
        self
    }

    /// Sets the options with which members are read and written. They are needed for trait objects: a
    /// registry.
    #[must_use]
    pub fn options(self, options: &'a Options<'a>) -> Self {
        Arguments { options: Some(options), ..self }
    }

    /// Sets what methods and functions of the program find in [`Call::host`](crate::Call::host).
    #[must_use]
    pub fn host(self, host: &'a mut dyn Any) -> Self {
        Arguments { host: Some(host), ..self }
    }
}
