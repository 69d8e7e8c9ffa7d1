//! What values mean, as a part of their type: only the [fingerprint](crate::fingerprint) has it.

use archive_core::shape::{Member, Primitive, Shape};

use crate::shapes::{Described, ShapeRef};
use crate::types::Type;

/// The version of the classes that stand for meanings. No type has it.
const VERSION: u32 = u32::MAX;

/// How deep flattened members are looked into.
const DEPTH: u32 = 64;

impl ShapeRef {
    /// The type, its names and components, and what its values mean:
    ///
    /// - a shape with a meaning is a class of one member, which has the meaning's name;
    /// - a class has the meanings of its own and of flattened members as further members;
    /// - a variant that unknown names become is followed by one without a name;
    /// - a weak pointer is a class of one member, its target.
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
