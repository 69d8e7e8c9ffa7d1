//! [`MemberMeta`]: a member of an object.

use std::any::Any;

use archive_core::Member;
use archive_core::shape::{Absence, Facts, Shape};

use super::Meta;

/// A member of an object or of a struct variant.
#[derive(Clone, Debug)]
pub struct MemberMeta {
    name: String,
    meta: Meta,
    /// `None` if a hand-written function visits the member.
    known: Option<&'static Member>,
}

impl MemberMeta {
    pub(crate) fn known(member: &'static Member, of: &Meta) -> MemberMeta {
        let meta = of.part(&member.shape);
        MemberMeta { name: member.name.to_owned(), meta, known: Some(member) }
    }

    pub(super) fn visited(name: &str, shape: &'static Shape, of: &Meta) -> MemberMeta {
        MemberMeta { name: name.to_owned(), meta: of.of_shape(shape), known: None }
    }

    /// Returns the name in files.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the member in older files.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.known.map_or(&[], |member| member.aliases)
    }

    /// Returns the name to show to people: the `label`, or the name.
    pub fn label(&self) -> &str {
        match self.facts().label {
            "" => &self.name,
            label => label,
        }
    }

    /// Describes the type of the value. For a field with `with` or `serde`, it is the stored type.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the offset of the field in its struct, in bytes. `None` in a variant of an enum, and
    /// if a hand-written function visits the member.
    pub fn offset(&self) -> Option<usize> {
        self.known?.field.offset.map(|offset| offset as usize)
    }

    /// Returns the size of the field in bytes. `None` if a hand-written function visits the member.
    pub fn size(&self) -> Option<usize> {
        self.known.filter(|member| member.field.align > 0).map(|it| it.field.size as usize)
    }

    /// Returns the alignment of the field in bytes; `None` where there is no
    /// [`size`](MemberMeta::size).
    pub fn align(&self) -> Option<usize> {
        let align = self.known?.field.align;
        (align > 0).then_some(align as usize)
    }

    /// Returns whether the member is a base of the struct (`base`).
    pub fn is_base(&self) -> bool {
        self.known.is_some_and(|member| member.base.is_some())
    }

    /// Returns whether files have the members of this member in its place (`flatten`).
    pub fn is_flattened(&self) -> bool {
        self.known.is_some_and(|member| member.flatten)
    }

    /// Returns whether a file without the member is refused (`required`).
    pub fn is_required(&self) -> bool {
        self.known.is_some_and(|member| member.absence == Absence::Refused)
    }

    /// Returns the attributes for people: doc comment, label, group, unit, range.
    pub fn facts(&self) -> &'static Facts {
        self.known.map_or(&Facts::NONE, |member| member.field.facts)
    }

    /// Returns whether tools show the member of this object: not if it is `hidden`, and not if the
    /// function of `show_if` says so.
    pub fn is_shown(&self, object: &dyn Any) -> bool {
        shown(self.facts(), object)
    }
}

pub(super) fn shown(facts: &Facts, object: &dyn Any) -> bool {
    !facts.hidden && facts.show_if.is_none_or(|test| test(object))
}
