//! Types that include the meaning of their values; only the [fingerprint](crate::fingerprint) uses
//! them.
// Why: docs/decisions/binary.md#the-fingerprint-is-not-the-signature

use archive_core::shape::{Member, Primitive, Shape};

use crate::shapes::{Described, ShapeRef};
use crate::types::Type;

/// The version of the classes that represent meanings. No real type has this version.
const VERSION: u32 = u32::MAX;

/// The maximum depth to which flattened members are followed.
const DEPTH: u32 = 64;

impl ShapeRef {
    /// Describes the type with its names, its components, and the meaning of its values:
    ///
    /// - a shape with a meaning becomes a class with one member, which is named after the meaning;
    /// - a class gets the meanings of itself and of flattened members as additional members;
    /// - a fallback variant for unknown names is followed by a variant without a name;
    /// - a weak pointer becomes a class with one member, its target.
    pub(crate) fn describe_meaning(self) -> Described<Type<&'static str, ShapeRef>> {
        match self {
            ShapeRef::Shape(Shape::Weak(target)) => {
                said("a weak pointer", ShapeRef::of(target.get()))
            }
            ShapeRef::Shape(shape) if !shape.meaning().is_empty() => {
                said(shape.meaning(), ShapeRef::Plain(shape))
            }
            ShapeRef::Shape(Shape::Enum(info)) => {
                let mut described = self.describe();
                if let Described::Compound(Type::Enum { variants, .. }) = &mut described {
                    for (index, _) in info.variants.iter().enumerate().rev().filter(|it| it.1.other)
                    {
                        variants.insert(index + 1, ("", None));
                    }
                }
                described
            }
            ShapeRef::Class(class) => {
                let mut described = self.describe();
                if let Described::Compound(Type::Class { members, .. }) = &mut described {
                    add(class.meaning, members);
                    flattened(class.members.unwrap_or_default(), DEPTH, members);
                }
                described
            }
            _ => self.describe(),
        }
    }
}

fn said(meaning: &'static str, shape: ShapeRef) -> Described<Type<&'static str, ShapeRef>> {
    let members = vec![(meaning, shape)];
    Described::Compound(Type::Class { name: "", version: VERSION, members })
}

fn add(meaning: &'static str, members: &mut Vec<(&'static str, ShapeRef)>) {
    if !meaning.is_empty() {
        members.push((meaning, ShapeRef::InBlock(Primitive::Unit)));
    }
}

/// Adds the meanings of flattened members.
fn flattened(own: &'static [Member], depth: u32, members: &mut Vec<(&'static str, ShapeRef)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for member in own.iter().filter(|member| member.flatten) {
        if let Shape::Class(class) = member.shape.get() {
            add(class.meaning, members);
            flattened(class.members.unwrap_or_default(), depth, members);
        }
    }
}
