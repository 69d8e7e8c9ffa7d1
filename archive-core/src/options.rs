//! [`Options`]: what the caller asks for.

use std::any::{Any, TypeId};
use std::rc::Rc;

use crate::registry::Registry;

/// What the caller asks for: the registry, values for the types' functions, strictness and limits.
/// Cheap to clone.
///
/// ```
/// # use archive_core as archive;
/// use archive::Options;
///
/// struct Clock { now: f64 }
/// let clock = Clock { now: 12.5 };
/// let options = Options::new().provide_ref(&clock).strict(true).max_depth(64);
/// assert_eq!(options.context::<Clock>().unwrap().now, 12.5);
/// ```
#[derive(Clone)]
pub struct Options<'a> {
    registry: Option<Registry>,
    context: Vec<(TypeId, Held<'a>)>,
    limits: Limits,
    pub(crate) strict: bool,
    pub(crate) keep_going: bool,
    pretty: bool,
}

#[derive(Clone)]
enum Held<'a> {
    Owned(Rc<dyn Any>),
    Borrowed(&'a dyn Any),
}

/// Bounds on what a load may use, so that hostile input ends in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How deep values may nest. Default 128.
    pub depth: usize,
    /// How many elements all sequences and maps of one file may have together. Default 2³².
    pub elements: u64,
    /// How many elements that take no bytes at all (`()`, unit structs) there may be. Default 2¹⁶:
    /// in the program each may be a large value, and a file of a few bytes can hold any number.
    pub empty_elements: u64,
    /// How many shared objects there may be. Default 2²⁸.
    pub pointers: u64,
    /// How many removals the slots of all `slotmap` maps of one file may have seen together, since
    /// their versions are counted up one by one. Default 2²⁶.
    pub generations: u64,
    /// How many bytes places may take that a file only implies: a `slotmap::SecondaryMap` has one
    /// for every index up to that of its last key. Default 2²⁸.
    pub padding: u64,
    /// How many errors [`Options::keep_going`] collects; the next one ends the load. Default 1000.
    pub errors: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: 128,
            elements: 1 << 32,
            empty_elements: 1 << 16,
            pointers: 1 << 28,
            generations: 1 << 26,
            padding: 1 << 28,
            errors: 1000,
        }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Options<'a> {
    /// The defaults, with the registry that was [installed](Registry::install), if any.
    pub fn new() -> Self {
        Options {
            registry: Registry::installed(),
            context: Vec::new(),
            limits: Limits::default(),
            strict: false,
            keep_going: false,
            pretty: false,
        }
    }

    /// Uses this registry for trait objects.
    #[must_use]
    pub fn registry(mut self, registry: &Registry) -> Self {
        self.registry = Some(registry.clone());
        self
    }

    /// Makes a value reachable by [`Archive::context`](crate::Archive::context) at any depth. A
    /// second value of the same type takes the place of the first.
    #[must_use]
    pub fn provide<T: 'static>(self, value: T) -> Self {
        self.hold::<T>(Held::Owned(Rc::new(value)))
    }

    /// As [`provide`](Options::provide), for a borrowed value.
    #[must_use]
    pub fn provide_ref<T: 'static>(self, value: &'a T) -> Self {
        self.hold::<T>(Held::Borrowed(value))
    }

    fn hold<T: 'static>(mut self, held: Held<'a>) -> Self {
        let id = TypeId::of::<T>();
        self.context.retain(|(other, _)| *other != id);
        self.context.push((id, held));
        self
    }

    /// Makes members that the type does not have, and what a variant carries in the file alone, an
    /// error ([`ErrorKind::UnknownMember`](crate::ErrorKind::UnknownMember)) instead of a note in
    /// the report. Off by default.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Lets a load that makes a [`Report`](crate::Report) go on after an error: a member keeps the
    /// value it had, an item of a list and an entry of a map are left out, an item of a tuple or an
    /// array is blank, and the error goes into the report. A tuple or an array that is a member and
    /// has another length in the file holds the items that both have. Errors of syntax, depth and
    /// size still end the load, and so does any error of a load without a report. Members that a
    /// field with `unknown` keeps are one value: an error in what they refer to is one of the whole
    /// object. Off by default.
    #[must_use]
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.keep_going = keep_going;
        self
    }

    /// Asks text formats for line breaks and indentation. Off by default.
    #[must_use]
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.pretty = pretty;
        self
    }

    /// How deep values may nest; 128 by default. A thread with a small stack wants less.
    #[must_use]
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.limits.depth = depth;
        self
    }

    /// Sets all limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many bytes may be reserved for a container before its elements are read.
    pub(crate) fn reserve(&self) -> usize {
        1 << 20
    }

    /// The value of type `T` that was provided.
    pub fn context<T: 'static>(&self) -> Option<&T> {
        let (_, held) = self.context.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        match held {
            Held::Owned(value) => value.downcast_ref(),
            Held::Borrowed(value) => value.downcast_ref(),
        }
    }

    /// The registry to use.
    pub fn get_registry(&self) -> Option<&Registry> {
        self.registry.as_ref()
    }

    /// The limits to keep.
    pub fn get_limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether text should be laid out for people.
    pub fn is_pretty(&self) -> bool {
        self.pretty
    }

    /// Whether unknown members are errors.
    pub fn is_strict(&self) -> bool {
        self.strict
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("registry", &self.registry)
            .field("context", &self.context.len())
            .field("limits", &self.limits)
            .field("strict", &self.strict)
            .field("keep_going", &self.keep_going)
            .field("pretty", &self.pretty)
            .finish()
    }
}
