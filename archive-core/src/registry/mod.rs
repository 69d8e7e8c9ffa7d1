//! [`Registry`]: which types may stand behind trait objects, and under which ids.

pub mod dynamic;
mod interface;
mod macros;
mod ops;

pub use interface::{Interface, Polymorphic};
pub use ops::{Cast, CastBox};
pub(crate) use ops::{CellOps, FlavorOps, Ops};

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, RwLock};

use crate::blank::Blank;
use crate::error::{Error, ErrorKind, List, Result};
use crate::options::Options;
use crate::pointer::{ArcFlavor, RcFlavor};
use crate::{Save, Serialize};

/// Which types may stand behind trait objects, and under which ids they stand in files.
///
/// Registration is explicit: a file can only ask for types that are in here. An id denotes one
/// type in the whole registry, and a type has one id, whatever traits it is registered for.
///
/// ```
/// # use archive_core as archive;
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
    /// Ids and aliases.
    types: BTreeMap<Arc<str>, (TypeId, &'static str)>,
    ids: HashMap<TypeId, Arc<str>>,
    /// By trait object and concrete type: the `Ops` of that trait object.
    ops: HashMap<(TypeId, TypeId), &'static (dyn Any + Send + Sync)>,
}

static INSTALLED: RwLock<Option<Registry>> = RwLock::new(None);

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Lets objects of type `T` stand behind the trait object `D`, under `id`.
    ///
    /// [`register!`](crate::register) does it for many types at once.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`] if the id denotes another type, if the type has another id, or
    /// if the type is registered for the trait already.
    pub fn register<D, T>(&mut self, id: &str) -> Result
    where
        D: Interface + CastBox<T> + Cast<T, RcFlavor> + Cast<T, ArcFlavor> + ?Sized,
        T: Serialize + Save + Blank + 'static,
    {
        let key = TypeId::of::<T>();
        let name = std::any::type_name::<T>();
        if let Some((other, taken)) = self.inner.types.get(id)
            && *other != key
        {
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
        if self.inner.ops.contains_key(&(TypeId::of::<D>(), key)) {
            return Err(duplicate(format_args!(
                "`{name}` is registered for `{}` already",
                std::any::type_name::<D>()
            )));
        }
        let inner = Arc::make_mut(&mut self.inner);
        let id: Arc<str> = id.into();
        inner.types.insert(id.clone(), (key, name));
        inner.ids.insert(key, id);
        inner.ops.insert((TypeId::of::<D>(), key), ops::Table::<D, T>::OPS);
        Ok(())
    }

    /// Lets files say `old` for the type registered as `id`.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if nothing is registered as `id`, [`ErrorKind::DuplicateType`] if
    /// `old` denotes another type.
    pub fn alias(&mut self, old: &str, id: &str) -> Result {
        let Some(target) = self.inner.types.get(id).copied() else {
            return Err(unknown(id, &self.ids().collect::<Vec<_>>()));
        };
        match self.inner.types.get(old) {
            Some((other, taken)) if *other != target.0 => {
                Err(duplicate(format_args!("the id \"{old}\" belongs to `{taken}` already")))
            }
            _ => {
                Arc::make_mut(&mut self.inner).types.insert(old.into(), target);
                Ok(())
            }
        }
    }

    /// Makes this the registry of every [`Options::new`] from now on in this process.
    pub fn install(&self) {
        *INSTALLED.write().unwrap_or_else(|e| e.into_inner()) = Some(self.clone());
    }

    /// The registry that was [installed](Registry::install).
    pub fn installed() -> Option<Registry> {
        INSTALLED.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// All ids and aliases, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.inner.types.keys().map(|id| &**id)
    }

    /// The ids and aliases of the types registered for a trait object, sorted.
    pub fn ids_of<D: Interface + ?Sized>(&self) -> impl Iterator<Item = &str> {
        self.known::<D>().into_iter()
    }

    /// The id of an object's type, if it is registered.
    pub fn id<D: Interface + ?Sized>(&self, object: &D) -> Option<&str> {
        self.inner.ids.get(&object.identity().type_id).map(|id| &**id)
    }

    /// A new object of the type with this id or alias: its [`Blank`].
    ///
    /// ```
    /// # use archive_core as archive;
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
    /// [`ErrorKind::UnknownType`] if no type registered for `D` has the id; those of the type.
    pub fn make<D: Interface + ?Sized>(&self, id: &str, options: &Options<'_>) -> Result<Box<D>> {
        (self.find::<D>(id)?.boxed)(options)
    }

    fn find<D: ?Sized + 'static>(&self, id: &str) -> Result<&'static Ops<D>> {
        let ops = self.type_of(id).and_then(|(type_id, _)| self.ops(type_id));
        ops.ok_or_else(|| unknown(id, &self.known::<D>()))
    }

    /// The type that an id or an alias denotes.
    pub(crate) fn type_of(&self, id: &str) -> Option<(TypeId, &'static str)> {
        self.inner.types.get(id).copied()
    }

    /// Whether a type of that full name is registered.
    pub(crate) fn knows(&self, type_name: &str) -> bool {
        self.inner.types.values().any(|(_, known)| *known == type_name)
    }

    /// The id of a type.
    pub(crate) fn id_of(&self, type_id: TypeId) -> Option<Arc<str>> {
        self.inner.ids.get(&type_id).cloned()
    }

    fn ops<D: ?Sized + 'static>(&self, type_id: TypeId) -> Option<&'static Ops<D>> {
        self.inner.ops.get(&(TypeId::of::<D>(), type_id))?.downcast_ref()
    }

    /// The ids and aliases of the types registered for `D`.
    fn known<D: ?Sized + 'static>(&self) -> Vec<&str> {
        let wanted = TypeId::of::<D>();
        let known = |type_id| self.inner.ops.contains_key(&(wanted, type_id));
        self.inner.types.iter().filter(|(_, t)| known(t.0)).map(|(id, _)| &**id).collect()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.inner.types.iter().map(|(id, (_, name))| (id, name))).finish()
    }
}

