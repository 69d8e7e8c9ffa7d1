//! The requirements of the attributes for people.

use crate::model::shape::{Facts, Primitive, Shape};
use crate::types::probe::check;

/// The message for a range of a field that is not a number.
pub const RANGE: &str =
    "`range` is for numbers, for an `Option` of a number, and for arrays of numbers";

/// The message for an empty range.
pub const EMPTY_RANGE: &str = "the range is empty: its first bound is above its last one";

/// The message for a step of a field that is not a number.
pub const STEP: &str =
    "`step` is for numbers, for an `Option` of a number, and for arrays of numbers";

/// The message for a step of zero or less.
pub const NO_STEP: &str = "a step must be greater than zero";

/// The message for `multiline` of a field that is not text.
pub const MULTILINE: &str = "`multiline` is for text, and for an `Option` of text";

/// The message for a color of a field that is not a color.
pub const COLOR: &str =
    "`color` is for text, for `u32`, for three or four numbers, and for an `Option` of these";

/// Returns whether values of the shape can be numbers.
pub const fn is_number(shape: &Shape) -> bool {
    match shape {
        Shape::Primitive(primitive, _) => {
            primitive.block_size().is_some() && !matches!(primitive, Primitive::Bool)
        }
        Shape::Array(..) | Shape::Tuple(..) => shape.block_size().is_some(),
        Shape::Option(_) | Shape::Any => true,
        _ => false,
    }
}

/// Returns whether values of the shape can be text.
pub const fn is_text(shape: &Shape) -> bool {
    matches!(shape, Shape::Primitive(Primitive::Str, _) | Shape::Option(_) | Shape::Any)
}

/// Returns whether values of the shape can be colors.
pub const fn is_color(shape: &Shape) -> bool {
    match shape {
        Shape::Primitive(primitive, _) => matches!(primitive, Primitive::Str | Primitive::U32),
        Shape::Array(_, len, ..) => is_number(shape) && matches!(len, 3 | 4),
        Shape::Tuple(items, ..) => is_number(shape) && matches!(items.len(), 3 | 4),
        Shape::Class(class) => match class.members {
            Some(members) => shape.block_size().is_some() && matches!(members.len(), 3 | 4),
            None => true,
        },
        Shape::Option(_) | Shape::Any => true,
        _ => false,
    }
}

/// Ends the compilation if a field of that shape cannot have the attributes. The derive checks each
/// attribute at its place; `members!` checks all of them here.
#[track_caller]
pub const fn check_facts(facts: &Facts, shape: &Shape) {
    let Facts { min, max, step, multiline, color, .. } = *facts;
    check((min.is_none() && max.is_none()) || is_number(shape), RANGE);
    if let (Some(min), Some(max)) = (min, max) {
        check(min <= max, EMPTY_RANGE);
    }
    if let Some(step) = step {
        check(is_number(shape), STEP);
        check(step > 0.0, NO_STEP);
    }
    check(!multiline || is_text(shape), MULTILINE);
    check(!color || is_color(shape), COLOR);
}
