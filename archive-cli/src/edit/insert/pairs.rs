//! Maps that are stored as sequences of pairs of a key and a value.

use std::ops::Range;

use archive::format::{Decoder, Encoder as _, Kind};
use archive::shape::Shape;
use archive::{Error, ErrorKind, Format, Result, Value, msgpack};

use super::map_header;
use crate::edit::splice::{Piece, mark_len};
use crate::input::{Input, options};
use crate::select::may_be_map;
use crate::stream;

/// Returns whether the sequence at the cursor is a map: its type says so, or it consists of pairs
/// that begin with a key. The cursor does not move. An empty sequence without a type may be
/// anything.
pub fn is_map(from: &mut dyn Decoder) -> Result<bool> {
    if from.stored_type().is_some_and(|stored| stored.starts_with("Map<")) {
        return Ok(true);
    }
    if !may_be_map(from) {
        return Ok(false);
    }
    let start = from.mark();
    let (mut is_map, mut count) = (true, 0_u64);
    from.begin_seq(&Shape::Any)?;
    while is_map && from.next_item()? {
        is_map = is_pair(from)?;
        count += 1;
    }
    from.recover(start);
    Ok(is_map && count > 0)
}

/// Skips an item. Returns whether it is a pair that begins with a key.
fn is_pair(from: &mut dyn Decoder) -> Result<bool> {
    if from.peek()? != Kind::Seq {
        return Ok(false);
    }
    from.begin_seq(&Shape::Any)?;
    let mut parts = 0;
    while from.next_item()? {
        if parts == 0 && !matches!(from.peek()?, Kind::Str | Kind::Number | Kind::Bool) {
            return Ok(false);
        }
        from.skip()?;
        parts += 1;
    }
    from.end_seq()?;
    Ok(parts == 2)
}

/// Converts a key that is written as a name to the kind of the existing keys.
///
/// # Errors
/// [`ErrorKind::WrongType`] if all keys are numbers, or booleans, and the name is not one.
pub fn key_like<'k>(name: &str, keys: impl Iterator<Item = &'k Value>) -> Result<Value> {
    let (mut numbers, mut bools, mut count) = (0, 0, 0);
    for key in keys {
        count += 1;
        numbers += u64::from(matches!(key, Value::Number(_)));
        bools += u64::from(matches!(key, Value::Bool(_)));
    }
    let spelled = || archive::json::from_str::<Value>(name).ok();
    let wanted = match spelled() {
        Some(number @ Value::Number(_)) if numbers > 0 => return Ok(number),
        Some(boolean @ Value::Bool(_)) if bools > 0 => return Ok(boolean),
        _ if count > 0 && numbers == count => "numbers",
        _ if count > 0 && bools == count => "booleans",
        _ => return Ok(name.into()),
    };
    let message = format_args!("the keys of this map are {wanted}, so `{name}` cannot be one");
    Err(Error::new(ErrorKind::WrongType, message))
}

/// A map in a format in which each value is one range of bytes.
pub struct Pairs {
    span: Range<usize>,
    keys: Vec<Value>,
    /// The last entry.
    last: Option<Entry>,
}

struct Entry {
    span: Range<usize>,
    key: Range<usize>,
    value: Range<usize>,
    /// The end of the entry before it.
    before: usize,
}

impl Pairs {
    /// Reads the map at the cursor. Returns `None` if a value has no bytes of its own.
    pub fn read(from: &mut dyn Decoder) -> Result<Option<Pairs>> {
        let Some(span) = span_of(from)? else { return Ok(None) };
        let mut before = span.start + 1;
        let mut pairs = Pairs { span, keys: Vec::new(), last: None };
        from.begin_seq(&Shape::Any)?;
        while from.next_item()? {
            let Some(span) = span_of(from)? else { return Ok(None) };
            from.begin_seq(&Shape::Any)?;
            from.next_item()?;
            let Some(key) = span_of(from)? else { return Ok(None) };
            pairs.keys.push(match from.peek()? {
                Kind::Str => from.str()?.into(),
                Kind::Number => Value::Number(from.number()?),
                _ => Value::Bool(from.bool()?),
            });
            from.next_item()?;
            let Some(value) = from.skip_span()? else { return Ok(None) };
            let value = place(value);
            from.next_item()?;
            from.end_seq()?;
            let end = span.end;
            pairs.last = Some(Entry { span, key, value, before });
            before = end;
        }
        Ok(Some(pairs))
    }

    /// Returns the replacements that add an entry.
    ///
    /// # Errors
    /// [`ErrorKind::WrongType`] if the key is not of the kind of the existing keys.
    pub fn with(self, input: &Input, name: &str, value: &[u8]) -> Result<Vec<Piece>> {
        let shift = mark_len(input);
        let key = key_like(name, self.keys.iter())?;
        let key = stream::written(input.format, &key, &options())?;
        let start = self.span.start + shift;
        let end = self.last.as_ref().map_or(self.span.end - 1, |last| last.span.end) + shift;
        if input.format == Format::Json {
            let text = match &self.last {
                Some(last) => in_style(&input.bytes[shift..], last, &key, value),
                None => [b"[", &key[..], b", ", value, b"]"].concat(),
            };
            return Ok(vec![(end..end, text)]);
        }
        // MessagePack maps whose keys are not text are read as pairs.
        let (header, is_map) = match input.bytes.get(start) {
            Some(0x80..=0x8f) => (1, true),
            Some(0xde) => (3, true),
            Some(0xdf) => (5, true),
            Some(0x90..=0x9f) => (1, false),
            Some(0xdc) => (3, false),
            _ => (5, false),
        };
        let end = if self.last.is_none() { start + header } else { end };
        let count = self.keys.len() + 1;
        let (new, entry) = match is_map {
            true => (map_header(count)?, [&key[..], value].concat()),
            false => (array_header(count)?, [&array_header(2)?[..], &key, value].concat()),
        };
        Ok(vec![(start..start + header, new), (end..end, entry)])
    }
}

/// Returns the range of the value at the cursor. The cursor does not move.
fn span_of(from: &mut dyn Decoder) -> Result<Option<Range<usize>>> {
    let start = from.mark();
    let span = from.skip_span()?;
    from.recover(start);
    Ok(span.map(place))
}

fn place(span: Range<u64>) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Returns the header of a sequence in MessagePack.
fn array_header(count: usize) -> Result<Vec<u8>> {
    let mut encoder = msgpack::Encoder::new();
    encoder.begin_seq(&Shape::Any, count)?;
    Ok(encoder.into_bytes())
}

/// Returns the text of an entry to be appended, spaced like the last one.
fn in_style(text: &[u8], last: &Entry, key: &[u8], value: &[u8]) -> Vec<u8> {
    let Entry { span, key: old, value: of, before } = last;
    let lead = |range: Range<usize>| {
        let blank = &text[range];
        let start = blank.iter().rposition(|byte| !byte.is_ascii_whitespace());
        let blank = &blank[start.map_or(0, |at| at + 1)..];
        let line = blank.iter().rposition(|byte| *byte == b'\n');
        &blank[line.unwrap_or(0)..]
    };
    // Comments are not repeated.
    [
        &b","[..],
        lead(*before..span.start),
        b"[",
        lead(span.start + 1..old.start),
        key,
        b",",
        lead(old.end..of.start),
        value,
        lead(of.end..span.end - 1),
        b"]",
    ]
    .concat()
}
