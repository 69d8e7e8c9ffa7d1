//! The file of a schema, as it is saved and loaded.

use std::collections::BTreeMap;
use std::fmt;

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Options, Result, Save, Serialize, Value};
use archive_derive::Serialize;

use crate::errors::Marks;

/// The file of a [`Schema`](crate::Schema): named types. It is a type like any other, so it is saved and
/// loaded in every format, and made in code.
///
/// ```
/// use archive::types::{MemberFile, Schema, SchemaFile, TypeFile};
///
/// let hp = MemberFile { default: 40.into(), ..MemberFile::new("hp", "u16") };
/// let mut file = SchemaFile::default();
/// file.types.insert("Unit".into(), TypeFile { members: vec![hp], ..TypeFile::default() });
/// let text = archive::json::to_string(&file)?;
/// assert_eq!(text, r#"{"types":{"Unit":{"members":[{"name":"hp","type":"u16","default":40}]}}}"#);
/// assert_eq!(Schema::new(file)?, Schema::from_slice(text.as_bytes())?);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
pub struct SchemaFile {
    /// The types by their names.
    #[archive(as_object, required)]
    pub types: BTreeMap<String, TypeFile>,
    /// The type of whole files, for tools. Empty if there is none.
    #[archive(skip_if_default)]
    pub root: Text,
}

/// A type: an enum if it has variants, otherwise a struct.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
pub struct TypeFile {
    /// What people are told about the type.
    #[archive(skip_if_default)]
    pub doc: String,
    /// The traits of the program whose objects can be of the type: `Command` for `dyn Command`. The name of
    /// the type is then its id in files. See [`RegisterSchema`](crate::RegisterSchema).
    #[archive(skip_if_default)]
    pub implements: Vec<Text>,
    /// The version that objects are saved with.
    #[archive(skip_if_default)]
    pub version: u32,
    /// The members, in the order in which they are saved.
    #[archive(skip_if_default)]
    pub members: Vec<MemberFile>,
    /// The variants of an enum. A blank value has the first one, unless another one is the
    /// [default](VariantFile::default).
    #[archive(skip_if_default)]
    pub variants: Vec<VariantFile>,
    /// The member that has the name of the variant, in formats without tables: an enum is then an object with
    /// this member. Without [`content`](TypeFile::content), the members of the variant are in that object.
    #[archive(skip_if_default)]
    pub tag: Text,
    /// The member that has the content of the variant, for an enum with a [`tag`](TypeFile::tag).
    #[archive(skip_if_default)]
    pub content: Text,
}

/// A member of a struct or of a variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
pub struct MemberFile {
    /// The name. That of a [base](MemberFile::base) is the name of its type.
    #[archive(required)]
    pub name: Text,
    /// The type, spelled as in Rust: `Vec<Option<u16>>`.
    #[archive(required, rename = "type")]
    pub ty: Text,
    /// The value with which the member starts, and which it has if a file lacks it. Null is the blank
    /// value of the type.
    #[archive(skip_if_default)]
    pub default: Given,
    /// The names of the member in older files.
    #[archive(skip_if_default)]
    pub aliases: Vec<Text>,
    /// Whether files without the member are refused.
    #[archive(skip_if_default)]
    pub required: bool,
    /// Whether the member is left out if it has its default.
    #[archive(skip_if_default)]
    pub skip_if_default: bool,
    /// Whether the members of the value, a struct, are stored in place of the member.
    #[archive(skip_if_default)]
    pub flatten: bool,
    /// Whether the value, a struct, is the base of the type.
    #[archive(skip_if_default)]
    pub base: bool,
    /// What people are told about the member.
    #[archive(skip_if_default)]
    pub doc: String,
    /// The name to show.
    #[archive(skip_if_default)]
    pub label: String,
    /// The group in a table of properties.
    #[archive(skip_if_default)]
    pub group: String,
    /// The unit of a number.
    #[archive(skip_if_default)]
    pub unit: String,
    /// The least and the greatest value of a number, which edits respect; either may be null.
    #[archive(skip_if_default)]
    pub range: Option<(Option<f64>, Option<f64>)>,
    /// The distance between the values of a slider.
    #[archive(skip_if_default)]
    pub step: Option<f64>,
    /// Whether tools show the text in several lines.
    #[archive(skip_if_default)]
    pub multiline: bool,
    /// Whether tools leave the value as it is.
    #[archive(skip_if_default)]
    pub read_only: bool,
    /// Whether tools leave the member out.
    #[archive(skip_if_default)]
    pub hidden: bool,
}

