//! Enums whose variant is stored as the value of a member: `#[archive(tag = "...")]`.

use crate::format::loading::refuse;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Class, Enum, Payload, Shape, Tag};
use crate::visit::archive::Archive;
use crate::visit::body::{Body, PayloadOf, Variants};
use crate::visit::erased::loads;
use crate::visit::only_members;
use crate::visit::serialize::Serialize;
use crate::visit::walk::stays;

/// The members of the object for a tagged variant.
pub(crate) struct Tagged<'a, B> {
    pub(crate) info: &'static Enum,
    pub(crate) tag: &'static Tag,
    /// The class of the object.
    pub(crate) class: &'static Class,
    /// Whether the payload is present.
    pub(crate) content: bool,
    pub(crate) body: &'a mut B,
}

/// Saves the variant as an object with a tag.
pub fn save<A: Archive, B: Variants>(
    ar: &mut A,
    info: &'static Enum,
    tag: &'static Tag,
    body: &mut B,
) -> Result {
    let index = body.current();
    let variant = info.variant(index)?;
    let class = tag.class_of(Some(index));
    ar.object(class, &mut Tagged { info, tag, class, content: true, body })
        .map_err(|error| error.in_variant(info, variant))
}

impl<B: Variants> Body for Tagged<'_, B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        // A hand-written function may visit the payload.
        only_members::visit(ar, self.class, |ar| {
            if loads!(A, ar) { self.load(ar) } else { self.save(ar) }
        })
    }
}

impl<B: Variants> Tagged<'_, B> {
    fn save<A: Archive>(&mut self, ar: &mut A) -> Result {
        let index = self.body.current();
        let variant = self.info.variant(index)?;
        let (tag, text) = (self.tag.name, <String as Serialize>::SHAPE);
        if let Some(mut name) = self.body.other_name() {
            match self.info.find(name) {
                None => return ar.slot(tag, text, &mut name),
                // If there is no member for the payload, the object has nothing but the tag.
                Some(found) if self.tag.content.is_none() => {
                    if found != index {
                        return Err(self.is_variant(name));
                    }
                    return ar.slot(tag, text, &mut name);
                }
                Some(_) => {}
            }
        }
        ar.slot(tag, text, &mut { variant.name })?;
        self.carried(index, ar)
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut name = String::new();
        ar.slot(self.tag.name, <String as Serialize>::SHAPE, &mut &mut name)?;
        if let Some(index) = self.info.find(&name) {
            if !(stays(ar) && self.body.current() == index) {
                self.body.select(index, ar.options())?;
            }
            if self.tag.content.is_none() && self.body.other_name().is_some() {
                self.body.select_other(&name, ar.options());
                return Ok(());
            }
            return self.carried(index, ar);
        }
        if !self.body.select_other(&name, ar.options()) {
            return Err(refuse::unknown_variant(self.info, &name).in_member(self.tag.name));
        }
        let (session, options) = ar.parts_mut();
        refuse::unknown_variant_taken(&name, session, options)
            .map_err(|error| error.in_member(self.tag.name))
    }

    /// Returns the error for a fallback variant that has the name of another variant.
    #[cold]
    fn is_variant(&self, name: &str) -> Error {
        let (info, tag) = (self.info.name(), self.tag.name);
        let message = format_args!(
            "the fallback variant of `{info}` has the name of the variant `{name}`, and would be \
             loaded as that variant: add a `content` to distinguish them"
        );
        Error::new(ErrorKind::Unsupported, message).in_member(tag)
    }

    /// Visits the payload of the variant.
    fn carried<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        let variant = self.info.variant(index)?;
        match self.tag.content {
            _ if matches!(variant.payload, Payload::Unit) || !self.content => Ok(()),
            Some(content) => ar.slot(content, &Shape::Any, &mut PayloadOf(self.body)),
            None => self.body.members(ar),
        }
    }
}
