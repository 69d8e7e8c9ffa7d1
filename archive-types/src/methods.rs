//! [`Methods`]: what the objects of made types do.

use std::any::{Any, type_name};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use archive_core::{Element, Error, ErrorKind, Result, Value};

use crate::made::Made;

pub(crate) type Method = Arc<dyn Fn(&mut Made, &mut Call<'_>) -> Result<Value> + Send + Sync>;

/// The methods of the types of schemas, by the names of the type and of the method.
///
/// A method is a closure. One that runs a script finds the interpreter in its [`Call::host`], so the
/// interpreter need not be sent to other threads. A clone has the same methods.
#[derive(Clone, Default)]
pub struct Methods(Arc<BTreeMap<String, BTreeMap<String, Method>>>);

impl Methods {
    /// Creates methods of no type.
    #[must_use]
    pub fn new() -> Self {
        Methods::default()
    }

    /// Adds a method of a type, or replaces it. The types that [extend](crate::MemberFile::base) the type
    /// have it too, unless they have a method of that name.
    #[must_use]
    pub fn add<F>(mut self, ty: &str, method: &str, function: F) -> Self
    where
        F: Fn(&mut Made, &mut Call<'_>) -> Result<Value> + Send + Sync + 'static,
    {
        let of_type = Arc::make_mut(&mut self.0).entry(ty.to_owned()).or_default();
        of_type.insert(method.to_owned(), Arc::new(function));
        self
    }

    /// Returns a method of a type, without those of the types that it extends.
    pub(crate) fn get(&self, ty: &str, method: &str) -> Option<&Method> {
        self.0.get(ty)?.get(method)
    }

    /// Returns the names of the methods of a type.
    pub(crate) fn names(&self, ty: &str) -> impl Iterator<Item = &str> {
        self.0.get(ty).into_iter().flat_map(|of_type| of_type.keys().map(String::as_str))
    }

    /// Whether the two are clones.
    pub(crate) fn is(&self, other: &Methods) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The names of the methods.
impl fmt::Debug for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            self.0.keys().flat_map(|ty| self.names(ty).map(move |method| format!("{ty}.{method}")));
        f.debug_set().entries(names).finish()
    }
}

/// One call of a method.
pub struct Call<'a> {
    pub(crate) arguments: &'a [Value],
    pub(crate) host: &'a mut dyn Any,
}

impl<'a> Call<'a> {
    /// Creates a call, for a program that calls functions of its own in this way.
    #[must_use]
    pub fn new(arguments: &'a [Value], host: &'a mut dyn Any) -> Self {
        Call { arguments, host }
    }

    /// Returns the arguments.
    #[must_use]
    pub fn arguments(&self) -> &'a [Value] {
        self.arguments
    }

    /// Returns an argument as a value of a compiled type.
    ///
    /// # Errors
    /// An error with the index if there is no such argument, or if it does not fit.
    pub fn argument<T: Element>(&self, index: usize) -> Result<T> {
        let argument = self.arguments.get(index).ok_or_else(|| {
            let count = self.arguments.len();
            let message = format_args!("the call has {count} arguments, not {}", index + 1);
            Error::new(ErrorKind::NotFound, message)
        })?;
        argument.to().map_err(|error| error.in_item(index))
    }

    /// Returns the host of any type, to pass it on.
    pub fn host_any(&mut self) -> &mut dyn Any {
        self.host
    }

    /// Returns what the caller passes to all methods: the world, or the interpreter of scripts.
    ///
    /// # Errors
    /// An error if it is of another type.
    pub fn host<T: 'static>(&mut self) -> Result<&mut T> {
        let missing = || {
            let message = format_args!("the host of the call is not a `{}`", type_name::<T>());
            Error::new(ErrorKind::MissingContext, message)
        };
        self.host.downcast_mut().ok_or_else(missing)
    }
}
