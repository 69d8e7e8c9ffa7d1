//! Values on a tape as JSON: lists, maps and values without a type have no columns of their own in SQLite.

use archive::format::{Backend, Encoder, encoder::UNCOUNTED};
use archive::json::Json;
use archive::shape::{OBJECT, Shape};
use archive::{Options, Result};

use super::columns::{Layout, field_of};
use super::tape::{Event, Tape};

/// The member that names the variant of an enum.
pub const VARIANT: &str = "variant";

/// Returns a value as JSON on one line.
///
/// # Errors
/// Those of the encoder.
pub fn text(tape: &Tape, at: usize, layout: &Layout) -> Result<String> {
    let mut encoder = Json::encoder(&Options::new(), None);
    encoder.begin_root(&Shape::Any)?;
    put(&mut encoder, tape, at, layout)?;
    encoder.end_root()?;
    let text = Json::finish(encoder)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns a key of a map as the name of a member.
pub fn key(tape: &Tape, at: usize) -> String {
    match tape.event(at) {
        Event::Text(span) | Event::Word(span) | Event::Name(span) => tape.str(span).to_owned(),
        Event::Bool(value) => value.to_string(),
        Event::Number(value) => value.to_string(),
        _ => text(tape, at, &Layout::Json).unwrap_or_default(),
    }
}

/// Returns the name of a variant as text, or as an object if other variants have data.
fn put_variant<E: Encoder>(to: &mut E, name: &str, is_object: bool) -> Result {
    if !is_object {
        return to.str(name);
    }
    to.begin_object(&OBJECT)?;
    to.member(VARIANT, &Shape::Any)?;
    to.str(name)
}

fn put<E: Encoder>(to: &mut E, tape: &Tape, at: usize, layout: &Layout) -> Result {
    // The layout of a member, if it has one.
    let inner = |fields: &'_ [super::columns::Field], guess: usize, member: &str, at: usize| {
        field_of(fields, guess, member, (tape, at)).map(|(index, _)| index)
    };
    let of = |layout: &Layout, guess: usize, member: &str, at: usize| match layout {
        Layout::Struct(fields) | Layout::Tuple(fields) | Layout::Enum(fields) => {
            inner(fields, guess, member, at)
        }
        _ => None,
    };
    let part = |to: &mut E, index: Option<usize>, at: usize| match (layout, index) {
        (Layout::Struct(fields) | Layout::Tuple(fields) | Layout::Enum(fields), Some(index)) => {
            put(to, tape, at, &fields[index].layout)
        }
        (Layout::List(item) | Layout::Map(_, item), _) => put(to, tape, at, item),
        _ => put(to, tape, at, &Layout::Json),
    };
    match tape.event(at) {
        Event::Null => to.null(),
        Event::Bool(value) => to.bool(value),
        Event::Number(value) => to.number(value),
        Event::Text(span) | Event::Name(span) => to.str(tape.str(span)),
        Event::Bytes(span) => to.bytes(tape.bytes(span)),
        Event::Word(span) => {
            let is_object = matches!(layout, Layout::Enum(_));
            put_variant(to, tape.str(span), is_object)?;
            if is_object { to.end_object() } else { Ok(()) }
        }
        Event::Variant(span, end) => {
            let name = tape.str(span);
            put_variant(to, name, true)?;
            if at + 1 < end {
                // A variant may have the name of the member that names it.
                let known = of(layout, 0, name, at + 1);
                match (layout, known) {
                    (Layout::Enum(fields), Some(index)) => {
                        to.member(&fields[index].name, &Shape::Any)?
                    }
                    _ if name == VARIANT => to.member("variant_2", &Shape::Any)?,
                    _ => to.member(name, &Shape::Any)?,
                }
                part(to, known, at + 1)?;
            }
            to.end_object()
        }
        Event::Json(_) => put(to, tape, at + 1, &Layout::Json),
        Event::List(_) | Event::Tuple(_) => {
            to.begin_seq(&Shape::Any, UNCOUNTED)?;
            for (index, item) in tape.parts(at).enumerate() {
                to.item()?;
                let member = if matches!(layout, Layout::Tuple(_)) {
                    index.to_string()
                } else {
                    String::new()
                };
                part(to, of(layout, index, &member, item), item)?;
            }
            to.end_seq()
        }
        Event::Map(_) => {
            to.begin_object(&OBJECT)?;
            for (name, value) in tape.pairs(at) {
                to.member(&key(tape, name), &Shape::Any)?;
                part(to, None, value)?;
            }
            to.end_object()
        }
        Event::Struct(..) => {
            to.begin_object(&OBJECT)?;
            for (index, name) in tape.parts(at).enumerate() {
                to.member(tape.name(name), &Shape::Any)?;
                part(to, of(layout, index, tape.name(name), name + 1), name + 1)?;
            }
            to.end_object()
        }
    }
}
