//! [`Registry`]: the types of trait objects, and their ids in files.
// Why: docs/decisions/pointers.md#type-ids-are-global-to-a-registry

mod known;
mod made;

pub use made::MadeType;

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use crate::model::error::{Error, ErrorKind, Found, Known, Result, nearest};
use crate::model::identity::Identity;
use crate::model::shape::Shape;
use crate::state::chains::Chains;

/// Functions for a type. Their callers know their concrete type.
pub(crate) type Functions = &'static (dyn Any + Send + Sync);

/// The types that trait objects may have, and their ids in files.
///
/// Registration is explicit: a file can only name registered types. An id denotes one type in the
/// whole registry, and a type has the same id for all traits for which it is registered.
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
    /// Types by id and alias.
    types: BTreeMap<Arc<str>, Identity>,
    /// The same, for looking up ids from files. The keys come from the program, so no file can make
    /// them collide.
    found: FxHashMap<Arc<str>, Registered>,
    /// By name: types that are known to tools but not to files.
    tools: BTreeMap<Arc<str>, Identity>,
    ids: FxHashMap<TypeId, Arc<str>>,
    /// The `Ops` of types, by trait object and concrete type.
    ops: FxHashMap<(TypeId, TypeId), Functions>,
    /// The type that represents objects of types that the program does not know, if it is
    /// registered.
    fallback: Option<TypeId>,
    /// Other functions for types, by kind of functions and concrete type.
    compiled: FxHashMap<(TypeId, TypeId), Functions>,
    /// The alphabetically first of the registered ids, and the `Ops` of its type, by trait object.
    first: FxHashMap<TypeId, (Arc<str>, Functions)>,
    /// By id and alias: the types that are made at run time.
    made: FxHashMap<Arc<str>, made::Made>,
    /// By the names of traits: functions for members of made types.
    interfaces: FxHashMap<Arc<str>, Functions>,
    /// The shapes of the types whose values may own other values.
    owners: Vec<&'static Shape>,
    chains: Chains,
}

/// A type and its name.
pub(crate) type Registered = (TypeId, &'static str);

impl Inner {
    fn add(&mut self, id: Arc<str>, identity: Identity) {
        self.found.insert(id.clone(), (identity.type_id, identity.type_name));
        self.types.insert(id, identity);
    }

    /// Records that the type is registered for the trait object under this id, which may be one of
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

    /// The part of [`register`](Registry::register) that is the same for all types. `create`
    /// creates a blank object.
    pub(crate) fn add(
        &mut self,
        id: &str,
        concrete: Identity,
        (interface, interface_name): Registered,
        (ops, create): (Functions, Functions),
        owner: Option<&'static Shape>,
    ) -> Result {
        let (key, name, is_fallback) = (concrete.type_id, concrete.type_name, concrete.is_fallback);
        if is_fallback && id != "Unknown" {
            return Err(duplicate(format_args!(
                "cannot register `{name}` as \"{id}\": it is for objects of all other ids"
            )));
        }
        if !is_fallback && let Some(taken) = self.inner.taken(id, key) {
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
        if is_fallback {
            inner.fallback = Some(key);
        } else {
            let id: Arc<str> = id.into();
            inner.add(id.clone(), concrete);
            inner.ids.insert(key, id);
        }
        inner.ops.insert((interface, key), ops);
        inner.compiled.insert(((*create).type_id(), key), create);
        inner.owners.extend(owner);
        inner.chains = Chains::new();
        // The type may already have an alias, from its registration for another trait.
        if let Some((first, _)) = inner.types.iter().find(|(_, known)| known.type_id == key) {
            inner.note_first(interface, &first.clone(), key);
        }
        Ok(())
    }

    /// Adds functions for objects of type `T`.
    #[doc(hidden)]
    pub fn add_functions<T: 'static, B: Any + Send + Sync>(&mut self, functions: &'static B) {
        let key = (TypeId::of::<B>(), TypeId::of::<T>());
        Arc::make_mut(&mut self.inner).compiled.insert(key, functions);
    }

    /// Returns the functions that were [added](Registry::add_functions) for a concrete type.
    #[doc(hidden)]
    pub fn compiled<B: 'static>(&self, concrete: TypeId) -> Option<&'static B> {
        self.inner.compiled.get(&(TypeId::of::<B>(), concrete))?.downcast_ref()
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
        let made = self.inner.made.get(id).cloned();
        let taken = match &made {
            Some(_) => self.inner.belongs_to(old).filter(|_| old != id),
            None => self.inner.taken(old, target.type_id),
        };
        match taken {
            Some(taken) => {
                Err(duplicate(format_args!("the id \"{old}\" belongs to `{taken}` already")))
            }
            None => {
                let (inner, key) = (Arc::make_mut(&mut self.inner), target.type_id);
                let old: Arc<str> = old.into();
                inner.add(old.clone(), target);
                if let Some(made) = made {
                    inner.made.insert(old, made);
                    return Ok(());
                }
                let interfaces = inner.ops.keys().filter(|(_, concrete)| *concrete == key);
                for interface in interfaces.map(|(interface, _)| *interface).collect::<Vec<_>>() {
                    inner.note_first(interface, &old, key);
                }
                Ok(())
            }
        }
    }

    /// Makes a copy of this registry the default of every [`Options::new`](crate::Options::new) in this process from now
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

    /// Returns the type that an id or an alias denotes.
    pub(crate) fn type_of(&self, id: &str) -> Option<(TypeId, &'static str)> {
        self.inner.found.get(id).copied()
    }

    /// Returns the shapes of trait objects that may own other values, and the facts about chains of
    /// shared objects in them.
    pub(crate) fn chains(&self) -> (&Chains, &[&'static Shape]) {
        (&self.inner.chains, &self.inner.owners)
    }

    /// Returns the functions of a type for a trait object type.
    pub(crate) fn functions(&self, interface: TypeId, concrete: TypeId) -> Option<Functions> {
        self.inner.ops.get(&(interface, concrete)).copied()
    }

    /// Returns the functions of the type with the first id that is registered for a trait object
    /// type.
    pub(crate) fn first_functions(&self, interface: TypeId) -> Option<Functions> {
        Some(self.inner.first.get(&interface)?.1)
    }

    pub(crate) fn written_id(&self, type_id: TypeId) -> Option<&str> {
        self.inner.ids.get(&type_id).map(|id| &**id)
    }

    /// Returns the id of a type.
    #[doc(hidden)]
    pub fn id_of(&self, type_id: TypeId) -> Option<Arc<str>> {
        self.inner.ids.get(&type_id).cloned()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.inner.types.iter().map(|(id, it)| (id, it.type_name))).finish()
    }
}

#[cold]
pub(crate) fn duplicate(message: std::fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::DuplicateType, message)
}

#[cold]
pub(crate) fn unknown(id: &str, known: &[&str], advice: &str) -> Error {
    // If the id is close to a known one, it is probably misspelt and not an object of another
    // program.
    let slip = nearest(id, known.iter().copied()).is_some();
    let advice = if slip { "" } else { advice };
    Error::new(
        ErrorKind::UnknownType,
        format_args!(
            "the type id {} is not registered{}{advice}",
            Found::Text(id),
            Known::new(id, known, "registered:")
        ),
    )
}
