//! [`Blank`]: the value that a load starts from.
// Why: docs/decisions/loading-values.md#a-value-is-loaded-as-new-over-an-old-one-or-as-an-item

use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::serialize::Serialize;
use crate::visit::session::Session;
use crate::visit::walk::{check_whole, stays};

/// A type with a fresh value that loading can fill. Containers and pointers start their elements
/// from it.
///
/// The derive implements it for every derived type; a hand-written type gets it from [`blank!`](crate::blank), which takes its `Default` or an
/// expression. Write it by hand if a value needs something from the caller: `options` contain the values that the caller provided with
/// [`Options::provide`](crate::Options::provide).
///
/// The arguments of a constructor can thus come from the context. This also works for the objects
/// of trait objects, which loading creates by their type ids:
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
/// /// The atlas is not part of the file.
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
    note = "`#[derive(Serialize)]` gives it to a type; a hand-written type needs one line: `archive::blank!(Type);` if it has `Default`, or else `archive::blank!(Type, value);`",
    note = "a reference has none: a loaded value owns its contents, as `String`, `Box<str>` or `Cow<str>` do for text, `Vec<T>`, `Box<T>` or `Rc<T>` for other values",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
///
/// A blank enum has its `#[default]` variant, or else the first variant that can be created without
/// creating the enum again, directly or indirectly. With `enum Expr { Call(Box<Call>), Literal(i32)
/// }` and `struct Call { target: Expr }`, a blank `Expr` is `Literal(0)`. If there is no such
/// variant, loading returns [`ErrorKind::Endless`](crate::ErrorKind::Endless). The search covers
/// derived types, pointers and trait objects. It does not cover a `Default` written by hand: one
/// that calls itself endlessly overflows the stack.
pub trait Blank: Sized {
    /// Returns a value to load into.
    ///
    /// # Panics
    /// Panics if the value cannot be created. A struct without `Default` that holds a bare `Box<dyn
    /// Trait>` starts from a blank object of a registered type, and panics here if none is
    /// registered. So does a type that would contain itself. Loading never panics: it calls
    /// [`try_blank`](Blank::try_blank), which returns an error. If the fields of a hand-written
    /// impl can fail, write its `try_blank` too, and let it call theirs.
    fn blank(options: &Options<'_>) -> Self;

    /// Returns a value to load into, or an error if it cannot be created. Loading calls this
    /// method. By default it calls [`blank`](Blank::blank).
    ///
    /// # Errors
    /// Returns the reason why the value cannot be created, such as a missing value from
    /// [`Options::require`].
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
        if const { !is_scalar(Self::SHAPE) }
            && let Err(error) = check_whole(ar)
        {
            return Err(error);
        }
        match Self::try_blank(ar.options()) {
            Ok(mut value) => match value.value(ar) {
                Ok(()) => Ok(value),
                Err(error) => Err(error),
            },
            failed => failed,
        }
    }

