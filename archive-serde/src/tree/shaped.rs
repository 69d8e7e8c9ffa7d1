//! What the shapes of types say.

use archive_core::shape::each_member;
use archive_core::{Class, Member, Payload, Primitive, Shape};

/// All members of a class, those of flattened ones in their places; `None` if they are not known.
pub(crate) fn flat(members: &'static [Member]) -> Option<Vec<&'static Member>> {
    let mut all = Vec::with_capacity(members.len());
    let known = each_member(members, &mut |member, _| match member.flatten {
        true => Err(()),
        false => {
            all.push(member);
            Ok(())
        }
    });
    known.ok().map(|()| all)
}

/// Whether a value of that shape may hold pointers, or what its shape does not tell.
pub(crate) fn may_point(shape: &'static Shape) -> bool {
    points(shape, &mut Vec::new())
}

fn points(shape: &'static Shape, seen: &mut Vec<*const Shape>) -> bool {
    let at: *const Shape = shape;
    if seen.contains(&at) {
        return false;
    }
    let mut inner = |shape: &'static Shape| {
        seen.push(at);
        points(shape, seen)
    };
    match shape {
        Shape::Primitive(_) => false,
        Shape::Pointer(_) | Shape::Weak | Shape::Dyn | Shape::Any => true,
        Shape::Seq(item) | Shape::Array(item, ..) | Shape::Option(item) => inner(item()),
        Shape::Tuple(items, _) => items.iter().any(|item| inner(item())),
        Shape::Map(key, value) => inner(key()) || inner(value()),
        Shape::Class(class) => members_point(class, &mut inner),
        Shape::Enum(info) => info.variants.iter().any(|variant| match &variant.payload {
            Payload::Unit => false,
            Payload::Newtype(item) => inner(item()),
            Payload::Tuple(items) => items.iter().any(|item| inner(item())),
            Payload::Struct(class) => members_point(class, &mut inner),
        }),
    }
}

fn members_point(class: &Class, inner: &mut impl FnMut(&'static Shape) -> bool) -> bool {
    class.members.is_none_or(|members| members.iter().any(|member| inner((member.shape)())))
}

/// Whether a value of that shape takes no bytes where everything stands in its place.
pub(crate) fn takes_nothing(shape: &'static Shape) -> bool {
    match shape {
        Shape::Primitive(Primitive::Unit) => true,
        Shape::Array(item, len, _) => *len == 0 || takes_nothing(item()),
        Shape::Tuple(items, _) => items.iter().all(|item| takes_nothing(item())),
        Shape::Class(Class { members: Some(members), version: 0, .. }) => {
            members.iter().all(|member| takes_nothing((member.shape)()))
        }
        _ => false,
    }
}