impl MemberFile {
    /// Creates a member of that name and type.
    #[must_use]
    pub fn new(name: &str, ty: &str) -> Self {
        MemberFile { name: name.into(), ty: ty.into(), ..MemberFile::default() }
    }
}

/// A variant of an enum: one without data, with values, or with named members.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
pub struct VariantFile {
    /// The name.
    #[archive(required)]
    pub name: Text,
    /// The types of the values: one is stored as it is, several as an array.
    #[archive(skip_if_default)]
    pub items: Vec<Text>,
    /// The members. A variant with members is stored as an object, also if there are none of them.
    #[archive(skip_if_default)]
    pub members: Option<Vec<MemberFile>>,
    /// The names of the variant in older files.
    #[archive(skip_if_default)]
    pub aliases: Vec<Text>,
    /// Whether a blank value has this variant.
    #[archive(skip_if_default)]
    pub default: bool,
    /// Whether names that the enum does not have load as this variant. It has no data, or one
    /// `String`, which keeps the name.
    #[archive(skip_if_default)]
    pub other: bool,
    /// What people are told about the variant.
    #[archive(skip_if_default)]
    pub doc: String,
}

impl VariantFile {
    /// Creates a variant of that name whose values have these types.
    #[must_use]
    pub fn new(name: &str, items: &[&str]) -> Self {
        let items = items.iter().map(|item| (*item).into()).collect();
        VariantFile { name: name.into(), items, ..VariantFile::default() }
    }

    /// Whether the variant is stored as its name.
    pub(crate) fn is_unit(&self) -> bool {
        self.items.is_empty() && self.members.is_none()
    }
}

/// A name or a type in a [`SchemaFile`]: text whose place in the file is known.
#[derive(Clone, Default)]
pub struct Text {
    text: String,
    /// The number among all places of the file in the order in which they were loaded, from 1.
    pub(crate) mark: u32,
}

/// A default in a [`SchemaFile`]: a value whose place in the file is known.
#[derive(Clone, Default)]
pub struct Given {
    value: Value,
    pub(crate) mark: u32,
}

/// Implements the traits of a value with its place.
macro_rules! marked {
    ($Type:ident, $field:ident: $Of:ty) => {
        impl Serialize for $Type {
            const SHAPE: &'static Shape = <$Of as Serialize>::SHAPE;

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                Serialize::value(&mut self.$field, ar)?;
                match ar.context::<Marks>() {
                    Some(marks) if ar.is_loading() => {
                        self.mark = marks.next()?;
                        Ok(())
                    }
                    _ => Ok(()),
                }
            }
        }
        impl Save for $Type {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                Save::save_value(&self.$field, ar)
            }
        }
        impl Blank for $Type {
            fn blank(_: &Options<'_>) -> Self {
                $Type::default()
            }
        }
        impl std::ops::Deref for $Type {
            type Target = $Of;
            fn deref(&self) -> &$Of {
                &self.$field
            }
        }
        /// Equal if the values are. Their places do not count.
        impl PartialEq for $Type {
            fn eq(&self, other: &Self) -> bool {
                self.$field == other.$field
            }
        }
        impl fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.$field.fmt(f)
            }
        }
    };
}
marked!(Text, text: String);
marked!(Given, value: Value);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text { text: text.to_owned(), mark: 0 }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text { text, mark: 0 }
    }
}

impl<T: Into<Value>> From<T> for Given {
    fn from(value: T) -> Self {
        Given { value: value.into(), mark: 0 }
    }
}
