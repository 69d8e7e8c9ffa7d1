//! Adding new members.

mod pairs;

use std::ops::Range;

use archive::format::{Decoder, Encoder as _, Kind, PointerKind};
use archive::path::{Path, Pattern, Step};
use archive::shape::{OBJECT, Shape};
use archive::{Error, ErrorKind, Format, Result, json, msgpack};

use super::splice::{Piece, mark_len};
use crate::input::{Input, Joined};
use crate::select::{in_path, pointee_of, select};
use pairs::Pairs;
pub use pairs::key_like;

/// Splits a path into the path of an existing object or map, and the name of a new member. Returns
/// `None` if there is no such object.
pub fn parent_of(input: &Input, path: &Path) -> Result<Option<(Path, String)>> {
    let Some((Step::Name(name), parent)) = path.steps().split_last() else { return Ok(None) };
    let (parent, name) = (Path::from(parent.to_vec()), name.as_str().to_owned());
    if matches!(input.joined, Some(Joined::Rows)) && path.steps().len() <= 2 {
        let message = "only the game can add objects to an object store";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let mut is_found = false;
    let visited = input.read(|from| {
        select(from, &Pattern::from(parent.clone()), &mut |from, _| {
            is_found = enter(from)?.is_some();
            Ok(())
        })
    });
    Ok((visited.is_ok() && is_found).then_some((parent, name)))
}

/// A value to which a member or a key can be added.
#[derive(Clone, Copy, PartialEq)]
enum Container {
    Object,
    /// A map that is a sequence of pairs.
    Pairs,
}

/// Enters pointers and the wrappers of options. Returns the container inside, if there is one.
fn enter(from: &mut dyn Decoder) -> Result<Option<Container>> {
    const MAX_POINTERS: u32 = 64;
    for _ in 0..MAX_POINTERS {
        if !from.at_pointer(false)? {
            return container(from);
        }
        let start = from.mark();
        if from.at_some()? {
            from.begin_object(&OBJECT)?;
            from.next_key()?;
            continue;
        }
        let Ok((kind, id)) = from.begin_pointer().map(|head| (head.kind, head.id)) else {
            // An object of another program may have a member `$id`, too.
            from.recover(start);
            return Ok(Some(Container::Object));
        };
        match kind {
            PointerKind::Plain => return container(from),
            PointerKind::Null => return Ok(None),
            _ if kind.has_pointee() => {}
            _ => match pointee_of(from, id)? {
                Some(pointee) => {
                    from.goto(pointee);
                    from.begin_pointer()?;
                }
                None => return Ok(None),
            },
        }
    }
    Ok(None)
}

fn container(from: &mut dyn Decoder) -> Result<Option<Container>> {
    Ok(match from.peek()? {
        Kind::Object => Some(Container::Object),
        Kind::Seq if pairs::is_map(from)? => Some(Container::Pairs),
        _ => None,
    })
}

/// An object in a format in which each value is one range of bytes.
struct Object {
    span: Range<usize>,
    count: usize,
    /// The range of the last member's value, and the end of the previous member.
    last: Option<(Range<usize>, usize)>,
}

/// Returns the replacements that add a member to an object.
pub fn member(input: &Input, parent: &Path, name: &str, value: &[u8]) -> Result<Vec<Piece>> {
    let (mut found, mut entries) = (None, None);
    input.read(|from| {
        select(from, &Pattern::from(parent.clone()), &mut |from, _| {
            match enter(from)? {
                Some(Container::Object) => found = object(from)?,
                Some(Container::Pairs) => entries = Pairs::read(from)?,
                None => {}
            }
            Ok(())
        })
    })?;
    if let Some(entries) = entries {
        return entries.with(input, name, value).map_err(|error| in_path(parent, error));
    }
    let shift = mark_len(input);
    let object = found.ok_or_else(|| refused(parent))?;
    let start = object.span.start + shift;
    let last =
        object.last.map(|(last, before)| (last.start + shift..last.end + shift, before + shift));
    let end = last.as_ref().map_or(start + 1, |(last, _)| last.end);
    Ok(match input.format {
        Format::Json => {
            let text = in_style(&input.bytes, start, last.as_ref(), name, value)?;
            vec![(end..end, text)]
        }
        _ => {
            let header = match input.bytes.get(start) {
                Some(0x80..=0x8f) => 1,
                Some(0xde) => 3,
                Some(0xdf) => 5,
                _ => return Err(refused(parent)),
            };
            let end = last.map_or(start + header, |(last, _)| last.end);
            let entry = [&msgpack::to_vec(name)?[..], value].concat();
            vec![(start..start + header, map_header(object.count + 1)?), (end..end, entry)]
        }
    })
}

#[cold]
fn refused(parent: &Path) -> Error {
    let message = format_args!("{parent} is not a map, so no member can be added to it");
    Error::new(ErrorKind::Unsupported, message)
}

/// Returns the header of a map in MessagePack.
fn map_header(count: usize) -> Result<Vec<u8>> {
    let mut encoder = msgpack::Encoder::new();
    encoder.begin_map(&Shape::Any, count)?;
    Ok(encoder.into_bytes())
}

fn object(from: &mut dyn Decoder) -> Result<Option<Object>> {
    let start = from.mark();
    let Some(span) = from.skip_span()? else { return Ok(None) };
    from.recover(start);
    let place = |span: Range<u64>| span.start as usize..span.end as usize;
    let mut object = Object { span: place(span), count: 0, last: None };
    from.begin_object(&OBJECT)?;
    let mut before = object.span.start + 1;
    while from.next_key()?.is_some() {
        let Some(span) = from.skip_span()?.map(place) else { return Ok(None) };
        let end = span.end;
        object.last = Some((span, before));
        object.count += 1;
        before = end;
    }
    Ok(Some(object))
}

/// Returns the text of a member to be appended to an object, spaced like the last member.
fn in_style(
    text: &[u8],
    start: usize,
    last: Option<&(Range<usize>, usize)>,
    name: &str,
    value: &[u8],
) -> Result<Vec<u8>> {
    let name = json::to_vec(name)?;
    let Some((last, before)) = last else {
        return Ok([&name[..], b": ", value].concat());
    };
    // Commas and comments are not repeated.
    let around = &text[*before.max(&(start + 1))..last.start];
    let colon: &[u8] = if around.ends_with(b" ") { b": " } else { b":" };
    let head = around.iter().position(|byte| *byte == b'"').unwrap_or(around.len());
    let blank = &around[..head];
    let lead = match blank.iter().rposition(|byte| *byte == b'\n') {
        Some(line) => blank[line..].to_vec(),
        None if blank.contains(&b' ') => b" ".to_vec(),
        None => Vec::new(),
    };
    let lead: Vec<u8> = lead.into_iter().filter(u8::is_ascii_whitespace).collect();
    Ok([b",", &lead[..], &name, colon, value].concat())
}
