//! Maps, whose keys may be anything: as maps of the program's types, and as trees.

use archive_core::{MapForm, Primitive, Result, Shape};
use rmp::Marker;

use crate::cursor::Token;
use crate::decoder::{Decoder, MAP};
use crate::frame::{Frame, misuse};
use crate::spans::{Known, Recorder};

impl Decoder<'_> {
    /// A map is taken as it is, with keys of any type; but where text stands for numbers or truth
    /// values, because an object of another format was converted, as an object.
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

    /// Whether all keys of the map at the cursor are text. The answer for a map that others stand in
    /// is remembered for those, so that nested maps are not walked over once per level.
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
        if keys.spans.begin(start) {
            let mut recorder = Recorder::new(&mut keys.spans);
            keys.walker.walk(&mut end, limit, &mut recorder)?;
            let text_keys = recorder.text_keys;
            keys.spans.finish(end.at);
            return Ok(text_keys);
        }
        let mut known = Known::new(&keys.spans);
        keys.walker.walk(&mut end, limit, &mut known)?;
        Ok(known.text_keys)
    }
}

/// Whether the keys of the map are no text, but can be read from it.
fn needs_parsing(shape: &Shape) -> bool {
    let Shape::Map(key, _) = shape else { return false };
    let mut key = key.get();
    while let Shape::Option(some) = key {
        key = some.get();
    }
    // Integers of sixteen bytes are text by themselves.
    let wide = matches!(key, Shape::Primitive(Primitive::I128 | Primitive::U128, _));
    let text = matches!(key, Shape::Primitive(Primitive::Str | Primitive::Char, _));
    matches!(key, Shape::Primitive(..)) && !wide && !text
}
