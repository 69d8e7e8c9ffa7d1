//! [`Made`]: an object of a made type, as a trait object.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use archive_core::__private::made::{MadeType, OwnShape, OwnTypeId};
use archive_core::shape::{Class, Shape};
use archive_core::{
    Archive, Blank, Element, Error, ErrorKind, Known, Options, Result, Save, Serialize, Value,
};
use archive_reflect::{Content, Edit};

use crate::file::{SchemaFile, TypeFile};
use crate::methods::{Call, Method, Methods};
use crate::plan::Form;
use crate::record::Record;
use crate::schema::{Schema, Type};

/// A type of a schema that is registered.
pub(crate) struct Kind {
    pub(crate) id: Arc<str>,
    pub(crate) ty: Type,
    pub(crate) methods: Methods,
    /// The type and all that it extends, the nearest first: the name, and the path to the part.
    types: Vec<(&'static str, String)>,
}

/// An object of a type that is made from a [`Schema`], as a trait object: a `Box<dyn Command>` of such a
/// type is in a list with compiled ones, and is saved as if it were compiled.
///
/// The program implements its traits for `Made` once, and [registers](crate::RegisterSchema) schemas. The
/// members are those of the [`Record`] in it. [`Registry::make`](archive_core::Registry::make) creates
/// objects by their ids.
#[derive(Clone)]
pub struct Made {
    /// `None` in a placeholder, until an object is loaded.
    kind: Option<Arc<Kind>>,
    record: Record,
}

impl Made {
    pub(crate) fn new(kind: Arc<Kind>) -> Self {
        Made { record: Record::new(kind.ty), kind: Some(kind) }
    }

    /// Returns the type id. It is the name of the type.
    #[must_use]
    pub fn id(&self) -> &str {
        self.kind.as_ref().map_or("", |kind| &kind.id)
    }

    /// Replaces the value at a path, as [`Record::set`] does.
    ///
    /// # Errors
    /// Those of [`Record::set`].
    pub fn set(&mut self, path: &str, value: impl Into<Content>) -> Result<Edit> {
        self.record.set(path, value)
    }

    /// Makes all changes of an edit, or none, as [`Record::apply`] does.
    ///
    /// # Errors
    /// Those of [`Record::apply`].
    pub fn apply(&mut self, edit: &Edit) -> Result<Edit> {
        self.record.apply(edit)
    }

    /// Runs a function on the value at a path as a value of a compiled type, and stores it again: the
    /// part of a compiled type that this type [extends](crate::MemberFile::base) has the name of that type
    /// as its path.
    ///
    /// # Errors
    /// Those of [`Record::get_as`] and [`Record::set`].
    pub fn with<T: Element + Save + 'static, R>(
        &mut self,
        path: &str,
        function: impl FnOnce(&mut T) -> R,
    ) -> Result<R> {
        let mut value: T = self.record.get_as(path)?;
        let done = function(&mut value);
        self.record.set(path, Value::of(&value)?)?;
        Ok(done)
    }

    /// Runs a function on the part of the object that is of a compiled type, if the type
    /// [extends](crate::MemberFile::base) it, directly or not, and stores the part again.
    ///
    /// # Errors
    /// Those of [`with`](Made::with).
    pub fn extended<T: Element + Save + 'static, R>(
        &mut self,
        function: impl FnOnce(&mut T) -> R,
    ) -> Result<Option<R>> {
        let Shape::Class(wanted) = T::SHAPE else { return Ok(None) };
        let Some(kind) = self.kind.clone() else { return Ok(None) };
        let part = kind.types.iter().skip(1).find(|(name, _)| *name == wanted.name());
        part.map(|(_, path)| self.with(path, function)).transpose()
    }

    /// Returns whether the type, or one that it extends, has a method.
    #[must_use]
    pub fn has_method(&self, method: &str) -> bool {
        self.kind.as_ref().is_some_and(|kind| kind.method(method).is_some())
    }

    /// Calls a method of the type, or of one that it extends.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no such method; otherwise those of the method.
    pub fn call(&mut self, method: &str, arguments: &[Value]) -> Result<Value> {
        self.call_with(method, arguments, &mut ())
    }

    /// As [`call`](Made::call), with a [host](Call::host).
    ///
    /// # Errors
    /// Those of [`call`](Made::call).
    pub fn call_with(
        &mut self,
        method: &str,
        arguments: &[Value],
        host: &mut dyn Any,
    ) -> Result<Value> {
        let kind = self.kind.as_ref().ok_or_else(without_type)?;
        let function = kind.method(method).cloned().ok_or_else(|| kind.missing(method))?;
        function(self, &mut Call { arguments, host })
    }

    fn own_id(&self) -> Option<Arc<str>> {
        self.kind.as_ref().map(|kind| kind.id.clone())
    }

    fn own_shape(&self) -> &'static Shape {
        self.kind.as_ref().map_or(&Shape::Any, |kind| kind.ty.shape())
    }
}

