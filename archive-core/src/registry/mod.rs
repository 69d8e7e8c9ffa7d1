//! [`Registry`]: the types of trait objects, and their ids in files.

pub mod dynamic;
mod find;
mod interface;
mod macros;
mod ops;
mod tools;

use find::unknown;
pub(crate) use find::{any_ops, find, nth_ops, ops};
pub use interface::{HasSupertrait, Interface, Polymorphic};
pub use ops::{Cast, CastBox, Holds};
pub(crate) use ops::{CellOps, FlavorOps, Ops};
pub use tools::{Create, Visited};

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use crate::blank::Blank;
use crate::error::{Error, ErrorKind, Result};
use crate::opaque::Unknown;
use crate::options::Options;
use crate::pointer::Identity;
use crate::shape::{Chains, Shape};
use crate::{Save, Serialize};

/// The types that trait objects may have, and their ids in files.
///
/// Registration is explicit: a file can only name types that are registered. An id denotes one type
/// in the whole registry, and a type has one id for all traits that it is registered for.
///
/// ```
/// # use archive::{Archive, Result, Serialize};
/// trait Command: archive::Polymorphic {}
/// archive::polymorphic!(dyn Command);
///
/// #[derive(Default, Clone)]
/// struct MoveTo { x: i32 }
/// impl Serialize for MoveTo {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("x", &mut self.x)
///     }
/// }
/// archive::save_by_clone!(MoveTo);
/// archive::blank!(MoveTo);
/// impl Command for MoveTo {}
///
/// let mut registry = archive::Registry::new();
/// archive::register!(registry, dyn Command { MoveTo as "move" })?;
/// registry.alias("walk", "move")?; // what older files call it
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    inner: Arc<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    /// By id and alias.
    types: BTreeMap<Arc<str>, Identity>,
    /// The same, for the lookup of ids from files. The keys are the program's own, so no file can
    /// make them collide.
    found: FxHashMap<Arc<str>, Registered>,
    /// By name: types that are known to tools and not to files.
    tools: BTreeMap<Arc<str>, Identity>,
    /// By type: how the members that its function visits are found.
    visited: FxHashMap<TypeId, Visited>,
    ids: FxHashMap<TypeId, Arc<str>>,
    /// By trait object and concrete type: the `Ops` of the type for that trait object.
    ops: FxHashMap<(TypeId, TypeId), &'static (dyn Any + Send + Sync)>,
    /// By kind of functions and concrete type: functions that were compiled for that type and a
    /// format's archives.
    bodies: FxHashMap<(TypeId, TypeId), &'static (dyn Any + Send + Sync)>,
    /// By trait object: the first of the registered ids in alphabetical order, and the `Ops` of its
    /// type.
    first: FxHashMap<TypeId, (Arc<str>, &'static (dyn Any + Send + Sync))>,
    /// The shapes of the types whose values may own other values.
    owners: Vec<&'static Shape>,
    chains: Chains,
}

/// A set of formats with archives of their own, for which [`register!`](crate::register) compiles
/// functions.
#[doc(hidden)]
pub trait AddBodies {
    /// Adds the functions for objects of type `T`.
    fn add<T: Serialize + Save + Blank + 'static>(registry: &mut Registry);
}

/// No format.
impl AddBodies for () {
    fn add<T: Serialize + Save + Blank + 'static>(_: &mut Registry) {}
}

/// A type and its name.
type Registered = (TypeId, &'static str);

fn registered<T: ?Sized + 'static>() -> Registered {
    (TypeId::of::<T>(), std::any::type_name::<T>())
}

impl Inner {
    fn add(&mut self, id: Arc<str>, identity: Identity) {
        self.found.insert(id.clone(), (identity.type_id, identity.type_name));
        self.types.insert(id, identity);
    }

    /// Notes that the type is registered for the trait object under this id, which may be one of
    /// several.
    fn note_first(&mut self, interface: TypeId, id: &Arc<str>, key: TypeId) {
        let Some(ops) = self.ops.get(&(interface, key)) else { return };
        let first = self.first.entry(interface).or_insert_with(|| (id.clone(), *ops));
        if *id < first.0 {
            *first = (id.clone(), *ops);
        }
    }
}

static INSTALLED: RwLock<Option<Registry>> = RwLock::new(None);

