//! [`Text`]: the text of a description, with the names of classes for people, or with numbers for
//! the signature.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};

use crate::types::{Carried, Content, Form, Members, Types};
use archive_core::__private::Fnv1a;

/// Limits for the depth of a type between two classes, and for the number of its parts. Unnamed
/// types can contain themselves endlessly.
const MAX_DEPTH: usize = 12;
const MAX_PARTS: usize = 1024;

/// The built-in types whose names could be those of classes.
const SIMPLE: [&str; 7] = ["String", "Weak", "any", "bytes", "dyn", "object", "_"];

/// Returns the text of a type and of all types to which it refers.
///
/// # Errors
/// Returns an error if the types are [exhausted](Types::exhausted).
pub(super) fn text<S: Types>(types: &S, root: S::Type) -> Result<String, fmt::Error> {
    let mut out = String::new();
    Text::new(types, true).whole(root, &mut out)?;
    Ok(out)
}

/// Returns the hash of that text with numbers instead of names.
///
/// # Errors
/// Returns an error if the types are [exhausted](Types::exhausted).
pub fn signature_of<S: Types>(types: &S, root: S::Type) -> Result<u64, fmt::Error> {
    let mut out = Fnv1a::default();
    Text::new(types, false).whole(root, &mut out)?;
    Ok(out.finish())
}

/// Writes the texts of types that refer to each other.
pub struct Text<'s, S: Types> {
    types: &'s S,
    /// Whether classes and enums are shown by their names.
    named: bool,
    /// The classes and enums to which the text refers, in the order of the first reference, and
    /// their names in the text.
    sections: Vec<(S::Type, String)>,
    numbers: HashMap<S::Key, usize>,
    /// The number of times that each name was requested.
    taken: HashMap<String, usize>,
}

impl<'s, S: Types> Text<'s, S> {
    /// Creates an empty text.
    pub fn new(types: &'s S, named: bool) -> Self {
        // A class with the name of a built-in type is not that type.
        let taken = SIMPLE.iter().map(|name| ((*name).to_owned(), 1)).collect();
        Text { types, named, sections: Vec::new(), numbers: HashMap::new(), taken }
    }

    /// Returns the text of the type of a value.
    pub fn of(&mut self, ty: S::Type) -> Result<String, fmt::Error> {
        let (mut out, mut parts) = (String::new(), MAX_PARTS);
        self.put(&mut out, ty, MAX_DEPTH, &mut parts)?;
        Ok(out)
    }

    /// Returns the text of several types in parentheses.
    pub fn of_tuple(&mut self, items: &[S::Type]) -> Result<String, fmt::Error> {
        let (mut out, mut parts) = (String::new(), MAX_PARTS);
        self.tuple(&mut out, items, MAX_DEPTH, &mut parts)?;
        Ok(out)
    }

    /// Returns the name of a class or an enum in the text. Its own lines follow later.
    pub fn refer(&mut self, ty: S::Type) -> Result<String, fmt::Error> {
        if self.types.exhausted() {
            return Err(fmt::Error);
        }
        let next = self.sections.len();
        let number = *self.numbers.entry(self.types.key(ty)).or_insert(next);
        if number == next {
            let name = if self.named { self.name(ty) } else { format!("#{number}") };
            self.sections.push((ty, name));
        }
        Ok(self.sections[number].1.clone())
    }

    /// Returns the name of a class, made unique among classes with the same name.
    fn name(&mut self, ty: S::Type) -> String {
        let name = self.types.name(ty);
        let mut count = self.taken.get(&name).copied().unwrap_or(0);
        let mut unique = name.clone();
        while count > 0 && self.taken.contains_key(&unique) {
            count += 1;
            unique = format!("{name}#{count}");
        }
        self.taken.insert(unique.clone(), 1);
        self.taken.insert(name, count.max(1));
        unique
    }

