//! [`ShapeRef`]: a part of a [`Shape`] that is a [`Type`] in a file.

use std::convert::Infallible;
use std::hash::{Hash, Hasher};

use archive_core::shape::{Class, Member, Payload, Primitive, Shape, ShapeOf, each_member};

use crate::types::{Type, TypeId};

/// A shape, or a part of one that is a separate type in a file. Two are equal if they refer to the
/// same constant; [`same`](crate::compare::same) compares the types that they describe.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ShapeRef {
    /// A shape that is neither a class nor a tuple, or a tuple with a meaning.
    Shape(&'static Shape),
    /// A shape whose meaning has already been described.
    Plain(&'static Shape),
    /// A class, or a struct variant.
    Class(&'static Class),
    /// A tuple, or a tuple variant, and whether it is a block.
    Tuple(&'static [ShapeOf], bool),
    /// The entry of the map with this shape.
    Entry(&'static Shape),
    /// A number in a block.
    InBlock(Primitive),
}

/// The description of a [`ShapeRef`].
pub(crate) enum Described<T> {
    /// A simple type.
    Simple(TypeId),
    /// A type that belongs in the type table.
    Compound(T),
}

impl ShapeRef {
    /// Returns the reference to a whole shape.
    #[inline]
    pub(crate) fn of(shape: &'static Shape) -> ShapeRef {
        match shape {
            Shape::Class(class) => ShapeRef::Class(class),
            Shape::Tuple(items, size, "") => ShapeRef::Tuple(items, size.is_some()),
            _ => ShapeRef::Shape(shape),
        }
    }

    /// Returns the reference to a component. `in_block` is whether it is in a block.
    fn part(shape: &'static Shape, in_block: bool) -> ShapeRef {
        match shape {
            Shape::Primitive(primitive, _) if in_block => ShapeRef::InBlock(*primitive),
            _ => ShapeRef::of(shape),
        }
    }

    /// Returns the reference to the entries of a list or a map.
    pub(crate) fn entry_of(list: &'static Shape) -> Option<ShapeRef> {
        match list {
            Shape::Seq(item, _) => Some(ShapeRef::part(item.get(), true)),
            Shape::Map(..) => Some(ShapeRef::Entry(list)),
            _ => None,
        }
    }

    /// Describes the type with its names and components.
    pub(crate) fn describe(self) -> Described<Type<&'static str, ShapeRef>> {
        let component = |shape: &ShapeOf| ShapeRef::of(shape.get());
        Described::Compound(match self {
            ShapeRef::Class(class) => match class.members {
                Some(own) => {
                    let mut members = Vec::with_capacity(own.len());
                    flatten(own, class.block_size().is_some(), &mut members);
                    Type::Class { name: class.name(), version: class.version, members }
                }
                None => return Described::Simple(TypeId::OBJECT),
            },
            ShapeRef::InBlock(primitive) => {
                return Described::Simple(TypeId::in_block(primitive));
            }
            ShapeRef::Tuple(items, in_block) => {
                Type::Tuple(items.iter().map(|item| ShapeRef::part(item.get(), in_block)).collect())
            }
            ShapeRef::Entry(map) => Type::Tuple(match map {
                Shape::Map(key, value) => vec![component(key), component(value)],
                _ => Vec::new(),
            }),
            ShapeRef::Shape(shape) | ShapeRef::Plain(shape) => match shape {
                Shape::Primitive(primitive, _) => return Described::Simple(TypeId::of(*primitive)),
                Shape::Weak(_) => return Described::Simple(TypeId::WEAK),
                Shape::Dyn => return Described::Simple(TypeId::DYN),
                Shape::Class(class) => return ShapeRef::Class(class).describe(),
                Shape::Tuple(items, size, _) => {
                    return ShapeRef::Tuple(items, size.is_some()).describe();
                }
                // Numbers in a sequence form a block, whether the sequence is in one or not.
                Shape::Seq(item, _) => Type::Seq(ShapeRef::part(item.get(), true)),
                Shape::Array(item, len, size, _) => {
                    Type::Array(ShapeRef::part(item.get(), size.is_some()), *len as u64)
                }
                Shape::Map(..) => Type::Map(ShapeRef::Entry(shape)),
                Shape::Option(value) => Type::Option(component(value)),
                Shape::Enum(info) => Type::Enum {
                    name: info.name(),
                    variants: info.variants.iter().map(|v| (v.name, payload(&v.payload))).collect(),
                },
                Shape::Pointer(pointee) => match pointee.get() {
                    Shape::Any => return Described::Simple(TypeId::POINTER),
                    pointee => Type::Pointer(ShapeRef::of(pointee)),
                },
                // Also `Shape::Any`.
                _ => return Described::Simple(TypeId::ANY),
            },
        })
    }

    /// Returns the address of the constant, and a number for the kind of reference.
    fn key(self) -> (usize, usize) {
        match self {
            ShapeRef::Shape(shape) => (std::ptr::from_ref(shape).addr(), 0),
            ShapeRef::Class(class) => (std::ptr::from_ref(class).addr(), 1),
            ShapeRef::Entry(map) => (std::ptr::from_ref(map).addr(), 2),
            ShapeRef::InBlock(primitive) => (TypeId::in_block(primitive).0 as usize, 3),
            ShapeRef::Plain(shape) => (std::ptr::from_ref(shape).addr(), 4),
            ShapeRef::Tuple(items, in_block) => {
                (items.as_ptr().addr(), 5 + 2 * items.len() + usize::from(in_block))
            }
        }
    }
}

impl PartialEq for ShapeRef {
    #[inline]
    fn eq(&self, other: &ShapeRef) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ShapeRef {}

impl Hash for ShapeRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Appends the members, with the members of flattened members in their place. The members of a
/// flattened class are known if the members of the class that contains it are known.
fn flatten(members: &'static [Member], in_block: bool, out: &mut Vec<(&'static str, ShapeRef)>) {
    let Ok(()) = each_member::<Infallible>(members, &mut |member, shape| {
        out.push((member.name, ShapeRef::part(shape, in_block)));
        Ok(())
    });
}

fn payload(payload: &'static Payload) -> Option<ShapeRef> {
    match payload {
        Payload::Unit => None,
        Payload::Newtype(value) => Some(ShapeRef::of(value.get())),
        Payload::Tuple(items) => Some(ShapeRef::Tuple(items, false)),
        Payload::Struct(class) => Some(ShapeRef::Class(class)),
    }
}

/// Returns whether values of that shape take no bytes at all.
#[inline]
pub(crate) fn is_empty(shape: &'static Shape) -> bool {
    /// No real type without bytes nests deeper.
    const DEPTH: u32 = 64;
    /// No real type without bytes has more parts; in a forged file parts may refer to each other
    /// repeatedly.
    const PARTS: u32 = 1 << 12;
    empty(shape, DEPTH, &mut PARTS.clone())
}

fn empty(shape: &'static Shape, depth: u32, left: &mut u32) -> bool {
    let Some(depth) = depth.checked_sub(1).filter(|_| *left > 0) else { return false };
    *left -= 1;
    match shape {
        Shape::Primitive(primitive, _) => TypeId::of(*primitive) == TypeId::UNIT,
        Shape::Array(item, len, _, _) => *len == 0 || empty(item.get(), depth, left),
        Shape::Tuple(items, _, _) => items.iter().all(|item| empty(item.get(), depth, left)),
        Shape::Class(class) => class.members.is_some_and(|members| {
            members.iter().all(|member| empty(member.shape.get(), depth, left))
        }),
        _ => false,
    }
}

/// Returns whether values of that shape are known to take at least a byte. Examines only the shape,
/// which is a constant in most callers, and its first part.
#[inline(always)]
pub(crate) fn has_bytes(shape: &'static Shape) -> bool {
    match shape {
        Shape::Class(Class { members: Some([first, ..]), size: None, .. }) => {
            begins_with_bytes(first.shape.get())
        }
        Shape::Tuple([first, ..], None, _) | Shape::Array(first, 1.., None, _) => {
            begins_with_bytes(first.get())
        }
        shape => begins_with_bytes(shape),
    }
}

#[inline(always)]
fn begins_with_bytes(shape: &'static Shape) -> bool {
    match shape {
        Shape::Primitive(primitive, _) => *primitive != Primitive::Unit,
        Shape::Class(Class { size, .. })
        | Shape::Tuple(_, size, _)
        | Shape::Array(_, _, size, _) => size.is_some(),
        _ => true,
    }
}

/// Returns whether values of that shape are self-describing.
pub(crate) fn is_any(shape: ShapeOf) -> bool {
    matches!(shape.get(), Shape::Any)
}

/// Returns whether a component of a value of that shape is self-describing.
#[inline(always)]
pub(crate) fn describes_itself(shape: &'static Shape) -> bool {
    match shape {
        Shape::Seq(part, _) | Shape::Option(part) | Shape::Array(part, ..) => is_any(*part),
        Shape::Tuple(parts, _, _) => parts.iter().any(|part| is_any(*part)),
        Shape::Map(key, value) => is_any(*key) || is_any(*value),
        _ => false,
    }
}
