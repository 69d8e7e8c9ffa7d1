//! [`Pointee`]: the types that a tracked pointer may point to, and the objects whose type is known.
// Why: docs/decisions/loading-values.md#cells-do-not-implement-blank

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::{Mutex, RwLock};

use super::contains::{Contains, Content};
use super::flavor::Flavor;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::pointer::registry::dynamic;
use crate::state::blank_search::in_pointer;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::object::{Handle, Object, Retained};
use crate::visit::polymorphic::Polymorphic;
use crate::visit::restore::fill;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::{Entry, Session, State};

/// A pointer that was created before its object is loaded, with its handle and its concrete type.
pub struct Created<S> {
    /// The pointer.
    pub strong: S,
    /// The same pointer with its type erased.
    pub handle: Handle,
    /// The concrete type.
    pub identity: fn() -> Identity,
}

/// A type that a tracked `Rc` or `Arc` may point to: a type or a trait object, with or without a
/// cell. `Pointee<P>` is a type that may be the content of the cell `P`.
#[diagnostic::on_unimplemented(
    message = "`Rc<{P}>` or `Arc<{P}>` cannot be saved and loaded",
    label = "cannot be the target of a shared pointer",
    note = "a hand-written type needs `archive::save_by_clone!` and `archive::blank!`",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`",
    note = "the content of a `Cell` can only be copied out: use `RefCell` if it is not `Copy`"
)]
pub trait Pointee<P: ?Sized + 'static = Self>: 'static {
    /// The type in memory.
    const INFO: &'static TypeInfo;
    /// The functions for objects in `P`.
    type Objects: LoadObjects<P>;
}

/// The functions that save objects of type `P`, without the pointers to them.
pub trait Objects<P: ?Sized + 'static>: 'static {
    /// Whether the pointer is created before its object is loaded.
    const CELL: bool;
    /// Whether the concrete type is known only at run time.
    const DYN: bool;
    /// The shape of the objects; [`Shape::Any`] if it differs between them.
    const SHAPE: &'static Shape;

    /// Returns the concrete type.
    fn identity(object: &P) -> Result<Identity>;
    /// Saves the object.
    fn save_pointee<A: Archive>(object: &P, ar: &mut A) -> Result;
    /// Clones the pointer, to keep the object alive.
    fn retain<F: Flavor>(this: &F::Strong<P>) -> Retained;
    /// Returns the name of the type, for messages.
    fn wanted() -> &'static str;
    /// Returns the trait object type, if the concrete type is known only at run time.
    fn interface() -> Option<TypeId> {
        None
    }
}

/// The functions that load objects of type `P`.
pub trait LoadObjects<P: ?Sized + 'static>: Objects<P> {
    /// Creates objects of the concrete type.
    type Maker: Copy;

    /// Creates a placeholder for a pointer that is loaded later.
    fn blank<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<P>>;
    /// Returns the maker for a registered type id; `None` if an id is needed and missing.
    fn maker(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<Self::Maker>>;
    /// Creates an object that is filled later. Called for cells only.
    fn create<F: Flavor>(
        maker: Self::Maker,
        options: &Options<'_>,
    ) -> Result<Created<F::Strong<P>>>;
    /// Loads a new object, which is registered as `id` (0 for none) while it is loaded. Not called
    /// for cells.
    fn build<F: Flavor, A: Archive>(
        maker: Self::Maker,
        ar: &mut A,
        id: u64,
        at: Mark,
    ) -> Result<F::Strong<P>>;
    /// Loads the content. Called for cells only.
    fn fill<A: Archive>(object: &P, ar: &mut A) -> Result;
    /// Returns the pointer to a loaded object, if it has this type.
    fn resolve<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Strong<P>>;
    /// Returns a weak pointer to a loaded object, if it has this type.
    fn resolve_weak<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Weak<P>>;
    /// Creates a weak pointer without an object.
    fn dangling<F: Flavor>(options: &Options<'_>) -> Result<F::Weak<P>>;
}

/// Checks the registered type id of an object whose type is known.
fn check_type<T: 'static>(type_name: Option<&str>, options: &Options<'_>) -> Result {
    let Some(name) = type_name else { return Ok(()) };
    match options.settings().registry().and_then(|registry| registry.type_of(name)) {
        Some((type_id, found)) if type_id != TypeId::of::<T>() => Err(Error::new(
            ErrorKind::BadPointer,
            format_args!("`$type` is \"{name}\" (`{found}`), not `{}`", std::any::type_name::<T>()),
        )),
        _ => Ok(()),
    }
}

/// Loads the content of objects from any archive.
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

/// Loads an object without a cell. While it is being loaded, the table has a weak pointer to it
/// under its id.
pub(crate) fn build<F: Flavor, T, P, A>(ar: &mut A, id: u64, at: Mark) -> Result<F::Strong<P>>
where
    T: Blank + Serialize + 'static,
    P: Contains<T> + Object,
    A: Fill<T>,
{
    let mut value = T::try_blank(ar.parts().1)?;
    if id == 0 {
        ar.fill(&mut value)?;
        return Ok(F::new(P::new(value)));
    }
    let identity = Identity::of::<T>;
    let mut filled = Ok(());
    let strong = F::new_cyclic(|weak: &F::Weak<P>| {
        let handle = Handle::Building(std::rc::Rc::new(weak.clone()));
        filled = know(Entry::new(identity, handle, State::Loading, true, at), id, ar.parts());
        if filled.is_ok() {
            filled = ar.fill(&mut value);
        }
        P::new(value)
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

/// The objects with a `T`, which is known when the program is compiled.
pub struct Known<T>(PhantomData<T>);

impl<T: Content, P: Contains<T> + Object> Objects<P> for Known<T> {
    const CELL: bool = P::CELL;
    const DYN: bool = false;
    const SHAPE: &'static Shape = T::SHAPE;

    fn identity(object: &P) -> Result<Identity> {
        object.identity()
    }
    fn save_pointee<A: Archive>(object: &P, ar: &mut A) -> Result {
        T::save_cell(object, ar)
    }
    fn retain<F: Flavor>(this: &F::Strong<P>) -> Retained {
        Retained::Object(F::handle(this.clone()))
    }
    fn wanted() -> &'static str {
        std::any::type_name::<T>()
    }
}

impl<T: Content, P: Contains<T> + Object> LoadObjects<P> for Known<T> {
    type Maker = ();

    fn blank<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<P>> {
        let value = in_pointer::<T, _>(T::SHAPE, options, T::try_blank)?;
        Ok(F::new(P::new(value)))
    }
    fn maker(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<()>> {
        check_type::<T>(type_name, options).map(Some)
    }
    fn create<F: Flavor>((): (), options: &Options<'_>) -> Result<Created<F::Strong<P>>> {
        let strong = F::new(P::new(T::try_blank(options)?));
        let handle = F::handle(strong.clone());
        Ok(Created { strong, handle, identity: Identity::of::<T> })
    }
    fn build<F: Flavor, A: Archive>((): (), ar: &mut A, id: u64, at: Mark) -> Result<F::Strong<P>> {
        if const { P::CELL } {
            return Err(wrong_pointee());
        }
        build::<F, T, P, _>(&mut OnArchive(ar), id, at)
    }
    fn fill<A: Archive>(object: &P, ar: &mut A) -> Result {
        object.with_mut(|value: &mut T| fill(value, ar))
    }
    fn resolve<F: Flavor>(entry: &Entry, _: &Options<'_>) -> Option<F::Strong<P>> {
        F::take(&entry.handle)
    }
    fn resolve_weak<F: Flavor>(entry: &Entry, _: &Options<'_>) -> Option<F::Weak<P>> {
        F::take_weak(&entry.handle)
    }
    fn dangling<F: Flavor>(_: &Options<'_>) -> Result<F::Weak<P>> {
        Ok(F::dangling())
    }
}

impl<T: Blank + Save + 'static> Pointee for T {
    const INFO: &'static TypeInfo = TypeInfo::of::<T>();
    type Objects = Known<T>;
}

macro_rules! cell_pointee {
    ($($Cell:ident),*) => { $(
        impl<T: Content> Pointee<$Cell<T>> for T {
            const INFO: &'static TypeInfo = TypeInfo::of::<T>();
            type Objects = Known<T>;
        }
        impl<X: Pointee<$Cell<X>> + ?Sized> Pointee for $Cell<X> {
            const INFO: &'static TypeInfo =
                &TypeInfo::of_unsized(&About::around(stringify!($Cell), X::INFO));
            type Objects = X::Objects;
        }
    )* };
}
cell_pointee!(RefCell, Mutex, RwLock);

impl<T: Content + Copy> Pointee for Cell<T> {
    const INFO: &'static TypeInfo =
        &TypeInfo::with::<Self>(&About::around("Cell", TypeInfo::of::<T>()));
    type Objects = Known<T>;
}