    fn whole(&mut self, root: S::Type, out: &mut impl Write) -> fmt::Result {
        match self.types.form(root) {
            Form::Named => drop(self.refer(root)?),
            _ => {
                let root = self.of(root)?;
                writeln!(out, "{root}")?;
            }
        }
        let mut at = 0;
        while let Some((section, name)) = self.sections.get(at).cloned() {
            if at > 0 || !matches!(self.types.form(root), Form::Named) {
                writeln!(out)?;
            }
            self.section(out, section, &name)?;
            at += 1;
        }
        Ok(())
    }

    fn put(
        &mut self,
        out: &mut String,
        ty: S::Type,
        deep: usize,
        parts: &mut usize,
    ) -> fmt::Result {
        if self.types.exhausted() {
            return Err(fmt::Error);
        }
        if deep == 0 || *parts == 0 {
            return out.write_char('_');
        }
        let deep = deep - 1;
        *parts -= 1;
        match self.types.form(ty) {
            Form::Simple(name) => out.write_str(name),
            Form::Generic(name, arguments) => {
                write!(out, "{name}<")?;
                self.list(out, &arguments, deep, parts)?;
                out.write_char('>')
            }
            Form::Array(item, len) => {
                out.write_char('[')?;
                self.put(out, item, deep, parts)?;
                write!(out, "; {len}]")
            }
            Form::Tuple(items) => self.tuple(out, &items, deep, parts),
            Form::Named => out.write_str(&self.refer(ty)?),
        }
    }

    fn tuple(
        &mut self,
        out: &mut String,
        items: &[S::Type],
        deep: usize,
        parts: &mut usize,
    ) -> fmt::Result {
        out.write_char('(')?;
        self.list(out, items, deep, parts)?;
        out.write_str(if items.len() == 1 { ",)" } else { ")" })
    }

    fn list(
        &mut self,
        out: &mut String,
        items: &[S::Type],
        deep: usize,
        parts: &mut usize,
    ) -> fmt::Result {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                out.write_str(", ")?;
            }
            self.put(out, *item, deep, parts)?;
        }
        Ok(())
    }

    fn section(&mut self, out: &mut impl Write, ty: S::Type, name: &str) -> fmt::Result {
        match self.types.content(ty) {
            Content::Class(version, members) => {
                match version {
                    0 => writeln!(out, "struct {name}")?,
                    version => writeln!(out, "struct {name}, version {version}")?,
                }
                self.members(out, members, 1)
            }
            Content::Enum(variants) => {
                writeln!(out, "enum {name}")?;
                self.variants(out, variants)
            }
        }
    }

    fn members(
        &mut self,
        out: &mut impl Write,
        members: Members<'_, S::Type>,
        indent: usize,
    ) -> fmt::Result {
        let Members { mut list, whole } = members;
        list.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (name, ty) in list {
            let ty = self.of(ty)?;
            writeln!(out, "{:2$}{}: {ty}", "", quoted(&name), indent * 4)?;
        }
        if !whole {
            writeln!(out, "{:1$}...", "", indent * 4)?;
        }
        Ok(())
    }

    fn variants(
        &mut self,
        out: &mut impl Write,
        mut variants: Vec<(&str, Carried<'_, S::Type>)>,
    ) -> fmt::Result {
        variants.sort_by_key(|(name, _)| *name);
        for (name, carried) in variants {
            let name = quoted(name);
            match carried {
                Carried::Nothing => writeln!(out, "    {name}")?,
                Carried::Value(value) => writeln!(out, "    {name}({})", self.of(value)?)?,
                Carried::Tuple(items) => writeln!(out, "    {name}{}", self.of_tuple(&items)?)?,
                Carried::Members(members) => {
                    writeln!(out, "    {name}:")?;
                    self.members(out, members, 2)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns a name for a line of text, in quotes unless it is a plain identifier.
pub fn quoted(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{name:?}"))
    }
}
