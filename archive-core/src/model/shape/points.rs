//! Computes from a shape whether values may contain pointers.

use std::cell::Cell;

use super::{Class, Payload, Shape};

/// The number of shapes that a thread caches, each at an index computed from its address.
const REMEMBERED: usize = 256;
/// The largest number of shapes that are examined for one.
const MAX_SHAPES: usize = 256;

/// A shape, and whether it may contain pointers.
type Known = Cell<(*const Shape, bool)>;

thread_local! {
    static KNOWN: [Known; REMEMBERED] =
        const { [const { Cell::new((std::ptr::null(), false)) }; REMEMBERED] };
}

/// Returns whether values of that shape may contain pointers, or parts that the shape does not
/// describe.
///
/// Each thread caches results, because there are many values of few types.
#[doc(hidden)]
#[inline]
pub fn may_point(shape: &'static Shape) -> bool {
    match shape {
        Shape::Primitive(..) => false,
        Shape::Pointer(_) | Shape::Weak(_) | Shape::Dyn | Shape::Any => true,
        shape => remembered(shape),
    }
}

fn remembered(shape: &'static Shape) -> bool {
    let key: *const Shape = shape;
    // The addresses of shapes are close to each other, and at equal distances.
    let slot = (key.addr().wrapping_mul(0x9E37_79B9) >> 20) % REMEMBERED;
    // A thread that is ending has no cache.
    let known = KNOWN.try_with(|known| known[slot].get());
    if let Ok((at, points)) = known
        && at == key
    {
        return points;
    }
    let points = points(shape, &mut Seen { shapes: [std::ptr::null(); MAX_SHAPES], count: 0 });
    let _ = KNOWN.try_with(|known| known[slot].set((key, points)));
    points
}

/// The shapes that were examined.
struct Seen {
    shapes: [*const Shape; MAX_SHAPES],
    count: usize,
}

fn points(shape: &'static Shape, seen: &mut Seen) -> bool {
    let at: *const Shape = shape;
    if seen.shapes[..seen.count].contains(&at) {
        return false;
    }
    // A type with too many parts counts as one that may contain pointers.
    let Some(next) = seen.shapes.get_mut(seen.count) else { return true };
    *next = at;
    seen.count += 1;
    let mut inner = |shape: &'static Shape| points(shape, seen);
    match shape {
        Shape::Primitive(..) => false,
        Shape::Pointer(_) | Shape::Weak(_) | Shape::Dyn | Shape::Any => true,
        Shape::Seq(item, _) | Shape::Array(item, ..) | Shape::Option(item) => inner(item.get()),
        Shape::Tuple(items, _, _) => items.iter().any(|item| inner(item.get())),
        Shape::Map(key, value) => inner(key.get()) || inner(value.get()),
        Shape::Class(class) => members_point(class, &mut inner),
        Shape::Enum(info) => info.variants.iter().any(|variant| match &variant.payload {
            Payload::Unit => false,
            Payload::Newtype(item) => inner(item.get()),
            Payload::Tuple(items) => items.iter().any(|item| inner(item.get())),
            Payload::Struct(class) => members_point(class, &mut inner),
        }),
    }
}

fn members_point(class: &Class, inner: &mut impl FnMut(&'static Shape) -> bool) -> bool {
    class.members.is_none_or(|members| members.iter().any(|member| inner(member.shape.get())))
}
