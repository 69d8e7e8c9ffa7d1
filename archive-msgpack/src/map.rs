//! Maps, whose keys may have any type. They are read as maps of the program's types, and as trees.
// Why: docs/decisions/json-and-messagepack.md#messagepack-maps-are-written-as-maps

use archive_core::{MapForm, Primitive, Result, Shape};
use rmp::Marker;

use crate::cursor::Token;
use crate::decoder::{Decoder, MAP};
use crate::frame::{Frame, misuse};
use crate::spans::Passing;

impl Decoder<'_> {
    /// Opens a map with keys of any type. It is opened as an object if its keys are text but the
    /// program's type has numbers or truth values as keys, as in data that was converted from
    /// another format.
    pub(crate) fn open_map(&mut self, shape: &'static Shape) -> Result<MapForm> {
        self.start = self.cursor.at;
        if self.in_bytes {
            return Err(self.wrong_type("a map"));
        }
        let mut first = self.cursor;
        match self.cursor.marker() {
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                first.token()?;
                let is_text = matches!(first.byte(), 0xa0..=0xbf | 0xd9..=0xdb);
                if is_text && needs_parsing(shape) {
                    self.open_object(&MAP)?;
                    return Ok(MapForm::Object);
                }
                self.open_entries().map(MapForm::Pairs)
            }
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                self.open_seq(shape).map(MapForm::Pairs)
            }
            _ => Err(self.wrong_type("a map")),
        }
    }

    /// Opens the map at the cursor as a sequence of pairs.
    pub(crate) fn open_entries(&mut self) -> Result<usize> {
        let Token::Map(len) = self.cursor.token()? else { return Err(misuse()) };
        self.push(Frame::Entries(len))?;
        Ok(len)
    }

    /// Returns whether all keys of the map at the cursor are text. The result for the maps inside
    /// is cached, so that nested maps are not scanned once per level.
    pub(crate) fn has_text_keys(&mut self) -> Result<bool> {
        let start = self.cursor.at;
        let mut first = self.cursor;
        let Token::Map(len) = first.token()? else { return Ok(false) };
        if len == 0 {
            return Ok(true);
        }
        let is_text = |marker| {
            matches!(marker, Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32)
        };
        if !is_text(first.marker()) || len == 1 {
            return Ok(is_text(first.marker()));
        }
        let limit = self.levels();
        let (keys, mut end) = (&mut self.keys, self.cursor);
        if let Some(known) = keys.spans.find(start) {
            return Ok(!known.note);
        }
        let record = keys.spans.begin(start);
        let mut passing = Passing::new(&mut keys.spans, record);
        keys.walker.walk(&mut end, limit, &mut passing)?;
        let text_keys = passing.text_keys;
        if record {
            keys.spans.finish(end.at);
        }
        Ok(text_keys)
    }
}

/// Returns whether the keys of the map are not text, but can be parsed from text.
fn needs_parsing(shape: &Shape) -> bool {
    let Shape::Map(key, _) = shape else { return false };
    let mut key = key.get();
    while let Shape::Option(some) = key {
        key = some.get();
    }
    // 128-bit integers are always text.
    let wide = matches!(key, Shape::Primitive(Primitive::I128 | Primitive::U128, _));
    let text = matches!(key, Shape::Primitive(Primitive::Str | Primitive::Char, _));
    matches!(key, Shape::Primitive(..)) && !wide && !text
}
