//! [`Record`]: a value whose type is made at run time.

use std::fmt;

use archive_core::__private::made::OwnShape;
use archive_core::path::Path;
use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Body, Element, Options, Result, Save, Serialize, Value};
use archive_reflect::{Content, Edit, Meta, apply, get, get_as};

use crate::loaded::Loaded;
use crate::saved::Saved;
use crate::schema::Type;
use crate::slot::Slot;

/// A value of a type that is made at run time: an object, or any other value that a
/// [`Schema`](crate::Schema) can describe.
///
/// It is saved, byte for byte, as a value of a compiled type with the same members, in every format, and
/// each is loaded from the file of the other. The functions of [`reflect`](archive_reflect) take it like
/// any value: paths, edits with undo, descriptions, differences.
///
/// # Loading
/// The program provides the [`Type`] with the options, or loads into a record that is there:
///
/// ```
/// use archive::types::{Record, Schema};
/// use archive::{Options, binary};
///
/// let schema = Schema::from_slice(br#"{"types":{"Unit":{"members":[
///     {"name":"name","type":"String"}, {"name":"hp","type":"u16","default":40}]}}}"#)?;
/// #[derive(archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let bytes = binary::to_vec(&Unit { name: "Ann".into(), hp: 7 })?;
/// let options = Options::new().provide(schema.get("Unit")?);
/// let record: Record = binary::from_slice_with(&bytes, &options)?;
/// assert_eq!(record.get_as::<String>("name")?, "Ann");
/// assert_eq!(binary::to_vec(&record)?, bytes);
///
/// let mut units = Record::new(schema.get("Vec<Unit>")?);
/// archive::json::load_into(&mut units, br#"[{"name":"Bob"},{}]"#)?;
/// assert_eq!(units.get_as::<u16>("[0].hp")?, 40);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # As a part of a compiled type
/// The type of the record is not part of the compiled type, so its values describe themselves: they are as
/// those of a compiled type in formats that store no types, such as JSON and MessagePack, and longer in binary
/// files. A new record, as in a list, is of the type that the program provides. A [`Typed`](crate::Typed) record
/// has one type, and is saved as a compiled member in every format.
#[derive(Clone, PartialEq)]
pub struct Record {
    ty: Type,
    slot: Slot,
}

impl Record {
    /// Creates a record of a type, which has all defaults.
    #[must_use]
    pub fn new(ty: Type) -> Self {
        Record { ty, slot: ty.plan.blank() }
    }

    /// Returns the type.
    #[must_use]
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// Describes the type for tools.
    #[must_use]
    pub fn meta(&self) -> Meta {
        Meta::of_value(self)
    }

    /// Returns the value at a path, as a tree.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`](archive_core::ErrorKind::NotFound) if there is none.
    pub fn get(&self, path: &str) -> Result<Value> {
        get(self, &Path::parse(path)?, &Options::new())
    }

    /// Returns the value at a path, as a compiled type.
    ///
    /// # Errors
    /// Those of [`get`](Record::get), and an error if the value does not fit.
    pub fn get_as<T: Element + 'static>(&self, path: &str) -> Result<T> {
        get_as(self, &Path::parse(path)?, &Options::new())
    }

    /// Replaces the value at a path, with the checks of a load and those of ranges. Returns the edit that
    /// undoes it.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`](archive_core::ErrorKind::NotFound) if there is no such place, and an error if
    /// the value does not fit. The record is then unchanged.
    pub fn set(&mut self, path: &str, value: impl Into<Content>) -> Result<Edit> {
        self.apply(&Edit::new().set(Path::parse(path)?, value))
    }

    /// Makes all changes of an edit, or none. Returns the edit that undoes them.
    ///
    /// # Errors
    /// Those of the changes.
    pub fn apply(&mut self, edit: &Edit) -> Result<Edit> {
        apply(self, edit, &Options::new())
    }

    fn own_shape(&self) -> &'static Shape {
        self.ty.plan.shape
    }
}

fn provided_shape(options: &Options<'_>) -> &'static Shape {
    options.context::<Type>().map_or(&Shape::Any, |ty| ty.plan.shape)
}

impl Serialize for Record {
    const SHAPE: &'static Shape = &Shape::Any;
    const OWN_SHAPE: Option<OwnShape<Self>> =
        Some(OwnShape { of: Record::own_shape, new: provided_shape, part: || &Shape::Any });
    const NULLABLE: bool = true;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.ty.plan.is_nullable() && self.slot.saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_loading() {
            Loaded { slot: &mut self.slot, plan: self.ty.plan }.run(ar)
        } else {
            self.save(ar)
        }
    }
}

impl Save for Record {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        Saved { slot: &self.slot, plan: self.ty.plan }.run(ar)
    }
}

/// A blank record is of the [`Type`] that the program provides.
impl Blank for Record {
    fn blank(options: &Options<'_>) -> Self {
        Record::try_blank(options).expect("the program provides the type")
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        options.require::<Type>().map(|ty| Record::new(*ty))
    }
}

/// The type and the value.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Value::of(self) {
            Ok(value) => write!(f, "{} {value}", self.ty),
            Err(error) => write!(f, "{} ({error})", self.ty),
        }
    }
}