impl Registry {
    /// Creates an empty registry.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Registers the type `T` under `id`, for objects of the trait object type `D`.
    ///
    /// [`register!`](crate::register) does it for many types at once. [`Unknown`], which represents
    /// objects of any other id, must be registered under its own name; files cannot use that name
    /// as an id.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`] if the id denotes another type, if the type has another id, or
    /// if the type is registered for the trait already. Also if [`Unknown`] is registered under
    /// another id.
    pub fn register<D, T>(&mut self, id: &str) -> Result
    where
        D: Holds<T> + ?Sized,
        T: Serialize + Save + Blank + 'static,
    {
        let (concrete, interface) = (Identity::of::<T>(), registered::<D>());
        let owner = std::mem::needs_drop::<T>().then_some(T::SHAPE);
        let ops = ops::Table::<D, T>::OPS;
        self.add(id, concrete, interface, ops, owner)?;
        self.note(TypeId::of::<T>(), Visited::Object(ops.rc.refcell.create));
        Ok(())
    }

    /// The part of [`register`](Registry::register) that is the same for all types.
    fn add(
        &mut self,
        id: &str,
        concrete: Identity,
        (interface, interface_name): Registered,
        ops: &'static (dyn Any + Send + Sync),
        owner: Option<&'static Shape>,
    ) -> Result {
        let (key, name) = (concrete.type_id, concrete.type_name);
        let stands_in = key == TypeId::of::<Unknown>();
        if stands_in && id != "Unknown" {
            return Err(duplicate(format_args!(
                "cannot register `{name}` as \"{id}\": it is for objects of all other ids"
            )));
        }
        if !stands_in && let Some(taken) = self.inner.taken(id, key) {
            return Err(duplicate(format_args!(
                "cannot register `{name}`: the id \"{id}\" belongs to `{taken}` \
                 (another id: `{name} as \"other\"`)"
            )));
        }
        if let Some(other) = self.inner.ids.get(&key)
            && **other != *id
        {
            return Err(duplicate(format_args!(
                "cannot register `{name}` as \"{id}\": it has the id \"{other}\" already"
            )));
        }
        if self.inner.ops.contains_key(&(interface, key)) {
            return Err(duplicate(format_args!(
                "`{name}` is registered for `{interface_name}` already"
            )));
        }
        let inner = Arc::make_mut(&mut self.inner);
        if !stands_in {
            let id: Arc<str> = id.into();
            inner.add(id.clone(), concrete);
            inner.ids.insert(key, id);
        }
        inner.ops.insert((interface, key), ops);
        inner.owners.extend(owner);
        inner.chains = Chains::new();
        // The type may already have an alias, from its registration for another trait.
        if let Some((first, _)) = inner.types.iter().find(|(_, known)| known.type_id == key) {
            inner.note_first(interface, &first.clone(), key);
        }
        Ok(())
    }

