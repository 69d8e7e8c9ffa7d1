//! Computations of generated code at compile time: descriptions of types, and whether types are
//! valid.

use crate::model::members::Named;
use crate::model::shape::{Class, Facts, Field, Member, NameOf, Shape, ShapeOf};
use crate::visit::blank::Exchange;
use crate::visit::serialize::Serialize;
use crate::visit::serialize::of_type::shape_of;

/// Returns whether no member of a flattened class has the name of a member of the outer class. Does
/// not examine members that are themselves flattened.
pub const fn apart(outer: &[Member], flattened: &Shape) -> bool {
    let Shape::Class(Class { members: Some(inner), .. }) = flattened else { return true };
    let mut i = 0;
    while i < outer.len() {
        let mut k = 0;
        while k < inner.len() {
            let both = !outer[i].flatten && !inner[k].flatten;
            if both && same(outer[i].name.as_bytes(), inner[k].name.as_bytes()) {
                return false;
            }
            k += 1;
        }
        i += 1;
    }
    true
}

/// Returns whether no member of a shape has that name. Does not examine flattened members.
pub const fn has_no_member(name: &str, shape: &Shape) -> bool {
    let Shape::Class(Class { members: Some(members), .. }) = shape else { return true };
    let mut i = 0;
    while i < members.len() {
        if !members[i].flatten && same(name.as_bytes(), members[i].name.as_bytes()) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the class of the object for a tagged variant: that of the struct which is the variant's
/// only value, whose members are stored with the tag, or a class without a version.
pub const fn tagged_class(
    carried: Option<&'static Shape>,
    name: &'static str,
    type_name: fn() -> &'static str,
) -> Class {
    let (name, type_name, version) = match carried {
        Some(Shape::Class(class)) => (class.name, class.type_name, class.version),
        _ => (name, NameOf::Type(type_name), 0),
    };
    Class { name, type_name, version, members: None, size: None, meaning: "" }
}

/// Returns the name of a base: [`Serialize::NAME`], or else the type's name in the source.
pub const fn base_name(name: &'static str, written: &'static str) -> &'static str {
    if name.is_empty() { written } else { name }
}

/// Returns whether no class occurs twice among a class, its members, and their bases at any depth.
pub const fn bases_once(name: &str, members: &[Member]) -> bool {
    are_once(name, members, members)
}

const fn are_once(own: &str, all: &[Member], members: &[Member]) -> bool {
    let mut i = 0;
    while i < members.len() {
        if let Some(class) = members[i].base {
            let name = members[i].name;
            if same(name.as_bytes(), own.as_bytes()) || times(name, all, true) != 1 {
                return false;
            }
            if let Some(inner) = class.members
                && !are_once(own, all, inner)
            {
                return false;
            }
        }
        i += 1;
    }
    true
}

/// Counts the bases with that name; with `own`, also the members of the class itself.
const fn times(name: &str, members: &[Member], own: bool) -> usize {
    let (mut i, mut count) = (0, 0);
    while i < members.len() {
        let member = &members[i];
        if (own && !member.flatten || member.base.is_some())
            && same(name.as_bytes(), member.name.as_bytes())
        {
            count += 1;
        }
        if let Some(Class { members: Some(inner), .. }) = member.base {
            count += times(name, inner, false);
        }
        i += 1;
    }
    count
}

/// Returns whether the name of a base can qualify the names of its members: `A::list`.
pub const fn can_qualify(name: &str) -> bool {
    let name = name.as_bytes();
    let mut i = 1;
    while i < name.len() {
        if name[i - 1] == b':' && name[i] == b':' {
            return false;
        }
        i += 1;
    }
    name.is_empty() || name[0] != b'$'
}

/// Describes the objects of a struct (`VARIANT` 0 and its version) or of a variant. The members are
/// known if the members of all `flattened` members are known.
pub const fn class<T: Named<VARIANT>, const VARIANT: usize>(
    name: &'static str,
    version: u32,
    flattened: &[&'static Shape],
) -> Class {
    let class = Class::new(name, NameOf::Type(std::any::type_name::<T>), version);
    class.with_members(known(T::MEMBERS, flattened), None)
}

/// Returns the class with the size of a block, if the shapes of all members have one.
pub const fn sized(class: Class, shapes: &[&'static Shape]) -> Class {
    let size = match class.members {
        Some(members) => crate::model::block_size::members_size(shapes, members),
        None => None,
    };
    Class { size, ..class }
}

/// Returns the function that exchanges the kept fields of two values, if the type has `any`.
pub const fn kept<T>(any: bool, exchange: Exchange<T>) -> Option<Exchange<T>> {
    if any { Some(exchange) } else { None }
}

/// Like [`kept`], for two values of the same variant.
pub const fn kept_in_variant<T>(
    any: bool,
    exchange: fn(&mut T, &mut T),
) -> Option<fn(&mut T, &mut T)> {
    if any { Some(exchange) } else { None }
}

/// Compares slices, which `==` cannot do in constants.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Returns the members of a class, if the members of all its flattened members are known too.
const fn known(
    members: &'static [Member],
    flattened: &[&'static Shape],
) -> Option<&'static [Member]> {
    let mut i = 0;
    while i < flattened.len() {
        if !matches!(flattened[i], Shape::Class(Class { members: Some(_), .. })) {
            return None;
        }
        i += 1;
    }
    Some(members)
}

/// Returns the description of the field that `_field` returns.
pub const fn field_of<T, F>(_field: fn(&T) -> &F, offset: usize, facts: &'static Facts) -> Field {
    Field::of::<F>(Some(offset), facts)
}

/// Returns the shape of the field that `_field` returns.
pub const fn shape_of_field<T, F: Serialize>(_field: fn(&T) -> &F) -> ShapeOf {
    shape_of::<F>()
}

/// Returns the shape of the field that `_field` returns.
pub const fn field_shape<T, F: Serialize>(_field: fn(&T) -> &F) -> &'static Shape {
    F::SHAPE
}

/// Returns the name of a field without the `r#` of a raw identifier.
pub const fn unraw(name: &'static str) -> &'static str {
    if let [b'r', b'#', ..] = name.as_bytes() { name.split_at(2).1 } else { name }
}

/// Returns the name of a member, after checking that it is not reserved.
pub const fn checked_name(name: &'static str) -> &'static str {
    assert!(
        name.is_empty() || name.as_bytes()[0] != b'$',
        "member names that start with `$` are reserved"
    );
    name
}
