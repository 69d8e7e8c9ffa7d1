//! The schemas of enums.

use archive_core::Value;
use archive_core::shape::{Enum, Payload, Shape, Tag, Variant};

use super::object::Properties;
use super::values::only;
use super::{Schemas, any_of, described, object, texts, typed};
use crate::Meta;

impl Schemas<'_> {
    /// Returns the schema of an enum.
    pub(super) fn variants(&mut self, meta: &Meta) -> Value {
        self.is_root = false;
        let Shape::Enum(info) = meta.shape else { return Value::Bool(true) };
        match info.tag {
            Some(tag) => self.tagged(meta, info, tag),
            None => self.named(meta, info),
        }
    }

    fn named(&mut self, meta: &Meta, info: &'static Enum) -> Value {
        let mut either = Vec::new();
        let units = info.variants.iter().filter(|it| matches!(it.payload, Payload::Unit));
        // A name with a doc comment has a schema of its own.
        let (told, units): (Vec<_>, Vec<_>) = units.partition(|unit| !unit.doc.is_empty());
        let units: Vec<_> = units.into_iter().flat_map(names).collect();
        if info.variants.iter().any(|variant| variant.other) {
            // Any name is the name of a variant, and its payload is not known.
            either.push(typed("string"));
            let mut unknown = Properties::default();
            unknown.open();
            either.push(unknown.finish());
        } else if !units.is_empty() {
            either.push(object([("enum", texts(units))]));
        }
        for unit in told {
            either.push(described(object([("enum", texts(names(unit)))]), unit.doc));
        }
        for variant in info.variants {
            let Some(payload) = self.payload(meta, &variant.payload) else { continue };
            let payload = described(payload, variant.doc);
            either.extend(names(variant).map(|name| only(name, payload.clone())));
        }
        any_of(either)
    }

    /// Returns the schema of the payload of a variant.
    fn payload(&mut self, meta: &Meta, payload: &'static Payload) -> Option<Value> {
        match payload {
            Payload::Unit => None,
            Payload::Newtype(value) => Some(self.of(&meta.part(value))),
            Payload::Tuple(_) => Some(self.tuple(meta.payload(payload))),
            Payload::Struct(class) => Some(self.class(meta, class)),
        }
    }

    fn tagged(&mut self, meta: &Meta, info: &'static Enum, tag: &'static Tag) -> Value {
        let mut either = Vec::new();
        for variant in info.variants {
            let mut into = Properties::default();
            let known = object([("enum", texts(names(variant)))]);
            into.add(tag.name, if variant.other { typed("string") } else { known });
            into.require(tag.name);
            if variant.other {
                into.open();
            } else {
                self.with_tag(meta, variant, tag, &mut into);
            }
            either.push(described(into.finish(), variant.doc));
        }
        any_of(either)
    }

    fn with_tag(
        &mut self,
        meta: &Meta,
        variant: &'static Variant,
        tag: &'static Tag,
        into: &mut Properties,
    ) {
        if let Some(content) = tag.content {
            if let Some(payload) = self.payload(meta, &variant.payload) {
                into.add(content, payload);
                into.require(content);
            }
            return;
        }
        let carried = match &variant.payload {
            Payload::Struct(class) => Some((meta.clone(), *class)),
            Payload::Newtype(value) => {
                let value = meta.part(value);
                value.class().map(|class| (value, class))
            }
            Payload::Unit | Payload::Tuple(_) => None,
        };
        if let Some((carried, class)) = carried {
            self.members(&carried, class, into);
        }
    }
}

/// Returns the name and the aliases of a variant.
fn names(variant: &Variant) -> impl Iterator<Item = &'static str> + use<> {
    std::iter::once(variant.name).chain(variant.aliases.iter().copied())
}
