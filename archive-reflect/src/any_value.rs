//! [`AnyValue`]: a value of any registered type.

use std::any::Any;
use std::fmt;

use archive_core::shape::Shape;
use archive_core::{
    Archive, Blank, Options, Polymorphic, Registry, Result, Save, Serialize, register,
};

use crate::Meta;

/// The trait of the values that an [`AnyValue`] holds. Every type with `Serialize`, `Save` and
/// `Blank` implements it.
///
/// Types are registered for it as for any other trait:
/// `archive::register!(registry, dyn Anything { Message })?`.
pub trait Anything: Polymorphic {}

impl<T: Polymorphic> Anything for T {}

archive_core::polymorphic!(dyn Anything);

/// A value of any type: a parameter of a message, an entry of a blackboard, a variable of a script.
///
/// It is saved with the type id of its type, as registered for [`dyn Anything`](Anything), and
/// loads as that type. [`register_std`] registers the basic types of the standard library.
///
/// ```
/// use archive::reflect::{AnyValue, Anything, register_std};
/// use archive::{Options, Registry, Serialize};
///
/// #[derive(Debug, Default, PartialEq, Serialize)]
/// struct MoveTo { x: i32, y: i32 }
///
/// #[derive(Default, Serialize)]
/// struct Message { name: String, with: Vec<AnyValue> }
///
/// let mut registry = Registry::new();
/// register_std(&mut registry)?;
/// archive::register!(registry, dyn Anything { MoveTo })?;
/// let options = Options::new().registry(&registry);
///
/// let with = vec![AnyValue::new(MoveTo { x: 3, y: 4 }), AnyValue::from("fast"), AnyValue::new(0.5_f32)];
/// let text = archive::json::to_string_with(&Message { name: "go".into(), with }, &options)?;
/// let message: Message = archive::json::from_str_with(&text, &options)?;
/// assert_eq!(message.with[0].downcast_ref(), Some(&MoveTo { x: 3, y: 4 }));
/// assert_eq!(message.with[1].downcast_ref::<String>().unwrap(), "fast");
/// assert_eq!(message.with[2].id(&registry), Some("f32"));
/// # Ok::<(), archive::Error>(())
/// ```
pub struct AnyValue(Box<dyn Anything>);

impl AnyValue {
    /// Holds a value.
    pub fn new<T: Serialize + Save + Blank + 'static>(value: T) -> Self {
        AnyValue(Box::new(value))
    }

    /// Creates a blank value of the type that is registered under this id or alias.
    pub fn make(registry: &Registry, id: &str, options: &Options<'_>) -> Result<Self> {
        registry.make(id, options).map(AnyValue)
    }

    /// Returns whether the value has the type `T`.
    #[must_use]
    pub fn is<T: 'static>(&self) -> bool {
        (&*self.0 as &dyn Any).is::<T>()
    }

    /// Returns the value if it has the type `T`.
    #[must_use]
    pub fn downcast_ref<T: 'static>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// As [`downcast_ref`](AnyValue::downcast_ref), mutable.
    #[must_use]
    pub fn downcast_mut<T: 'static>(&mut self) -> Option<&mut T> {
        (&mut *self.0 as &mut dyn Any).downcast_mut()
    }

    /// Returns the value without the box.
    ///
    /// # Errors
    /// Returns this value unchanged if it has another type.
    pub fn downcast<T: 'static>(self) -> Result<T, Self> {
        if !self.is::<T>() {
            return Err(self);
        }
        let value: Box<dyn Any> = self.0;
        match value.downcast() {
            Ok(value) => Ok(*value),
            Err(_) => unreachable!("the type was tested"),
        }
    }

    /// Returns the type id of the value, if its type is registered.
    #[must_use]
    pub fn id<'r>(&self, registry: &'r Registry) -> Option<&'r str> {
        registry.id(&*self.0)
    }

    /// Describes the type of the value.
    #[must_use]
    pub fn meta(&self) -> Meta {
        Meta::of_value(&*self.0)
    }

    /// Returns the value for functions that take any value.
    #[must_use]
    pub fn as_dyn(&self) -> &dyn Anything {
        &*self.0
    }

    /// As [`as_dyn`](AnyValue::as_dyn), mutable.
    #[must_use]
    pub fn as_dyn_mut(&mut self) -> &mut dyn Anything {
        &mut *self.0
    }
}

impl From<Box<dyn Anything>> for AnyValue {
    fn from(value: Box<dyn Anything>) -> Self {
        AnyValue(value)
    }
}

/// A [`String`].
impl From<&str> for AnyValue {
    fn from(text: &str) -> Self {
        AnyValue::new(text.to_owned())
    }
}

impl fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyValue").field(&self.0.__archive_identity().type_name).finish()
    }
}

type Content = Box<dyn Anything>;

impl Serialize for AnyValue {
    const SHAPE: &'static Shape = Content::SHAPE;
    const OVERWRITES: bool = Content::OVERWRITES;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.value(ar)
    }
}

impl Save for AnyValue {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        self.0.save_value(ar)
    }
}

/// A blank value has the first type that is registered for [`dyn Anything`](Anything).
impl Blank for AnyValue {
    fn blank(options: &Options<'_>) -> Self {
        AnyValue(Content::blank(options))
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Content::try_blank(options).map(AnyValue)
    }
    fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
        Content::load_new(ar).map(AnyValue)
    }
}

/// Registers the scalar types of the standard library, and `String`, for
/// [`dyn Anything`](Anything), each under its name in Rust.
///
/// # Errors
/// [`ErrorKind::DuplicateType`](archive_core::ErrorKind::DuplicateType) if one of the types or ids is
/// registered already.
pub fn register_std(registry: &mut Registry) -> Result {
    register!(registry, dyn Anything {
        bool, char, String, f32, f64,
        u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize,
    })
}
