//! [`Definitions`]: the types of a schema, whose members are parsed.

use std::collections::BTreeMap;

use archive_core::{Error, ErrorKind, check_name};

use crate::errors::Found;
use crate::file::{MemberFile, SchemaFile, Text, TypeFile, VariantFile};
use crate::limits;
use crate::spelling::{Spelling, known_names};

/// The types of a schema by name.
pub(crate) type Definitions<'f> = BTreeMap<&'f str, Definition<'f>>;

/// A type of a schema.
pub(crate) struct Definition<'f> {
    pub(crate) file: &'f TypeFile,
    pub(crate) content: Content<'f>,
}

pub(crate) enum Content<'f> {
    Struct(Members<'f>),
    Enum(Vec<Carried<'f>>),
}

/// Members with their types.
pub(crate) type Members<'f> = Vec<(&'f MemberFile, Spelling)>;

/// What a variant carries.
pub(crate) enum Carried<'f> {
    Nothing,
    One(Spelling),
    Several(Vec<Spelling>),
    Members(Members<'f>),
}

impl Definition<'_> {
    /// Collects the types of all members and values.
    pub(crate) fn collect<'d>(&'d self, into: &mut Vec<&'d Spelling>) {
        match &self.content {
            Content::Struct(members) => into.extend(members.iter().map(|(_, ty)| ty)),
            Content::Enum(variants) => {
                for carried in variants {
                    match carried {
                        Carried::Nothing => {}
                        Carried::One(ty) => into.push(ty),
                        Carried::Several(types) => into.extend(types),
                        Carried::Members(members) => into.extend(members.iter().map(|(_, ty)| ty)),
                    }
                }
            }
        }
    }

    /// Returns the index of the variant that a blank value has.
    pub(crate) fn start(&self) -> usize {
        self.file.variants.iter().position(|variant| variant.default).unwrap_or(0)
    }
}

/// Parses the types of all members, and checks names and sizes. Members whose types cannot be parsed
/// have any type.
pub(crate) fn parse<'f>(file: &'f SchemaFile, found: &mut Found) -> Definitions<'f> {
    if let Err(error) = sizes(file) {
        found.add(0, error);
        return Definitions::new();
    }
    let mut definitions = Definitions::new();
    for (name, ty) in &file.types {
        let at = |error: Error| error.in_member(name).in_member("types");
        if let Err(error) = type_name(name) {
            found.add(0, at(error));
        }
        for (text, key) in [(&ty.tag, "tag"), (&ty.content, "content")] {
            if !text.is_empty()
                && let Err(error) = self::name(text)
            {
                found.add(text.mark, at(error.in_member(key)));
            }
        }
        let content = if ty.variants.is_empty() {
            Content::Struct(members(&ty.members, found, &|error| at(error)))
        } else {
            if !ty.members.is_empty() {
                found.add(0, at(custom("a type has members or variants, not both")));
            }
            Content::Enum(variants(&ty.variants, found, &|error| at(error)))
        };
        definitions.insert(name, Definition { file: ty, content });
    }
    definitions
}

/// Adds the place of a type or a variant to an error in it.
type At<'a> = &'a dyn Fn(Error) -> Error;

fn members<'f>(files: &'f [MemberFile], found: &mut Found, at: At<'_>) -> Members<'f> {
    let mut members = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let at = |error: Error| at(error.in_item(index).in_member("members"));
        if let Err(error) = name(&file.name) {
            found.add(file.name.mark, at(error.in_member("name")));
        }
        for (alias_index, alias) in file.aliases.iter().enumerate() {
            if let Err(error) = name(alias) {
                found.add(alias.mark, at(error.in_item(alias_index).in_member("aliases")));
            }
        }
        let ty = parsed(&file.ty, found, &|error| at(error.in_member("type")));
        members.push((file, ty));
    }
    members
}

fn variants<'f>(files: &'f [VariantFile], found: &mut Found, at: At<'_>) -> Vec<Carried<'f>> {
    let mut variants = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let at = |error: Error| at(error.in_item(index).in_member("variants"));
        for text in [&file.name].into_iter().chain(&file.aliases) {
            if let Err(error) = name(text) {
                found.add(text.mark, at(error.in_member("name")));
            }
        }
        if !file.items.is_empty() && file.members.is_some() {
            found.add(file.name.mark, at(custom("a variant has items or members, not both")));
        }
        let mut items: Vec<_> = file
            .items
            .iter()
            .enumerate()
            .map(|(item, text)| {
                parsed(text, found, &|error| at(error.in_item(item).in_member("items")))
            })
            .collect();
        variants.push(match (items.len(), &file.members) {
            (0, None) => Carried::Nothing,
            (0, Some(files)) => Carried::Members(members(files, found, &|error| at(error))),
            (1, _) => Carried::One(items.remove(0)),
            _ => Carried::Several(items),
        });
    }
    variants
}

fn parsed(text: &Text, found: &mut Found, at: At<'_>) -> Spelling {
    Spelling::parse(text).unwrap_or_else(|error| {
        found.add(text.mark, at(error));
        Spelling::Any
    })
}

/// Checks the name of a member or of a variant.
fn name(name: &Text) -> Result<(), Error> {
    let named = match check_name(name) {
        // The path is that of the place in the schema.
        Err(error) => Err(Error::new(error.kind(), error.message())),
        done => done,
    };
    match name.len() {
        0 => Err(custom("a name is empty")),
        len if len > limits::NAME => Err(too_long()),
        _ => named,
    }
}

/// Checks the name of a type, which other types spell.
fn type_name(name: &str) -> Result<(), Error> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if name.len() > limits::NAME {
        return Err(too_long());
    }
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || !name.chars().all(is_part)
    {
        return Err(custom(
            "the name of a type has letters, digits and `_`, and does not begin with a digit",
        ));
    }
    if known_names().any(|known| known == name) {
        return Err(custom(format_args!("`{name}` is a built-in type")));
    }
    Ok(())
}

fn too_long() -> Error {
    let message = format_args!("a name of more than {} bytes", limits::NAME);
    Error::new(ErrorKind::SizeLimit, message)
}

pub(crate) fn custom(message: impl std::fmt::Display) -> Error {
    Error::custom(message)
}

/// Checks that the schema is not too large.
fn sizes(file: &SchemaFile) -> Result<(), Error> {
    let (mut parts, mut bytes) = (0, 0);
    let mut count = |members: &[MemberFile]| {
        for it in members {
            parts += 1 + it.aliases.len();
            bytes += it.doc.len() + it.label.len() + it.group.len() + it.unit.len() + it.ty.len();
        }
    };
    let mut more = 0;
    for ty in file.types.values() {
        count(&ty.members);
        for variant in &ty.variants {
            count(variant.members.as_deref().unwrap_or_default());
            more += 1 + variant.items.len() + variant.aliases.len();
        }
    }
    let limit = |count: usize, most: usize, what: &str| {
        if count <= most {
            return Ok(());
        }
        let message = format_args!("a schema has at most {most} {what}");
        Err(Error::new(ErrorKind::SizeLimit, message).in_member("types"))
    };
    limit(file.types.len(), limits::TYPES, "types")?;
    limit(parts + more, limits::PARTS, "members and variants")?;
    limit(bytes, limits::BYTES, "bytes of texts")
}
