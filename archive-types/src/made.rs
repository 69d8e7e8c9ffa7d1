//! [`Made`]: an object of a made type, as a trait object.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use archive_core::__private::made::{MadeType, OwnShape, OwnTypeId};
use archive_core::shape::{Class, Shape};
use archive_core::{
    Archive, Blank, Element, Error, ErrorKind, Options, Result, Save, Serialize, Value,
};
use archive_reflect::{Content, Edit};

use crate::file::{SchemaFile, TypeFile};
use crate::methods::{Call, Methods};
use crate::plan::Form;
use crate::record::Record;
use crate::schema::{Schema, Type};

/// A type of a schema that is registered.
pub(crate) struct Kind {
    pub(crate) id: Arc<str>,
    pub(crate) ty: Type,
    pub(crate) methods: Methods,
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

    fn of(made: &MadeType) -> Option<Self> {
        Some(Made::new(made.0.clone().downcast::<Kind>().ok()?))
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
        let path = self.kind.as_ref().and_then(|kind| {
            let mut bases = kind.bases().into_iter().skip(1);
            Some(bases.find(|(class, _)| class.name == wanted.name())?.1)
        });
        path.map(|path| self.with(&path, function)).transpose()
    }

    /// Returns whether the type, or one that it extends, has a method.
    #[must_use]
    pub fn has_method(&self, method: &str) -> bool {
        self.kind.as_ref().is_some_and(|kind| kind.methods.has(&kind.types(), method))
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
        let function = kind.methods.find(&kind.types(), method)?;
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
    /// Returns the names of the type and of all that it extends, the nearest first.
    fn types(&self) -> Vec<&'static str> {
        match &self.ty.plan.form {
            Form::Enum(of) => vec![of.info.name],
            _ => self.bases().into_iter().map(|(class, _)| class.name).collect(),
        }
    }

    /// Returns the class of the type and those of all that it extends, each with the path to its part.
    fn bases(&self) -> Vec<(&'static Class, String)> {
        let Form::Class(of) = &self.ty.plan.form else { return Vec::new() };
        let (mut bases, mut open) = (Vec::new(), vec![(of.class, String::new())]);
        while let Some((class, path)) = open.pop() {
            let members = class.members.unwrap_or_default().iter().rev();
            open.extend(members.filter_map(|it| {
                let dot = if path.is_empty() { "" } else { "." };
                Some((it.base?, format!("{path}{dot}{}", it.name)))
            }));
            bases.push((class, path));
        }
        bases
    }
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
        new: |options| {
            let made = options.context::<MadeType>().and_then(Made::of);
            made.map_or(&Shape::Any, |made| made.own_shape())
        },
        part: || &Shape::Any,
    });
    const HOLDS_VALUES: bool = false;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let (session, options) = ar.parts_mut();
        if let Some(made) = session.take_made(options) {
            *self = Made::of(&made).ok_or_else(without_type)?;
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
        let made = options.context::<MadeType>().and_then(Made::of);
        made.unwrap_or_else(|| Made { kind: None, record: Record::new(placeholder()) })
    }
}