    /// Loads a new value over this one. Only the fields with `skip(keep)` keep their values.
    #[doc(hidden)]
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
    where
        Self: Serialize,
    {
        if const { Self::OVERWRITES && !is_scalar(Self::SHAPE) } {
            if ar.overwrites() {
                return self.value(ar);
            }
            if const { A::KIND.attempts && may_attempt::<Self>() }
                && let Some(before) = ar.begin_attempt()
            {
                let done = self.value(ar);
                if ar.end_attempt(before, done)? {
                    return Ok(());
                }
            }
        }
        if const { !is_scalar(Self::SHAPE) || Self::EXCHANGE_KEPT.is_some() } && stays(ar) {
            return self.value(ar);
        }
        if const { !matches!(Self::SHAPE, Shape::Class(_)) && Self::EXCHANGE_KEPT.is_none() } {
            match Self::load_new(ar) {
                Ok(new) => *self = new,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
        load_in_place_of(self, ar)
    }

    /// Exchanges the fields that keep their values when another value is loaded over this one:
    /// those with `skip(keep)`. With `enums`, exchanges only the fields of enums, and only if both
    /// values have the same variant; without it, only the other fields. The variant is known only
    /// after loading.
    #[doc(hidden)]
    const EXCHANGE_KEPT: Option<Exchange<Self>> = None;

    /// Whether a blank value is a pointer, which loading a new value creates itself.
    #[doc(hidden)]
    const IS_POINTER: bool = false;

    /// Whether equal values have the same content, and contain no pointers. A key that is loaded
    /// over an equal one can then be left out.
    #[doc(hidden)]
    const EQUAL_IS_SAME: bool = false;

    /// Like [`load_new`](Blank::load_new), in memory of the session that
    /// [`spare`](Blank::spare) has returned to it.
    #[doc(hidden)]
    #[inline]
    fn load_spare<A: Archive>(ar: &mut A) -> Result<Self>
    where
        Self: Serialize,
    {
        Self::load_new(ar)
    }

    /// Drops the value. The session may keep its memory.
    #[doc(hidden)]
    #[inline]
    fn spare(self, session: &mut Session) {
        let _ = session;
    }
}

/// Loads a new object, and replaces the old one by it. Most archives reach this rarely, so it is not inlined.
fn load_in_place_of<T: Blank + Serialize, A: Archive>(old: &mut T, ar: &mut A) -> Result {
    let mut new = T::try_blank(ar.options())?;
    if let Some(exchange) = T::EXCHANGE_KEPT {
        exchange(&mut new, old, false);
    }
    let loaded = new.value(ar);
    if let Some(exchange) = T::EXCHANGE_KEPT {
        exchange(&mut new, old, loaded.is_ok());
    }
    if loaded.is_ok() {
        *old = new;
    }
    loaded
}

/// Returns whether values of that shape are scalars.
const fn is_scalar(shape: &Shape) -> bool {
    matches!(shape, Shape::Primitive(..))
}

/// Returns whether values of that type are loaded over old ones [in an
/// attempt](crate::Visitor::begin_attempt): structs whose members are known, and enums.
const fn may_attempt<T: Serialize>() -> bool {
    T::LOOKUP.is_some() || matches!(T::SHAPE, Shape::Enum(_))
}

/// A function that exchanges fields of two values.
#[doc(hidden)]
pub type Exchange<T> = fn(&mut T, &mut T, bool);

/// Exchanges the kept fields of two values, if the type has any.
#[doc(hidden)]
pub fn exchange<T>(kept: Option<Exchange<T>>, one: &mut T, other: &mut T, enums: bool) {
    if let Some(exchange) = kept {
        exchange(one, other, enums);
    }
}

/// Implements [`Blank::blank`] for a type that has [`Blank::try_blank`].
#[doc(hidden)]
pub fn unwrap_blank<T: Blank>(options: &Options<'_>) -> T {
    // The closure returns no error, so a search for a blank enum value tries another variant.
    match options.search.apart(|| T::try_blank(options)) {
        Ok(value) => value,
        Err(error) => panic!("no blank value: {error}"),
    }
}

/// A type whose fresh values can be created before they are loaded: every type with [`Blank`], and
/// the standard cells around such types. Cells do not implement `Blank` itself, which distinguishes
/// `Rc<RefCell<T>>` from `Rc<T>`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no blank value of `{Self}` to load into",
    label = "has no `Blank`",
    note = "`#[derive(Serialize)]` gives it to a type; a hand-written type needs one line: `archive::blank!(Type);` if it has `Default`, or else `archive::blank!(Type, value);`",
    note = "a reference has none: a loaded value owns its contents, as `String`, `Box<str>` or `Cow<str>` do for text, `Vec<T>`, `Box<T>` or `Rc<T>` for other values",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
pub trait Fresh: Sized {
    /// Returns a value to load into.
    fn fresh(options: &Options<'_>) -> Result<Self>;

    /// [`Blank::EXCHANGE_KEPT`].
    const KEPT: Option<Exchange<Self>> = None;

    /// [`Blank::IS_POINTER`].
    const POINTER: bool = false;

    /// [`Blank::EQUAL_IS_SAME`].
    const SAME: bool = false;
}

impl<T: Blank> Fresh for T {
    #[inline]
    fn fresh(options: &Options<'_>) -> Result<Self> {
        T::try_blank(options)
    }
    const KEPT: Option<Exchange<Self>> = T::EXCHANGE_KEPT;
    const POINTER: bool = T::IS_POINTER;
    const SAME: bool = T::EQUAL_IS_SAME;
}

/// A type that can be loaded without an existing value: the result of `from_slice`, and the
/// elements of containers.
///
/// Every type with [`Serialize`] and [`Blank`] is an `Element`, and so are the standard cells
/// around such types. Do not implement it by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element: it has no `Serialize`, or no `Blank` to load into",
    label = "cannot be an element",
    note = "a type of your own: add `#[derive(Serialize)]` to it; a hand-written type needs one more line: `archive::blank!(Type);` if it has `Default`, or else `archive::blank!(Type, value);`",
    note = "a type of another crate: the feature of `archive` with its name, if there is one: `chrono`, `glam`, `indexmap`, `jiff`, `slotmap`, `smallvec`, `smol_str`, `uuid`; `glam` and `jiff` are the newest versions, the types of an older one need that version: `glam-0-27`, `glam-0-29` to `glam-0-33`, `jiff-0-2`",
    note = "any type with the traits of serde: `#[archive(serde)]` on the field (feature `serde`), `archive::serde_formats::Serde<T>` inside of containers",
    note = "any other type: put `#[archive(with = module)]` on the field, where `module::save` and `module::load` turn it into something that can be saved and back",
    note = "a reference cannot be one: a loaded value owns its contents, as `String`, `Box<str>` or `Cow<str>` do for text, `Vec<T>`, `Box<T>` or `Rc<T>` for other values",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
pub trait Element: Serialize + Fresh {
    /// Loads and returns a new value.
    #[doc(hidden)]
    fn load_element<A: Archive>(ar: &mut A) -> Result<Self>;

    /// [`Blank::load_spare`].
    #[doc(hidden)]
    #[inline]
    fn load_spare_element<A: Archive>(ar: &mut A) -> Result<Self> {
        Self::load_element(ar)
    }

    /// [`Blank::spare`].
    #[doc(hidden)]
    #[inline]
    fn spare_element(self, session: &mut Session) {
        let _ = session;
    }

    /// Loads over an old value. Nothing of the old value remains.
    #[doc(hidden)]
    #[inline]
    fn load_element_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        if stays(ar) {
            return self.value(ar);
        }
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
    fn load_spare_element<A: Archive>(ar: &mut A) -> Result<Self> {
        T::load_spare(ar)
    }
    #[inline]
    fn spare_element(self, session: &mut Session) {
        self.spare(session);
    }
    #[inline]
    fn load_element_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.load_over(ar)
    }
}
