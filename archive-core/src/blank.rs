//! [`Blank`]: a value to load into.

mod search;

pub use search::ends;
pub(crate) use search::{Search, in_pointer};

use crate::Serialize;
use crate::archive::Archive;
use crate::error::Result;
use crate::options::Options;

/// A fresh value that loading can fill: what containers and pointers start their elements from.
///
/// The derive writes it for every derived type; a hand-written type with `Default` gets it from
/// [`blank!`](crate::blank). Write it by hand where a value needs something from outside: the
/// `options` hold whatever the caller provided with
/// [`Options::provide`](crate::Options::provide).
///
/// So what an object is constructed with comes from the context, also for objects behind trait
/// objects, which loading makes by their type ids:
///
/// ```
/// use archive::{Archive, Blank, Options, Registry, Result, Serialize, Value};
/// use std::rc::Rc;
///
/// struct Atlas { path: String }
///
/// trait Thing: archive::Polymorphic {
///     fn draw(&self) -> String;
/// }
/// archive::polymorphic!(dyn Thing);
///
/// /// What is drawn with is no part of the file.
/// #[derive(Clone)]
/// struct Sprite { atlas: Rc<Atlas>, frame: u16 }
///
/// impl Blank for Sprite {
///     fn blank(options: &Options<'_>) -> Self {
///         Self::try_blank(options).expect("the game provides the atlas")
///     }
///     fn try_blank(options: &Options<'_>) -> Result<Self> {
///         Ok(Sprite { atlas: options.require::<Rc<Atlas>>()?.clone(), frame: 0 })
///     }
/// }
/// impl Serialize for Sprite {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("frame", &mut self.frame)
///     }
/// }
/// archive::save_by_clone!(Sprite);
/// impl Thing for Sprite {
///     fn draw(&self) -> String {
///         format!("{} {}", self.atlas.path, self.frame)
///     }
/// }
///
/// # fn main() -> Result {
/// let mut registry = Registry::new();
/// archive::register!(registry, dyn Thing { Sprite })?;
/// let atlas = Rc::new(Atlas { path: "units.png".into() });
/// let options = Options::new().registry(&registry).provide(atlas.clone());
///
/// let things: Vec<Box<dyn Thing>> = vec![Box::new(Sprite { atlas, frame: 7 })];
/// let saved = Value::of_with(&things, &options)?;
/// let loaded: Vec<Box<dyn Thing>> = saved.to_with(&options)?;
/// assert_eq!(loaded[0].draw(), "units.png 7");
///
/// let forgotten = Options::new().registry(&registry);
/// let error = saved.to_with::<Vec<Box<dyn Thing>>>(&forgotten).err().unwrap();
/// assert!(error.to_string().contains("no `Rc<Atlas>` in the context"), "{error}");
/// # Ok(())
/// # }
/// ```
///
/// In derived types a field's `#[archive(default = |options| ...)]` does the same for one field.
#[diagnostic::on_unimplemented(
    message = "no blank value of `{Self}` to load into",
    label = "has no `Blank`",
    note = "`#[derive(Serialize)]` gives it to a type; a hand-written type with `Default` needs one line: `archive::blank!({Self});`",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
///
/// A blank enum is of its `#[default]` variant, else of the first one that ends: one of which a value can
/// be made without another value of the enum, in whichever types that would stand. So with
/// `enum Expr { Call(Box<Call>), Literal(i32) }` and `struct Call { target: Expr }` a blank `Expr` is
/// `Literal(0)`. Where no value ends, loading gives [`ErrorKind::Endless`](crate::ErrorKind::Endless).
/// The search sees the types that are derived, pointers and trait objects. A `Default` written by hand
/// is not part of it: one that calls itself without end overflows the stack.
pub trait Blank: Sized {
    /// A value to load into.
    ///
    /// # Panics
    /// A struct without `Default` that holds a bare `Box<dyn Trait>` starts from a blank object of
    /// a registered type, and panics here if none is registered. So does a type that holds itself without
    /// end. Loading never panics: it calls [`try_blank`](Blank::try_blank), which gives an error. An impl by
    /// hand whose fields may fail should therefore have a `try_blank` that calls theirs.
    fn blank(options: &Options<'_>) -> Self;

    /// As [`blank`](Blank::blank), which is what it does unless it is written by hand: for values that
    /// cannot always be made. Loading calls this one.
    ///
    /// # Errors
    /// Whatever keeps the value from being made, as what [`Options::require`] does not find.
    #[inline]
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Ok(Self::blank(options))
    }

    #[doc(hidden)]
    #[inline]
    fn load_new<A: Archive>(ar: &mut A) -> Result<Self>
    where
        Self: Serialize,
    {
        match Self::try_blank(ar.options()) {
            Ok(mut value) => match value.value(ar) {
                Ok(()) => Ok(value),
                Err(error) => Err(error),
            },
            failed => failed,
        }
    }

