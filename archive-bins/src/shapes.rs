//! The names of the program's types, built from their shapes.
//!
//! A shape refers to others through functions and may refer to itself, and tuples of tuples grow
//! fast. So depth and length are bounded: a long name is cut short with `_`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use archive_core::shape::{Primitive, Shape, ShapeOf};

use crate::types;

/// How deep plain data may nest to be one variable, and how many types it may consist of.
const MAX_DEPTH: usize = 8;
const MAX_TYPES: usize = 64;
/// How deep a name may nest, and the length after which it is cut short. Plain data is always named
/// in full.
const NAME_DEEPEST: usize = MAX_DEPTH + 2;
const LONGEST: usize = 4096;

/// The names of shapes, by their addresses.
#[derive(Default)]
pub(crate) struct Names {
    known: HashMap<*const Shape, Named>,
}

/// What is known about a shape.
#[derive(Clone)]
pub(crate) struct Named {
    pub(crate) name: Arc<str>,
    /// If values are a single variable: how its size is computed from the number of items.
    pub(crate) packed: Option<Packing>,
}

/// The size of a sequence that is a single variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// A fixed number of bytes.
    Fixed(usize),
    /// A number of bytes for each item.
    Each(usize),
}

impl Names {
    /// Returns what is known about a shape.
    pub(crate) fn get(&mut self, shape: &'static Shape) -> Named {
        let make = || Named { name: name_of(shape).into(), packed: packing(shape) };
        self.known.entry(std::ptr::from_ref(shape)).or_insert_with(make).clone()
    }
}

/// Returns the packing if values of that shape are a single variable although they have items.
fn packing(shape: &Shape) -> Option<Packing> {
    let mut left = MAX_TYPES;
    let mut item =
        |shape: ShapeOf| fixed_size(shape.get(), MAX_DEPTH, &mut left).filter(|size| *size > 0);
    match shape {
        Shape::Seq(each, _) => item(*each).map(Packing::Each),
        Shape::Map(key, value) => Some(Packing::Each(item(*key)? + item(*value)?)),
        Shape::Array(..) | Shape::Tuple(..) => {
            fixed_size(shape, MAX_DEPTH, &mut left).map(Packing::Fixed)
        }
        _ => None,
    }
}

/// Returns the size of values that are plain data.
fn fixed_size(shape: &Shape, deepest: usize, left: &mut usize) -> Option<usize> {
    *left = left.checked_sub(1)?;
    let deepest = deepest.checked_sub(1)?;
    match shape {
        Shape::Primitive(primitive, _) => types::size_of(*primitive),
        Shape::Array(item, len, _, _) => {
            let size = fixed_size(item.get(), deepest, left).filter(|size| *size > 0)?;
            size.checked_mul(*len)
        }
        // An empty tuple would have the name of the unit type, so it is a list without items.
        Shape::Tuple([], _, _) => None,
        Shape::Tuple(items, _, _) => items
            .iter()
            .try_fold(0_usize, |sum, item| sum.checked_add(fixed_size(item.get(), deepest, left)?)),
        _ => None,
    }
}

/// Returns the name of a type.
pub(crate) fn name_of(shape: &Shape) -> String {
    let mut out = String::new();
    put(&mut out, shape, NAME_DEEPEST);
    out
}

fn put(out: &mut String, shape: &Shape, deepest: usize) {
    let Some(deepest) = deepest.checked_sub(1).filter(|_| out.len() < LONGEST) else {
        out.push('_');
        return;
    };
    match shape {
        Shape::Primitive(Primitive::Bytes, _) => out.push_str("bytes"),
        Shape::Primitive(primitive, _) => out.push_str(primitive.name()),
        Shape::Seq(item, _) => generic(out, "Vec", &[*item], deepest),
        Shape::Map(key, value) if packing(shape).is_some() => {
            out.push_str("Vec<(");
            list(out, &[*key, *value], deepest);
            out.push_str(")>");
        }
        Shape::Map(key, value) => generic(out, "Map", &[*key, *value], deepest),
        Shape::Option(value) => generic(out, "Option", &[*value], deepest),
        Shape::Pointer(pointee) => generic(out, "Pointer", &[*pointee], deepest),
        Shape::Array(item, len, _, _) => {
            out.push('[');
            put(out, item.get(), deepest);
            // Writing to a string cannot fail.
            let _ = write!(out, "; {len}]");
        }
        Shape::Tuple(items, _, _) => {
            out.push('(');
            list(out, items, deepest);
            out.push_str(if items.len() == 1 { ",)" } else { ")" });
        }
        Shape::Class(class) => out.push_str(class.name()),
        Shape::Enum(info) => out.push_str(info.name()),
        Shape::Weak(_) => out.push_str("Weak"),
        Shape::Dyn => out.push_str("dyn"),
        // Also `Shape::Any`.
        _ => out.push('_'),
    }
}

fn generic(out: &mut String, name: &str, arguments: &[ShapeOf], deepest: usize) {
    out.push_str(name);
    out.push('<');
    list(out, arguments, deepest);
    out.push('>');
}

fn list(out: &mut String, items: &[ShapeOf], deepest: usize) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        put(out, item.get(), deepest);
    }
}
