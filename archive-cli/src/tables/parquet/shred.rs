//! Divides a row into the columns of a Parquet file. The levels of a value are how many of the optional and repeated
//! groups around it are present, and how many of the repeated ones continue the list of the value before.

use archive::Result;

use super::leaf::Leaf;
use crate::tables::columns::{Field, Layout, field_of, no_column, values};
use crate::tables::json;
use crate::tables::tape::{Event, Tape};

/// The leaves of a column.
pub(super) enum Shape {
    Leaf(usize),
    /// With the level at which its items repeat.
    List(i16, Box<Shape>),
    Map(i16, usize, Box<Shape>),
    Group(Vec<Shape>),
    Enum(usize, Vec<Shape>),
}

impl Shape {
    /// Counts the leaves from a later one on.
    pub fn moved(self, by: usize) -> Self {
        let all = |shapes: Vec<Shape>| shapes.into_iter().map(|shape| shape.moved(by)).collect();
        match self {
            Shape::Leaf(leaf) => Shape::Leaf(leaf - by),
            Shape::List(level, item) => Shape::List(level, Box::new(item.moved(by))),
            Shape::Map(level, key, value) => Shape::Map(level, key - by, Box::new(value.moved(by))),
            Shape::Group(parts) => Shape::Group(all(parts)),
            Shape::Enum(variant, parts) => Shape::Enum(variant - by, all(parts)),
        }
    }

    fn null(&self, present: i16, repeated: i16, leaves: &mut [Leaf]) {
        match self {
            Shape::Leaf(leaf) => leaves[*leaf].null(present, repeated),
            Shape::List(_, item) => item.null(present, repeated, leaves),
            Shape::Map(_, key, value) => {
                leaves[*key].null(present, repeated);
                value.null(present, repeated, leaves);
            }
            Shape::Group(parts) => nulls(parts, present, repeated, leaves),
            Shape::Enum(variant, parts) => {
                leaves[*variant].null(present, repeated);
                nulls(parts, present, repeated, leaves);
            }
        }
    }
}

fn nulls(shapes: &[Shape], present: i16, repeated: i16, leaves: &mut [Leaf]) {
    shapes.iter().for_each(|shape| shape.null(present, repeated, leaves));
}

/// Adds the members of a struct, or the items of a tuple. Those that it does not have are null.
///
/// # Errors
/// An error if there is no column for a value.
pub(super) fn members(
    fields: &[Field],
    shapes: &[Shape],
    (tape, values): (&Tape, &[Option<usize>]),
    (present, repeated): (i16, i16),
    leaves: &mut [Leaf],
) -> Result {
    for ((field, shape), value) in fields.iter().zip(shapes).zip(values) {
        match value {
            Some(value) => put(&field.layout, shape, (tape, *value), (present, repeated), leaves)?,
            None => shape.null(present, repeated, leaves),
        }
    }
    Ok(())
}

/// Adds a value that may be null. `present` is the level of what it is in.
fn put(
    layout: &Layout,
    shape: &Shape,
    (tape, at): (&Tape, usize),
    (present, repeated): (i16, i16),
    leaves: &mut [Leaf],
) -> Result {
    let event = tape.event(at);
    if matches!(event, Event::Null) {
        shape.null(present, repeated, leaves);
        return Ok(());
    }
    check(layout, tape, at)?;
    let level = present + 1;
    match (layout, shape) {
        (Layout::List(item), Shape::List(again, element)) => {
            let mut is_empty = true;
            for part in tape.parts(at) {
                let again = if is_empty { repeated } else { *again };
                is_empty = false;
                put(item, element, (tape, part), (level + 1, again), leaves)?;
            }
            if is_empty {
                element.null(level, repeated, leaves);
            }
        }
        (Layout::Map(key, value), Shape::Map(again, of_key, of_value)) => {
            let is_struct = matches!(event, Event::Struct(..));
            let mut pairs: Vec<(usize, usize)> = Vec::new();
            match is_struct {
                true => pairs.extend(tape.parts(at).map(|name| (name, name + 1))),
                false => pairs.extend(tape.pairs(at)),
            }
            for (index, (name, part)) in pairs.iter().enumerate() {
                let again = if index == 0 { repeated } else { *again };
                single(key, (tape, *name), (level + 1, again), &mut leaves[*of_key])?;
                put(value, of_value, (tape, *part), (level + 1, again), leaves)?;
            }
            if pairs.is_empty() {
                shape.null(level, repeated, leaves);
            }
        }
        (Layout::Struct(fields) | Layout::Tuple(fields), Shape::Group(shapes)) => {
            let values = values(fields, tape, at)?;
            members(fields, shapes, (tape, &values), (level, repeated), leaves)?;
        }
        (Layout::Enum(fields), Shape::Enum(variant, shapes)) => {
            let name = tape.name(at);
            leaves[*variant].text(name, level + 1, repeated);
            let payload = (at + 1 < tape.after(at)).then_some(at + 1);
            let known = payload.and_then(|payload| field_of(fields, 0, name, (tape, payload)));
            if payload.is_some() && known.is_none() {
                return Err(no_column(name));
            }
            let known = known.map(|(index, _)| index);
            for (index, (field, shape)) in fields.iter().zip(shapes).enumerate() {
                match payload.filter(|_| known == Some(index)) {
                    Some(at) => put(&field.layout, shape, (tape, at), (level, repeated), leaves)?,
                    None => shape.null(level, repeated, leaves),
                }
            }
        }
        (layout, Shape::Leaf(leaf)) => {
            single(layout, (tape, at), (level, repeated), &mut leaves[*leaf])?;
        }
        _ => {}
    }
    Ok(())
}

/// Checks that a column takes a value: one that it leaves out would move all that follow.
fn check(layout: &Layout, tape: &Tape, at: usize) -> Result {
    match layout {
        Layout::Json => Ok(()),
        layout if layout.takes(tape, at) => Ok(()),
        _ => Err(no_column("a part")),
    }
}

/// Adds a single value.
fn single(
    layout: &Layout,
    (tape, at): (&Tape, usize),
    (present, repeated): (i16, i16),
    leaf: &mut Leaf,
) -> Result {
    check(layout, tape, at)?;
    let is_taken = match (layout, tape.event(at)) {
        (Layout::Bool, Event::Bool(value)) => leaf.bool(value, present, repeated),
        (
            Layout::Int | Layout::UInt | Layout::Decimal | Layout::Float { .. },
            Event::Number(value),
        ) => leaf.number(value, present, repeated),
        (Layout::Text, Event::Text(text) | Event::Word(text) | Event::Name(text)) => {
            leaf.text(tape.str(text), present, repeated)
        }
        (Layout::Bytes, Event::Bytes(bytes)) => leaf.bytes(tape.bytes(bytes), present, repeated),
        (layout, _) => leaf.text(&json::text(tape, at, layout)?, present, repeated),
    };
    if is_taken { Ok(()) } else { Err(no_column("a part")) }
}
