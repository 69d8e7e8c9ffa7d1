//! [`Part`]: what the types say about a part of a value.

use archive_core::shape::{Property, Shape, ShapeOf, TypeInfo};
use archive_core::{Member, Options, Polymorphic};

use crate::meta::{MemberMeta, Meta, PropertyMeta};

/// The type of a part, and the member that it is.
#[derive(Clone, Copy)]
pub(super) struct Part {
    shape: &'static Shape,
    info: &'static TypeInfo,
    member: Option<&'static Member>,
    property: Option<&'static Property>,
}

impl Part {
    /// Nothing is known.
    pub(super) const UNKNOWN: Part = Part::of_shape(&Shape::Any);

    pub(super) const fn of_shape(shape: &'static Shape) -> Part {
        Part { shape, info: TypeInfo::UNKNOWN, member: None, property: None }
    }

    pub(super) fn of_root(root: &dyn Polymorphic) -> Part {
        let identity = root.__archive_identity();
        Part { info: identity.info, ..Part::of_shape(identity.shape) }
    }

    pub(super) fn of_member(info: &'static Member) -> Part {
        Part { member: Some(info), ..Part::of(&info.shape) }
    }

    pub(super) fn of_property(property: &'static Property) -> Part {
        Part { property: Some(property), ..Part::of(&(property.shape)()) }
    }

    pub(super) fn of(shape: &ShapeOf) -> Part {
        Part { info: shape.info(), ..Part::of_shape(shape.get()) }
    }

    /// Returns the item of a list, or the value of an entry of a map.
    pub(super) fn item(of: &'static Shape, index: usize) -> Part {
        match of {
            Shape::Seq(item, _) | Shape::Array(item, ..) | Shape::Map(_, item) => Part::of(item),
            Shape::Tuple(items, ..) => items.get(index).map_or(Part::UNKNOWN, Part::of),
            _ => Part::UNKNOWN,
        }
    }

    /// Returns whether the value may have no parts. Otherwise it need not be looked at.
    pub(super) fn may_be_leaf(&self) -> bool {
        /// The maximum number of pointers to pointers. A type may be a pointer to itself.
        const DEEPEST: usize = 8;
        let inner = |shape: &&'static Shape| match shape {
            Shape::Pointer(pointee) => Some(pointee.get()),
            _ => None,
        };
        let shapes = std::iter::successors(Some(self.shape), inner).take(DEEPEST);
        match shapes.last().unwrap_or(self.shape) {
            Shape::Class(class) => class.members.is_some_and(<[Member]>::is_empty),
            Shape::Array(_, len, ..) => *len == 0,
            Shape::Tuple(items, ..) => items.is_empty(),
            _ => true,
        }
    }

    /// Returns the descriptions of the type, of the member and of the property.
    pub(super) fn describe(
        self,
        options: &Options<'_>,
    ) -> (Meta, Option<MemberMeta>, Option<PropertyMeta>) {
        let meta = Meta::of_part(self.shape, self.info, options);
        let member = self.member.map(|member| MemberMeta::known(member, &meta));
        let property = self.property.map(|property| PropertyMeta::known(property, &meta));
        (meta, member, property)
    }
}