impl Kind {
    pub(crate) fn new(id: &str, ty: Type, methods: &Methods) -> Self {
        let types = match &ty.plan.form {
            Form::Enum(of) => vec![(of.info.name, String::new())],
            Form::Class(of) => with_bases(of.class),
            _ => Vec::new(),
        };
        Kind { id: id.into(), ty, methods: methods.clone(), types }
    }

    pub(crate) fn of(made: &MadeType) -> Option<Arc<Self>> {
        made.0.clone().downcast().ok()
    }

    /// Returns the type that the registry makes or has announced.
    fn provided(options: &Options<'_>) -> Option<Arc<Self>> {
        options.context::<MadeType>().and_then(Kind::of)
    }

    /// Returns the method of the type, or of the nearest that it extends.
    fn method(&self, method: &str) -> Option<&Method> {
        self.types.iter().find_map(|(ty, _)| self.methods.get(ty, method))
    }

    #[cold]
    fn missing(&self, method: &str) -> Error {
        let known = self.types.iter().flat_map(|(ty, _)| self.methods.names(ty));
        let known: Vec<&str> = known.collect();
        let known = Known::new(method, &known, "there are:");
        let message = format_args!("the type `{}` has no method `{method}`{known}", self.id);
        Error::new(ErrorKind::NotFound, message)
    }
}

/// Returns the name of a class and those of all its bases, each with the path to its part.
fn with_bases(class: &'static Class) -> Vec<(&'static str, String)> {
    let (mut types, mut open) = (Vec::new(), vec![(class, String::new())]);
    while let Some((class, path)) = open.pop() {
        let members = class.members.unwrap_or_default().iter().rev();
        open.extend(members.filter_map(|it| {
            let dot = if path.is_empty() { "" } else { "." };
            Some((it.base?, format!("{path}{dot}{}", it.name)))
        }));
        types.push((class.name, path));
    }
    types
}

/// Returns the type of placeholders.
fn placeholder() -> Type {
    static TYPE: OnceLock<Type> = OnceLock::new();
    *TYPE.get_or_init(|| {
        let mut file = SchemaFile::default();
        file.types.insert("Nothing".into(), TypeFile::default());
        let ty = Schema::new(file).map_err(Error::from).and_then(|schema| schema.get("Nothing"));
        ty.expect("a type without members")
    })
}

#[cold]
fn without_type() -> Error {
    let message = "an object of a made type is only loaded as a trait object, under its type id";
    Error::new(ErrorKind::UnknownType, message)
}

impl Deref for Made {
    type Target = Record;
    fn deref(&self) -> &Record {
        &self.record
    }
}

/// Equal if the types and the values are.
impl PartialEq for Made {
    fn eq(&self, other: &Self) -> bool {
        self.own_id() == other.own_id() && self.record == other.record
    }
}

impl fmt::Debug for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.record.fmt(f)
    }
}

impl Serialize for Made {
    const SHAPE: &'static Shape = &Shape::Any;
    const OWN_TYPE_ID: Option<OwnTypeId<Self>> = Some(Made::own_id);
    const OWN_SHAPE: Option<OwnShape<Self>> = Some(OwnShape {
        of: Made::own_shape,
        new: |options| Kind::provided(options).map_or(&Shape::Any, |kind| kind.ty.shape()),
        part: || &Shape::Any,
    });
    const HOLDS_VALUES: bool = false;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let (session, options) = ar.parts_mut();
        if let Some(made) = session.take_made(options) {
            *self = Made::new(Kind::of(&made).ok_or_else(without_type)?);
        } else if self.kind.is_none() {
            return Err(without_type());
        }
        Serialize::serialize(&mut self.record, ar)
    }
}

impl Save for Made {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if self.kind.is_none() {
            return Err(without_type());
        }
        Save::save(&self.record, ar)
    }
}

/// A blank object is of the type that the registry makes, or a placeholder.
impl Blank for Made {
    fn blank(options: &Options<'_>) -> Self {
        let placeholder = || Made { kind: None, record: Record::new(placeholder()) };
        Kind::provided(options).map_or_else(placeholder, Made::new)
    }
}
