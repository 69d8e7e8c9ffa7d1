//! [`Pointee`]: the types that a tracked pointer may point to.

use std::any::TypeId;
use std::marker::PhantomData;

use super::flavor::Flavor;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::model::shape::{Shape, TypeInfo};
use crate::pointer::registry::dynamic;
use crate::state::blank_search::in_pointer;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::object::{Handle, Kept};
use crate::visit::polymorphic::Polymorphic;
use crate::visit::restore::fill;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::{Entry, Session, State};

/// A pointer that was created before its body is loaded, its handle, and the type that it points
/// to.
pub struct Created<S> {
    /// The pointer.
    pub strong: S,
    /// The same pointer with its type erased.
    pub handle: Handle,
    /// The concrete type.
    pub identity: fn() -> Identity,
}

/// A type that a tracked `Rc` or `Arc` may point to: a type or a trait object, in a cell or not.
#[diagnostic::on_unimplemented(
    message = "`Rc<{Self}>` or `Arc<{Self}>` cannot be saved and loaded",
    label = "cannot be the target of a shared pointer",
    note = "a hand-written type needs `archive::save_by_clone!` and `archive::blank!`",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`",
    note = "the content of a `Cell` can only be copied out: use `RefCell` if it is not `Copy`"
)]
pub trait Pointee: 'static {
    /// Whether the pointer is created before the body is loaded.
    const CELL: bool;
    /// Whether the concrete type is known only at run time.
    const DYN: bool;
    /// The shape of bodies; [`Shape::Any`] if it differs between them.
    const SHAPE: &'static Shape;
    /// The type in memory.
    const INFO: &'static TypeInfo = TypeInfo::UNKNOWN;

    /// Creates objects of the concrete type.
    type Maker: Copy;

    /// Creates a placeholder for a pointer that is loaded later.
    fn blank_strong<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<Self>>;
    /// Returns the concrete type.
    fn identity(&self) -> Result<Identity>;
    /// Saves the body.
    fn save_pointee<A: Archive>(&self, ar: &mut A) -> Result;
    /// Clones the pointer, to keep the object alive.
    fn keep<F: Flavor>(this: &F::Strong<Self>) -> Kept {
        Kept::of_unsized::<F, Self>(this)
    }

    /// Returns the maker for a registered type id; `None` if an id is needed and missing.
    fn maker(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<Self::Maker>>;
    /// Creates an object that is filled later. Called for cells only.
    fn create<F: Flavor>(
        maker: Self::Maker,
        options: &Options<'_>,
    ) -> Result<Created<F::Strong<Self>>>;
    /// Loads a new object, which is registered as `id` (0 for none) while it is loaded. Not called
    /// for cells.
    fn build<F: Flavor, A: Archive>(
        maker: Self::Maker,
        ar: &mut A,
        id: u64,
        at: Mark,
    ) -> Result<F::Strong<Self>>;
    /// Loads the content. Called for cells only.
    fn fill<A: Archive>(&self, ar: &mut A) -> Result;
    /// Returns the pointer to a loaded object, if it has this type.
    fn resolve<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Strong<Self>>;
    /// Returns a weak pointer to a loaded object, if it has this type.
    fn resolve_weak<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Weak<Self>>;
    /// Creates a weak pointer without an object.
    fn dangling<F: Flavor>(options: &Options<'_>) -> Result<F::Weak<Self>>;
    /// Returns the name of the type, for messages.
    fn wanted() -> &'static str;
}

/// Checks the registered type id of an object whose type is known.
pub(super) fn check_type<T: 'static>(type_name: Option<&str>, options: &Options<'_>) -> Result {
    let Some(name) = type_name else { return Ok(()) };
    match options.get_registry().and_then(|registry| registry.type_of(name)) {
        Some((type_id, found)) if type_id != TypeId::of::<T>() => Err(Error::new(
            ErrorKind::BadPointer,
            format_args!("`$type` is \"{name}\" (`{found}`), not `{}`", std::any::type_name::<T>()),
        )),
        _ => Ok(()),
    }
}

/// Loads the content of objects from some archive.
pub trait Fill<T: ?Sized> {
    /// Returns the session and the options of the archive.
    fn parts(&mut self) -> (&mut Session, &Options<'_>);
    /// Loads the content.
    fn fill(&mut self, value: &mut T) -> Result;
}

/// Fills objects from an archive.
pub(crate) struct OnArchive<'a, A>(pub(crate) &'a mut A);

impl<A: Archive, T: Blank + Serialize> Fill<T> for OnArchive<'_, A> {
    fn parts(&mut self) -> (&mut Session, &Options<'_>) {
        self.0.parts_mut()
    }
    fn fill(&mut self, value: &mut T) -> Result {
        fill(value, self.0)
    }
}

impl<A: Archive> Fill<dyn Polymorphic> for OnArchive<'_, A> {
    fn parts(&mut self) -> (&mut Session, &Options<'_>) {
        self.0.parts_mut()
    }
    fn fill(&mut self, value: &mut dyn Polymorphic) -> Result {
        dynamic::load(value, self.0)
    }
}

/// Loads an object without a cell. In the meantime a weak pointer to it is known under its id.
pub(crate) fn build<F: Flavor, T, A: Fill<T>>(ar: &mut A, id: u64, at: Mark) -> Result<F::Strong<T>>
where
    T: Blank + Save + 'static,
{
    let mut value = T::try_blank(ar.parts().1)?;
    if id == 0 {
        ar.fill(&mut value)?;
        return Ok(F::new(value));
    }
    let identity = Identity::of::<T>;
    let mut filled = Ok(());
    let strong = F::new_cyclic(|weak: &F::Weak<T>| {
        let handle = Handle::Building(std::rc::Rc::new(weak.clone()));
        filled = know(Entry::new(identity, handle, State::Loading, true, at), id, ar.parts());
        if filled.is_ok() {
            filled = ar.fill(&mut value);
        }
        value
    });
    if let Err(error) = filled {
        ar.parts().0.loaded.remove(id);
        return Err(error);
    }
    let handle = F::handle(strong.clone());
    know(Entry::new(identity, handle, State::Loading, true, at), id, ar.parts())?;
    Ok(strong)
}

fn know(entry: Entry, id: u64, (session, options): (&mut Session, &Options<'_>)) -> Result {
    session.loaded.insert(id, entry, options)
}

impl<T: Blank + Save + 'static> Pointee for T {
    const CELL: bool = false;
    const DYN: bool = false;
    const SHAPE: &'static Shape = <T as Serialize>::SHAPE;
    const INFO: &'static TypeInfo = TypeInfo::of::<T>();

    type Maker = PhantomData<T>;

    fn blank_strong<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<T>> {
        in_pointer::<T, _>(<T as Serialize>::SHAPE, options, T::try_blank).map(F::new)
    }
    fn identity(&self) -> Result<Identity> {
        Ok(Identity::of_value(self))
    }
    fn save_pointee<A: Archive>(&self, ar: &mut A) -> Result {
        self.save_value(ar)
    }
    fn keep<F: Flavor>(this: &F::Strong<T>) -> Kept {
        Kept::Object(F::handle(this.clone()))
    }
    fn maker(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<PhantomData<T>>> {
        check_type::<T>(type_name, options)?;
        Ok(Some(PhantomData))
    }
    fn create<F: Flavor>(_: Self::Maker, _: &Options<'_>) -> Result<Created<F::Strong<T>>> {
        Err(wrong_pointee())
    }
    fn build<F: Flavor, A: Archive>(
        _: Self::Maker,
        ar: &mut A,
        id: u64,
        at: Mark,
    ) -> Result<F::Strong<T>> {
        build::<F, T, _>(&mut OnArchive(ar), id, at)
    }
    fn fill<A: Archive>(&self, _: &mut A) -> Result {
        Err(wrong_pointee())
    }
    fn resolve<F: Flavor>(entry: &Entry, _: &Options<'_>) -> Option<F::Strong<T>> {
        F::take(&entry.handle)
    }
    fn resolve_weak<F: Flavor>(entry: &Entry, _: &Options<'_>) -> Option<F::Weak<T>> {
        F::take_weak(&entry.handle)
    }
    fn dangling<F: Flavor>(_: &Options<'_>) -> Result<F::Weak<T>> {
        Ok(F::dangling())
    }
    fn wanted() -> &'static str {
        std::any::type_name::<T>()
    }
}
