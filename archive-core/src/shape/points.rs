//! Which values may hold pointers, as their shapes tell.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Class, Payload, Shape};

/// How many shapes a thread remembers. A program has a few.
const REMEMBERED: usize = 4096;

thread_local! {
    static KNOWN: RefCell<FxHashMap<*const Shape, bool>> = RefCell::default();
}

/// Whether a value of that shape may hold pointers, or what its shape does not tell.
///
/// Each thread remembers what it was asked, since values are many and their types few.
#[doc(hidden)]
#[inline]
pub fn may_point(shape: &'static Shape) -> bool {
    match shape {
        Shape::Primitive(_) => false,
        Shape::Pointer(_) | Shape::Weak | Shape::Dyn | Shape::Any => true,
        shape => remembered(shape),
    }
}

fn remembered(shape: &'static Shape) -> bool {
    let key: *const Shape = shape;
    // A thread that ends remembers nothing.
    let known = KNOWN.try_with(|known| known.borrow().get(&key).copied());
    known.ok().flatten().unwrap_or_else(|| {
        let points = points(shape, &mut FxHashSet::default());
        let _ = KNOWN.try_with(|known| {
            let mut known = known.borrow_mut();
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, points);
        });
        points
    })
}

fn points(shape: &'static Shape, seen: &mut FxHashSet<*const Shape>) -> bool {
    if !seen.insert(shape) {
        return false;
    }
    let mut inner = |shape: &'static Shape| points(shape, seen);
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
