//! [`PropertyMeta`]: a value that is computed and not stored.

use std::any::Any;

use archive_core::shape::{Facts, Property, Shape};
use archive_core::{
    Archive, Body, Error, Loading, Options, Result, Saving, Session, Source, Value, ValueDecoder,
    ValueEncoder,
};

use super::Meta;
use super::member::shown;

/// A value of an object that a function returns, and that another function may set:
/// `#[archive(get = function, set = function)]`. It is never stored.
///
/// ```
/// use std::marker::PhantomData;
///
/// use archive::reflect::Meta;
/// use archive::{Serialize, Value};
///
/// #[derive(Default, Serialize)]
/// struct Door {
///     radians: f32,
///     #[archive(get = Door::degrees, set = Door::turn_to, unit = "°")]
///     degrees: PhantomData<f32>,
/// }
/// impl Door {
///     fn degrees(&self) -> f32 { self.radians.to_degrees() }
///     fn turn_to(&mut self, degrees: f32) { self.radians = degrees.to_radians() }
/// }
///
/// let mut door = Door::default();
/// let degrees = Meta::of::<Door>().property("degrees").unwrap();
/// degrees.set(&mut door, &Value::from(180.0))?;
/// assert_eq!(door.radians, std::f32::consts::PI);
/// assert_eq!(degrees.get(&door)?, Value::from(180.0_f32));
/// assert_eq!((degrees.meta().name().as_str(), degrees.facts().unit), ("f32", "°"));
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PropertyMeta {
    property: &'static Property,
    meta: Meta,
}

impl PropertyMeta {
    pub(super) fn new(property: &'static Property, of: &Meta) -> PropertyMeta {
        PropertyMeta { property, meta: of.part(&(property.shape)()) }
    }

    /// As [`new`](PropertyMeta::new), for a value of that type.
    pub(crate) fn known(property: &'static Property, meta: &Meta) -> PropertyMeta {
        PropertyMeta { property, meta: meta.clone() }
    }

    /// Returns the name: that of the field with the attribute.
    pub fn name(&self) -> &'static str {
        self.property.name
    }

    /// Returns the name to show to people: the `label`, or the name.
    pub fn label(&self) -> &'static str {
        match self.property.facts.label {
            "" => self.property.name,
            label => label,
        }
    }

    /// Describes the type of the value.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the attributes for people.
    pub fn facts(&self) -> &'static Facts {
        self.property.facts
    }

    /// Returns whether the property cannot be set: it has no setter, or the attribute `read_only`.
    pub fn is_read_only(&self) -> bool {
        self.property.access().set.is_none() || self.property.facts.read_only
    }

    /// Returns whether tools show the property of this object.
    pub fn is_shown(&self, object: &dyn Any) -> bool {
        shown(self.property.facts, object)
    }

    /// Returns the value of an object.
    ///
    /// # Errors
    /// An error if the object has another type, and errors of the value.
    pub fn get(&self, object: &dyn Any) -> Result<Value> {
        self.get_with(object, &Options::new())
    }

    /// As [`get`](PropertyMeta::get), with options.
    pub fn get_with(&self, object: &dyn Any, options: &Options<'_>) -> Result<Value> {
        let mut encoder = ValueEncoder::new();
        let mut body = Get(self.property, object);
        Saving::new(&mut encoder, &mut Session::new(), options).root(&mut body)?;
        encoder.finish()
    }

    /// Sets the value of an object. Members that `value` lacks keep the value that `get` returns.
    ///
    /// # Errors
    /// Errors of loading the value and of the setter;
    /// [`ErrorKind::Custom`](archive_core::ErrorKind::Custom) if the property is read-only or the
    /// object has another type.
    pub fn set(&self, object: &mut dyn Any, value: &Value) -> Result {
        self.set_with(object, value, &Options::new())
    }

    /// As [`set`](PropertyMeta::set), with options.
    pub fn set_with(&self, object: &mut dyn Any, value: &Value, options: &Options<'_>) -> Result {
        let name = self.property.name;
        let Some(set) = self.property.access().set.filter(|_| !self.is_read_only()) else {
            return Err(Error::custom(format_args!("the property `{name}` is read-only")));
        };
        let mut decoder = ValueDecoder::new(value);
        let mut session = Session::new();
        let mut loading = Loading::new(&mut decoder, &mut session, options);
        loading.root(self.meta.shape, &mut Set(set, object))
    }
}

struct Get<'a>(&'static Property, &'a dyn Any);

impl Body for Get<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        (self.0.access().get)(self.1, &mut ar.erased())
    }
}

impl Source for Get<'_> {
    fn shape(&self) -> &'static Shape {
        (self.0.shape)().get()
    }
}

type SetFn = fn(&mut dyn Any, &mut archive_core::Erased<'_>) -> Result;

struct Set<'a>(SetFn, &'a mut dyn Any);

impl Body for Set<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        (self.0)(self.1, &mut ar.erased())
    }
}