    #[doc(hidden)]
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
    where
        Self: Serialize,
    {
        match Self::load_new(ar) {
            Ok(new) => *self = new,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Exchanges the fields that stay when a value is loaded over another one: those with
    /// `skip(keep)`. Those of enums only if both are the same variant, and only if `enums` asks for
    /// them and not for the others: which variant it is shows when it has been loaded.
    #[doc(hidden)]
    const EXCHANGE_KEPT: Option<Exchange<Self>> = None;
}

/// What exchanges fields of two values.
#[doc(hidden)]
pub type Exchange<T> = fn(&mut T, &mut T, bool);

/// Exchanges what fields keep, if they may keep anything.
#[doc(hidden)]
pub fn exchange<T>(kept: Option<Exchange<T>>, one: &mut T, other: &mut T, enums: bool) {
    if let Some(exchange) = kept {
        exchange(one, other, enums);
    }
}

/// Loads a new value over an old one, of which only the fields with `skip(keep)` remain: the
/// [`Blank::load_over`] of derived types.
#[doc(hidden)]
#[inline]
pub fn load_over<T: Blank + Serialize, A: Archive>(old: &mut T, ar: &mut A) -> Result {
    load_anew(old, ar, fresh_of::<T>, T::EXCHANGE_KEPT)
}

fn fresh_of<T: Blank>(options: &Options<'_>) -> Result<Option<T>> {
    match T::try_blank(options) {
        Ok(new) => Ok(Some(new)),
        Err(error) => Err(error),
    }
}

/// As [`load_over`], where it is not known whether there are blank values: without one it is loaded as it
/// is. It takes functions and no closures, which would be more functions for each type.
#[inline]
pub(crate) fn load_anew<T: Serialize, A: Archive>(
    old: &mut T,
    ar: &mut A,
    fresh: fn(&Options<'_>) -> Result<Option<T>>,
    kept: Option<Exchange<T>>,
) -> Result {
    if T::OVERWRITES {
        if ar.overwrites() {
            return old.value(ar);
        }
        if const { T::LOOKUP.is_some() } && ar.try_over(&mut &mut *old)? {
            return Ok(());
        }
    }
    let mut new = match fresh(ar.options()) {
        Ok(Some(new)) => new,
        Ok(None) => return old.value(ar),
        Err(error) => return Err(error),
    };
    if let Some(exchange) = kept {
        exchange(&mut new, old, false);
    }
    let loaded = new.value(ar);
    if let Some(exchange) = kept {
        exchange(&mut new, old, loaded.is_ok());
    }
    if loaded.is_ok() {
        *old = new;
    }
    loaded
}

/// [`Blank::blank`] of a type that has [`Blank::try_blank`].
#[doc(hidden)]
pub fn unwrap_blank<T: Blank>(options: &Options<'_>) -> T {
    // Who calls this takes no error, so a value that is being made takes another variant.
    match options.search.anew(|| T::try_blank(options)) {
        Ok(value) => value,
        Err(error) => panic!("no blank value: {error}"),
    }
}

/// A type that a place can be filled with before it is loaded: everything with [`Blank`], and the
/// standard cells around it. That cells lack `Blank` itself is what tells `Rc<RefCell<T>>` from
/// `Rc<T>`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no blank value of `{Self}` to load into",
    label = "has no `Blank`",
    note = "`#[derive(Serialize)]` gives it to a type; a hand-written type with `Default` needs one line: `archive::blank!({Self});`",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
pub trait Fresh: Sized {
    /// A value to load into.
    fn fresh(options: &Options<'_>) -> Result<Self>;

    /// [`Blank::EXCHANGE_KEPT`].
    const KEPT: Option<Exchange<Self>> = None;
}

impl<T: Blank> Fresh for T {
    #[inline]
    fn fresh(options: &Options<'_>) -> Result<Self> {
        T::try_blank(options)
    }
    const KEPT: Option<Exchange<Self>> = T::EXCHANGE_KEPT;
}

/// A type that can be loaded where no value was before: what `from_slice` gives, and what containers
/// hold.
///
/// Every type with [`Serialize`] and [`Blank`] is one, and so are the standard cells around such
/// types. It is never implemented by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element: it has no `Serialize`, or no `Blank` to load into",
    label = "cannot be an element",
    note = "a type of your own: add `#[derive(Serialize)]` to it; a hand-written type with `Default` needs one more line: `archive::blank!({Self});`",
    note = "a type of another crate: put `#[archive(with = module)]` on the field, where `module::save` and `module::load` turn it into something that can be saved and back",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
pub trait Element: Serialize + Fresh {
    /// Loads a new value.
    #[doc(hidden)]
    fn load_element<A: Archive>(ar: &mut A) -> Result<Self>;

    /// Loads over an old value, of which nothing may remain.
    #[doc(hidden)]
    #[inline]
    fn load_element_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        match Self::load_element(ar) {
            Ok(new) => *self = new,
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl<T: Serialize + Blank> Element for T {
    #[inline]
    fn load_element<A: Archive>(ar: &mut A) -> Result<Self> {
        T::load_new(ar)
    }
    #[inline]
    fn load_element_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.load_over(ar)
    }
}
