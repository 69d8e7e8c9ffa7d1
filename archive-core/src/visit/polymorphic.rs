//! [`Polymorphic`]: the operations of every registered type as a trait object.

mod impls;

use std::any::Any;

use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::visit::erased::Erased;

/// The supertrait of every trait whose objects are saved and loaded.
///
/// Every type with `Serialize`, `Save` and `Blank` implements it.
///
/// ```
/// trait Command: archive::Polymorphic {
///     fn run(&mut self);
/// }
/// archive::polymorphic!(dyn Command);
/// ```
///
/// [`Any`] is a supertrait, so the type of an object can be tested:
///
/// ```
/// # use std::any::Any;
/// # trait Command: archive::Polymorphic {}
/// # archive::polymorphic!(dyn Command);
/// fn is_number(command: &dyn Command) -> bool {
///     (command as &dyn Any).is::<u32>()
/// }
/// # impl Command for u32 {}
/// # impl Command for u8 {}
/// assert!(is_number(&7_u32) && !is_number(&7_u8));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved and loaded as a trait object",
    label = "needs `Serialize`, `Save` and `Blank`",
    note = "`#[derive(Serialize)]` writes all three; a hand-written type needs `archive::save_by_clone!` and `archive::blank!`, and a trait `archive::Polymorphic` as its supertrait"
)]
pub trait Polymorphic: Any {
    #[doc(hidden)]
    fn __archive_identity(&self) -> Identity;
    #[doc(hidden)]
    fn __archive_save(&self, ar: &mut Erased<'_>) -> Result;
    #[doc(hidden)]
    fn __archive_load(&mut self, ar: &mut Erased<'_>) -> Result;
    #[doc(hidden)]
    fn __archive_object(&self) -> &dyn Polymorphic;
    #[doc(hidden)]
    fn __archive_object_mut(&mut self) -> &mut dyn Polymorphic;
}

/// A trait object whose trait has the supertrait [`Polymorphic`]. This trait is between
/// [`Interface`] and [`Polymorphic`], so a trait without the supertrait gets one error that says
/// so, instead of one for each of the three traits that the supertrait requires.
#[diagnostic::on_unimplemented(
    message = "the trait of `{Self}` lacks the supertrait `archive::Polymorphic`",
    label = "write `trait Command: archive::Polymorphic`, if the trait is called `Command`"
)]
pub trait HasSupertrait {
    /// Returns the concrete type.
    fn identity(&self) -> Identity;
    /// Saves the value in its slot.
    fn save_erased(&self, ar: &mut Erased<'_>) -> Result;
    /// Visits the value in its slot.
    fn load_erased(&mut self, ar: &mut Erased<'_>) -> Result;
    /// Returns the object as a [`Polymorphic`].
    fn object(&self) -> &dyn Polymorphic;
    /// Like [`object`](HasSupertrait::object), mutable.
    fn object_mut(&mut self) -> &mut dyn Polymorphic;
}

#[diagnostic::do_not_recommend]
impl<T: Polymorphic + ?Sized> HasSupertrait for T {
    fn identity(&self) -> Identity {
        self.__archive_identity()
    }
    fn save_erased(&self, ar: &mut Erased<'_>) -> Result {
        self.__archive_save(ar)
    }
    fn load_erased(&mut self, ar: &mut Erased<'_>) -> Result {
        self.__archive_load(ar)
    }
    fn object(&self) -> &dyn Polymorphic {
        self.__archive_object()
    }
    fn object_mut(&mut self) -> &mut dyn Polymorphic {
        self.__archive_object_mut()
    }
}

/// A trait object type for which `polymorphic!` was called.
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` cannot be saved and loaded yet",
    label = "`archive::polymorphic!` was not called for it",
    note = "add `archive::polymorphic!({Self});` where the trait is defined; the trait itself needs `archive::Polymorphic` as its supertrait"
)]
pub trait Interface: HasSupertrait + 'static {}