/// The functions for the type that stands in a file under that id, seen as `D`.
pub(crate) fn find<D: ?Sized + 'static>(
    id: &str,
    options: &Options<'_>,
) -> Result<&'static Ops<D>> {
    let Some(registry) = options.get_registry() else {
        return Err(no_registry(format_args!("the type id \"{id}\"")));
    };
    registry.find(id)
}

/// The functions for a concrete type seen as `D`, if it is registered.
pub(crate) fn ops<D: ?Sized + 'static>(
    type_id: TypeId,
    options: &Options<'_>,
) -> Option<&'static Ops<D>> {
    options.get_registry()?.ops(type_id)
}

/// The functions for any type registered for `D`.
pub(crate) fn any_ops<D: ?Sized + 'static>(options: &Options<'_>) -> Result<&'static Ops<D>> {
    let name = std::any::type_name::<D>();
    let Some(registry) = options.get_registry() else {
        return Err(no_registry(format_args!("`{name}`")));
    };
    match registry.known::<D>().first() {
        Some(id) => find(id, options),
        None => {
            let message = format_args!("no type is registered for `{name}`");
            Err(Error::new(ErrorKind::UnknownType, message))
        }
    }
}

#[cold]
fn duplicate(message: std::fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::DuplicateType, message)
}

#[cold]
fn no_registry(what: std::fmt::Arguments<'_>) -> Error {
    Error::new(
        ErrorKind::UnknownType,
        format_args!("{what} needs a registry: `Options::registry` or `Registry::install`"),
    )
}

#[cold]
fn unknown(id: &str, known: &[&str]) -> Error {
    Error::new(
        ErrorKind::UnknownType,
        format_args!("the type id \"{id}\" is not registered; registered: {}", List(known)),
    )
}
