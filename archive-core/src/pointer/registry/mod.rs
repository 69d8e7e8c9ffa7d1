//! Registered types as trait objects: registers, finds and creates them.

pub mod dynamic;
pub mod find;
mod macros;
pub mod ops;
pub mod visited;

use std::any::TypeId;

use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::state::registry::{MadeType, Registry, unknown};
use crate::visit::blank::Blank;
use crate::visit::polymorphic::Interface;
use crate::visit::serialize::{Save, Serialize};
use ops::{Holds, Ops};

/// A set of formats with their own archives, for which [`register!`](crate::register) compiles
/// functions.
#[doc(hidden)]
pub trait AddFunctions {
    /// Adds the functions for objects of type `T`.
    fn add<T: Serialize + Save + Blank + 'static>(registry: &mut Registry);
}

/// No format.
impl AddFunctions for () {
    fn add<T: Serialize + Save + Blank + 'static>(_: &mut Registry) {}
}

impl Registry {
    /// Registers the type `T` under `id`, for objects of the trait object type `D`.
    ///
    /// [`register!`](crate::register) does it for many types at once. [`Unknown`](crate::Unknown),
    /// which represents objects of any other id, must be registered under its own name; files
    /// cannot use that name as an id.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`](crate::ErrorKind::DuplicateType) if the id denotes another
    /// type, if the type has another id, or if the type is registered for the trait already. Also
    /// if [`Unknown`](crate::Unknown) is registered under another id.
    pub fn register<D, T>(&mut self, id: &str) -> Result
    where
        D: Holds<T> + ?Sized,
        T: Serialize + Save + Blank + 'static,
    {
        let interface = (TypeId::of::<D>(), std::any::type_name::<D>());
        let owner = std::mem::needs_drop::<T>().then_some(T::SHAPE);
        let ops = ops::Table::<D, T>::OPS;
        self.add(id, Identity::of::<T>(), interface, (ops, &ops.rc.refcell.create), owner)
    }

    /// Registers a type that is made at run time, whose objects are of the type `T` in memory.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`](crate::ErrorKind::DuplicateType) if the id denotes another type.
    #[doc(hidden)]
    pub fn register_made<D, T>(&mut self, id: &str, shape: &'static Shape, made: MadeType) -> Result
    where
        D: Holds<T> + ?Sized,
        T: Serialize + Save + Blank + 'static,
    {
        let identity = Identity { shape, ..Identity::of::<T>() };
        self.add_made(id, identity, (TypeId::of::<D>(), ops::Table::<D, T>::OPS), made)
    }

    /// Lets the formats `A` add functions that are compiled for objects of type `T`.
    #[doc(hidden)]
    pub fn compile<T: Serialize + Save + Blank + 'static, A: AddFunctions>(&mut self) {
        A::add::<T>(self);
    }

    /// Returns the ids and aliases of the types registered for a trait object, sorted.
    pub fn ids_of<D: Interface + ?Sized>(&self) -> impl Iterator<Item = &str> {
        self.known::<D>().into_iter()
    }

    /// Returns the id of an object's type, if it is registered.
    pub fn id<D: Interface + ?Sized>(&self, object: &D) -> Option<&str> {
        let identity = object.identity();
        match &identity.own_id {
            Some(own) if !identity.is_fallback => self.known_id(own),
            _ => self.written_id(identity.type_id),
        }
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
    /// [`ErrorKind::UnknownType`](crate::ErrorKind::UnknownType) if no type registered for `D` has the id; otherwise the type's
    /// own errors.
    pub fn make<D: Interface + ?Sized>(&self, id: &str, options: &Options<'_>) -> Result<Box<D>> {
        let ops = self.find::<D>(id).ok_or_else(|| unknown(id, &self.known::<D>(), ""))?;
        match self.made(id) {
            Some(made) => (ops.boxed)(&options.clone().provide(made.clone())),
            None => (ops.boxed)(options),
        }
    }

    #[inline]
    fn find<D: ?Sized + 'static>(&self, id: &str) -> Option<&'static Ops<D>> {
        let ops = self.ops(self.type_of(id)?.0);
        ops.filter(|_| self.may_be(id, TypeId::of::<D>()))
    }

    /// Returns the functions for `D` of the type that represents objects of unknown types, if it
    /// is registered.
    fn fallback<D: ?Sized + 'static>(&self) -> Option<&'static Ops<D>> {
        self.ops(self.fallback_type()?)
    }

    /// Returns the functions for the type with the first of the ids registered for `D`.
    fn first<D: ?Sized + 'static>(&self) -> Option<&'static Ops<D>> {
        self.first_functions(TypeId::of::<D>())?.downcast_ref()
    }

    fn ops<D: ?Sized + 'static>(&self, type_id: TypeId) -> Option<&'static Ops<D>> {
        self.functions(TypeId::of::<D>(), type_id)?.downcast_ref()
    }

    /// Returns the ids and aliases of the types registered for `D`.
    fn known<D: ?Sized + 'static>(&self) -> Vec<&str> {
        self.known_as(TypeId::of::<D>()).map(|(id, _)| id).collect()
    }
}