    /// Adds functions that were compiled for objects of type `T` and the archives of a format.
    #[doc(hidden)]
    pub fn add_bodies<T: 'static, B: Any + Send + Sync>(&mut self, bodies: &'static B) {
        let key = (TypeId::of::<B>(), TypeId::of::<T>());
        Arc::make_mut(&mut self.inner).bodies.insert(key, bodies);
    }

    /// Returns the functions that were [added](Registry::add_bodies) for a concrete type.
    #[doc(hidden)]
    pub fn bodies<B: 'static>(&self, concrete: TypeId) -> Option<&'static B> {
        self.inner.bodies.get(&(TypeId::of::<B>(), concrete))?.downcast_ref()
    }

    /// Lets the formats `A` add functions that are compiled for objects of type `T`.
    #[doc(hidden)]
    pub fn compile<T: Serialize + Save + Blank + 'static, A: AddBodies>(&mut self) {
        A::add::<T>(self);
    }

    /// Makes `old` an alias in files for the type registered as `id`.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if nothing is registered as `id`, [`ErrorKind::DuplicateType`] if
    /// `old` denotes another type.
    pub fn alias(&mut self, old: &str, id: &str) -> Result {
        let Some(target) = self.inner.types.get(id).cloned() else {
            return Err(unknown(id, &self.ids().collect::<Vec<_>>(), ""));
        };
        match self.inner.taken(old, target.type_id) {
            Some(taken) => {
                Err(duplicate(format_args!("the id \"{old}\" belongs to `{taken}` already")))
            }
            None => {
                let (inner, key) = (Arc::make_mut(&mut self.inner), target.type_id);
                let old: Arc<str> = old.into();
                inner.add(old.clone(), target);
                let interfaces = inner.ops.keys().filter(|(_, concrete)| *concrete == key);
                for interface in interfaces.map(|(interface, _)| *interface).collect::<Vec<_>>() {
                    inner.note_first(interface, &old, key);
                }
                Ok(())
            }
        }
    }

    /// Makes a copy of this registry the default of every [`Options::new`] in this process from now
    /// on.
    pub fn install(&self) {
        *INSTALLED.write().unwrap_or_else(|e| e.into_inner()) = Some(self.clone());
    }

    /// Returns the registry that was [installed](Registry::install), if any.
    pub fn installed() -> Option<Registry> {
        INSTALLED.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Returns all ids and aliases, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.inner.types.keys().map(|id| &**id)
    }

    /// Returns the ids and aliases of the types registered for a trait object, sorted.
    pub fn ids_of<D: Interface + ?Sized>(&self) -> impl Iterator<Item = &str> {
        self.known::<D>().into_iter()
    }

    /// Returns the id of an object's type, if it is registered.
    pub fn id<D: Interface + ?Sized>(&self, object: &D) -> Option<&str> {
        self.inner.ids.get(&object.identity().type_id).map(|id| &**id)
    }

    /// Creates a new object of the type with this id or alias, from its [`Blank`].
    ///
    /// ```
    /// # trait Shape: archive::Polymorphic { fn area(&self) -> u32; }
    /// # archive::polymorphic!(dyn Shape);
    /// # impl Shape for u32 { fn area(&self) -> u32 { *self } }
    /// let mut registry = archive::Registry::new();
    /// archive::register!(registry, dyn Shape { u32 as "number" })?;
    /// let shape: Box<dyn Shape> = registry.make("number", &archive::Options::new())?;
    /// assert_eq!(shape.area(), 0);
    /// assert_eq!(registry.id(&*shape), Some("number"));
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if no type registered for `D` has the id; otherwise the type's
    /// own errors.
    pub fn make<D: Interface + ?Sized>(&self, id: &str, options: &Options<'_>) -> Result<Box<D>> {
        let ops = self.find::<D>(id).ok_or_else(|| unknown(id, &self.known::<D>(), ""))?;
        (ops.boxed)(options)
    }

    #[inline]
    fn find<D: ?Sized + 'static>(&self, id: &str) -> Option<&'static Ops<D>> {
        self.ops(self.type_of(id)?.0)
    }

    /// Returns the functions of [`Unknown`] for `D`, if it is registered: it represents objects of
    /// unknown types.
    fn stand_in<D: ?Sized + 'static>(&self) -> Option<&'static Ops<D>> {
        self.ops(TypeId::of::<Unknown>())
    }

    /// Returns the type that an id or an alias denotes.
    pub(crate) fn type_of(&self, id: &str) -> Option<(TypeId, &'static str)> {
        self.inner.found.get(id).copied()
    }

    /// Returns the shapes of trait objects that may own other values, and what is known about
    /// chains of shared objects in them.
    pub(crate) fn chains(&self) -> (&Chains, &[&'static Shape]) {
        (&self.inner.chains, &self.inner.owners)
    }

    /// Returns the functions for the type with the first of the ids registered for `D`.
    fn first<D: ?Sized + 'static>(&self) -> Option<&'static Ops<D>> {
        self.inner.first.get(&TypeId::of::<D>())?.1.downcast_ref()
    }

    /// Returns the id of a type.
    #[doc(hidden)]
    pub fn id_of(&self, type_id: TypeId) -> Option<Arc<str>> {
        self.inner.ids.get(&type_id).cloned()
    }

    fn ops<D: ?Sized + 'static>(&self, type_id: TypeId) -> Option<&'static Ops<D>> {
        self.inner.ops.get(&(TypeId::of::<D>(), type_id))?.downcast_ref()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.inner.types.iter().map(|(id, it)| (id, it.type_name))).finish()
    }
}

#[cold]
fn duplicate(message: std::fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::DuplicateType, message)
}
