//! [`Schema`]: types that are made from a file. [`Type`]: one of them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Options, Result};
use archive_format::Format;

use crate::errors::{Errors, Found, Marks};
use crate::file::SchemaFile;
use crate::make::Made;
use crate::plan::Plan;
use crate::spelling::Spelling;
use crate::{check, defaults, limits, make, parse};

/// Named types that are made at run time from a [`SchemaFile`].
///
/// A type of a schema is never freed, because formats remember what they know of a type. Two schemas of
/// the same content are one, so a file that is loaded again takes no memory.
///
/// # Limits
/// A schema may come from anywhere. It has at most 1,024 types, 65,536 members and variants, and 16 MiB
/// of texts. A blank value of a type, and each array, has at most 65,536 values.
#[derive(Clone, Copy)]
pub struct Schema(&'static Inner);

struct Inner {
    file: SchemaFile,
    made: Made,
    /// The types that the program asked for, by their spelling.
    asked: Mutex<HashMap<String, &'static Plan>>,
}

/// All schemas, by their text.
static KNOWN: Mutex<Option<HashMap<String, Schema>>> = Mutex::new(None);

impl Schema {
    /// Makes a schema.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its path.
    pub fn new(file: SchemaFile) -> Result<Schema, Errors> {
        let mut found = Found::default();
        let schema = Schema::make(file, &mut found);
        found.into_errors()?;
        Ok(schema?)
    }

    /// Makes a schema from a file in any format that is recognized by its content.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its path and its position.
    pub fn from_slice(input: &[u8]) -> Result<Schema, Errors> {
        Schema::from_slice_in(input, Format::detect(input)?)
    }

    /// As [`from_slice`](Schema::from_slice), from a file in that format.
    ///
    /// # Errors
    /// Those of [`from_slice`](Schema::from_slice).
    pub fn from_slice_in(input: &[u8], format: Format) -> Result<Schema, Errors> {
        Schema::from_slice_with(input, format, &SchemaFile::default())
    }

    /// As [`from_slice_in`](Schema::from_slice_in), with types that the program [offers](SchemaFile::add). The
    /// schema has these types too.
    ///
    /// # Errors
    /// Those of [`from_slice`](Schema::from_slice), and
    /// [`ErrorKind::DuplicateType`](archive_core::ErrorKind::DuplicateType) for another type with the name of one
    /// that is offered.
    pub fn from_slice_with(
        input: &[u8],
        format: Format,
        offered: &SchemaFile,
    ) -> Result<Schema, Errors> {
        let options = Options::new().strict(true).provide(Marks::default());
        let mut file = format.from_slice_with::<SchemaFile>(input, &options)?;
        file.merge(offered)?;
        let mut found = Found::default();
        let schema = Schema::make(file, &mut found);
        found.locate(input, format);
        found.into_errors()?;
        Ok(schema?)
    }

    /// Makes a schema, or adds to the errors.
    fn make(file: SchemaFile, found: &mut Found) -> Result<Schema> {
        let text = archive_json::to_string(&file)?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(schema) = known.get(&text) {
            return Ok(*schema);
        }
        let failed = || Error::custom("the schema has errors");
        let types = parse::parse(&file, found);
        check::check(&types, found);
        if let Some(error) = root_error(&types, &file) {
            found.add(file.root.mark, error.in_member("root"));
        }
        if !found.is_empty() {
            return Err(failed());
        }
        let made = make::make(&types);
        defaults::load(&types, &made, found);
        if !found.is_empty() {
            return Err(failed());
        }
        drop(types);
        let schema = Schema(Box::leak(Box::new(Inner { file, made, asked: Mutex::default() })));
        known.insert(text, schema);
        Ok(schema)
    }

    /// Returns the file that the schema was made from.
    #[must_use]
    pub fn file(&self) -> &'static SchemaFile {
        &self.0.file
    }

    /// Returns the type of whole files, if the file names one.
    ///
    /// # Errors
    /// Those of [`get`](Schema::get).
    pub fn root(&self) -> Result<Option<Type>> {
        let root = self.0.file.root.as_str();
        if root.is_empty() { Ok(None) } else { self.get(root).map(Some) }
    }

    /// Returns the names of the types.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.made.keys().map(String::as_str)
    }

    /// Returns a type: the name of one of the schema, or a type that is spelled with them.
    ///
    /// ```
    /// # use archive::types::Schema;
    /// let schema = Schema::from_slice(br#"{"types":{"Point":{"members":[{"name":"x","type":"i32"}]}}}"#)?;
    /// assert_eq!(schema.get("Point")?.to_string(), "Point");
    /// assert_eq!(schema.get("Vec<Option<Point>>")?.to_string(), "Vec<Option<Point>>");
    /// let error = schema.get("Vec<Piont>").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no type `Piont`, did you mean `Point`?");
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// An error for a name that the schema does not have, and for a type that no schema can have.
    pub fn get(&self, ty: &str) -> Result<Type> {
        if let Some(plan) = self.0.made.get(ty) {
            return Ok(Type { schema: *self, plan: plan.get() });
        }
        let spelling = Spelling::parse(ty)?;
        let text = spelling.to_string();
        let mut asked = self.0.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = asked.get(&text) {
            return Ok(Type { schema: *self, plan });
        }
        let mut found = Found::default();
        let types = parse::parse(&self.0.file, &mut found);
        check::check_asked(&types, &spelling)?;
        if asked.len() >= limits::ASKED {
            let message = format_args!("more than {} types of one schema", limits::ASKED);
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        let plan = make::make_spelled(&self.0.made, &spelling).get();
        asked.insert(text, plan);
        Ok(Type { schema: *self, plan })
    }
}

fn root_error(types: &parse::Definitions<'_>, file: &SchemaFile) -> Option<Error> {
    if file.root.is_empty() {
        return None;
    }
    Spelling::parse(&file.root).and_then(|ty| check::check_asked(types, &ty)).err()
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Schema {}

/// The names of the types.
impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schema ")?;
        f.debug_set().entries(self.names()).finish()
    }
}

/// A type of a [`Schema`].
///
/// A program that loads records [provides](archive_core::Options::provide) their type.
#[derive(Clone, Copy)]
pub struct Type {
    schema: Schema,
    pub(crate) plan: &'static Plan,
}

impl Type {
    /// Returns the schema.
    #[must_use]
    pub fn schema(&self) -> Schema {
        self.schema
    }

    /// Returns the shape.
    #[must_use]
    pub fn shape(&self) -> &'static Shape {
        self.plan.shape
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.plan, other.plan)
    }
}

impl Eq for Type {}

/// The type as it is spelled.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt(f)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Type({self})")
    }
}
