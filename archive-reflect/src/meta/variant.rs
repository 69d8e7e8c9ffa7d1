//! [`VariantMeta`]: a variant of an enum.

use archive_core::Variant;
use archive_core::shape::Payload;

use super::{MemberMeta, Meta};

/// A variant of an enum.
#[derive(Clone, Debug)]
pub struct VariantMeta {
    variant: &'static Variant,
    of: Meta,
}

impl VariantMeta {
    pub(super) fn new(variant: &'static Variant, of: &Meta) -> VariantMeta {
        VariantMeta { variant, of: of.clone() }
    }

    /// Returns the name in files.
    pub fn name(&self) -> &'static str {
        self.variant.name
    }

    /// Returns the names of the variant in older files.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.variant.aliases
    }

    /// Returns the doc comment, or an empty text.
    pub fn doc(&self) -> &'static str {
        self.variant.doc
    }

    /// Returns whether names that no variant has load as this variant (`other`).
    pub fn is_other(&self) -> bool {
        self.variant.other
    }

    /// Returns whether the variant carries nothing.
    pub fn is_unit(&self) -> bool {
        matches!(self.variant.payload, Payload::Unit)
    }

    /// Returns the members of a variant with named fields. They have no offsets, because the
    /// compiler chooses the layout of the whole enum.
    pub fn members(&self) -> Vec<MemberMeta> {
        match &self.variant.payload {
            Payload::Struct(class) => self.of.members_of(class),
            _ => Vec::new(),
        }
    }

    /// Returns the types of the values of a variant with unnamed fields.
    pub fn items(&self) -> Vec<Meta> {
        self.of.payload(&self.variant.payload)
    }
}

/// Displays the variant as declared: `Attack(u32)`, `Walk { to, speed }`.
impl std::fmt::Display for VariantMeta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.variant.fmt(f)
    }
}
