//! How large blank values are, which a few types that contain each other make endless.

use std::collections::BTreeMap;

use archive_core::{Error, ErrorKind};

use crate::limits;
use crate::parse::{Carried, Content, Definition, Definitions};
use crate::spelling::Spelling;

/// How many values blank ones consist of, counted before one is made: a few types may double each other.
pub(crate) struct Sizes<'t, 'f> {
    types: &'t Definitions<'f>,
    known: BTreeMap<&'t str, usize>,
    open: Vec<&'t str>,
}

impl<'t, 'f> Sizes<'t, 'f> {
    pub(crate) fn new(types: &'t Definitions<'f>) -> Self {
        Sizes { types, known: BTreeMap::new(), open: Vec::new() }
    }

    /// Checks the blank values of everything that a type mentions.
    pub(crate) fn inside(&mut self, ty: &'t Spelling) -> Result<(), Error> {
        self.of(ty)?;
        match ty {
            Spelling::Primitive(_) | Spelling::Any | Spelling::Object(_) | Spelling::Named(_) => {
                Ok(())
            }
            Spelling::List(item)
            | Spelling::Set(item, _)
            | Spelling::Array(item, _)
            | Spelling::Shared(item, _)
            | Spelling::Option(item) => self.inside(item),
            Spelling::Map(key, value, _) => {
                self.inside(key)?;
                self.inside(value)
            }
            Spelling::Tuple(items) => items.iter().try_for_each(|item| self.inside(item)),
        }
    }

    pub(crate) fn all(&mut self, definition: &'t Definition<'_>) -> Result<(), Error> {
        let mut parts = Vec::new();
        definition.collect(&mut parts);
        parts.into_iter().try_for_each(|ty| self.inside(ty))?;
        if let Content::Enum(variants) = &definition.content {
            variants.iter().try_for_each(|carried| self.carried(carried).map(drop))?;
        }
        Ok(())
    }

    fn of(&mut self, ty: &'t Spelling) -> Result<usize, Error> {
        let size = match ty {
            Spelling::Array(item, len) => self.of(item)?.saturating_mul(*len),
            Spelling::Tuple(items) => self.sum(items.iter())?,
            Spelling::Shared(to, kind) if !kind.is_weak => self.of(to)?,
            Spelling::Named(name) => self.named(name)?,
            _ => 0,
        };
        let size = size.saturating_add(1);
        if size > limits::BLANK {
            let message = format_args!("a blank `{ty}` has more than {} values", limits::BLANK);
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        Ok(size)
    }

    fn sum(&mut self, types: impl Iterator<Item = &'t Spelling>) -> Result<usize, Error> {
        let mut sum = 0_usize;
        for ty in types {
            sum = sum.saturating_add(self.of(ty)?);
        }
        Ok(sum)
    }

    fn carried(&mut self, carried: &'t Carried<'_>) -> Result<usize, Error> {
        match carried {
            Carried::Nothing => Ok(0),
            Carried::One(ty) => self.of(ty),
            Carried::Several(types) => self.sum(types.iter()),
            Carried::Members(members) => self.sum(members.iter().map(|(_, ty)| ty)),
        }
    }

    pub(crate) fn named(&mut self, name: &'t str) -> Result<usize, Error> {
        if let Some(known) = self.known.get(name) {
            return Ok(*known);
        }
        if self.open.contains(&name) || self.open.len() > limits::NESTING * 8 {
            let message = if self.open.contains(&name) {
                format!("a blank `{name}` would contain itself")
            } else {
                format!("more than {} types contain each other", limits::NESTING * 8)
            };
            return Err(Error::new(ErrorKind::Endless, message));
        }
        let Some(definition) = self.types.get(name) else { return Ok(0) };
        self.open.push(name);
        let size = match &definition.content {
            Content::Struct(members) => self.sum(members.iter().map(|(_, ty)| ty)),
            Content::Enum(variants) => match variants.get(definition.start()) {
                Some(carried) => self.carried(carried),
                None => Ok(0),
            },
        };
        self.open.pop();
        let size = size?;
        self.known.insert(name, size);
        Ok(size)
    }
}
