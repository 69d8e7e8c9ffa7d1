//! [`KeyDecoder`]: a map key that stands as the name of an object's member.

use std::borrow::Cow;

use crate::decoder::{Decoder, Kind, Mark};
use crate::error::{Error, Position, Result};
use crate::number::Number;
use crate::shape::{Class, Shape};

/// Decodes one name as a value: text is itself, numbers and truth values are their text, a unit
/// variant is its name. A name that begins with `$$` had one `$` put before it.
pub(crate) struct KeyDecoder<'a> {
    text: &'a str,
}

impl<'a> KeyDecoder<'a> {
    pub(crate) fn new(name: &'a str) -> Self {
        let text = if name.starts_with("$$") { &name[1..] } else { name };
        KeyDecoder { text }
    }

    fn wrong(&self, expected: &str) -> Error {
        Error::wrong_type(expected, format_args!("the key {:?}", self.text))
    }
}

impl Decoder for KeyDecoder<'_> {
    fn as_dyn(&mut self) -> &mut dyn Decoder {
        self
    }
    fn position(&self) -> Position {
        Position::Unknown
    }
    fn position_of(&self, _: Mark) -> Position {
        Position::Unknown
    }
    fn peek(&mut self) -> Result<Kind> {
        Ok(Kind::Str)
    }
    fn skip(&mut self) -> Result {
        Ok(())
    }
    fn null(&mut self) -> Result {
        Err(self.wrong("null"))
    }
    fn bool(&mut self) -> Result<bool> {
        self.text.parse().map_err(|_| self.wrong("bool"))
    }
    fn number(&mut self) -> Result<Number> {
        // Written as a number would be: `+5` and `007` are other names than `5` and `7`.
        let digits = self.text.strip_prefix('-').unwrap_or(self.text).as_bytes();
        if matches!(digits, [b'+', ..] | [b'0', b'0'..=b'9', ..]) {
            return Err(self.wrong("a number"));
        }
        if let Ok(int) = self.text.parse() {
            Ok(Number::Int(int))
        } else if let Ok(int) = self.text.parse() {
            Ok(Number::UInt(int))
        } else {
            self.text.parse().map(Number::F64).map_err(|_| self.wrong("a number"))
        }
    }
    fn f32(&mut self) -> Result<f32> {
        self.text.parse().map_err(|_| self.wrong("f32"))
    }
    fn f64(&mut self) -> Result<f64> {
        self.text.parse().map_err(|_| self.wrong("f64"))
    }
    fn str(&mut self) -> Result<&str> {
        Ok(self.text)
    }
    fn begin_seq(&mut self, _: &'static Shape) -> Result<usize> {
        Err(self.wrong("a sequence"))
    }
    fn next_item(&mut self) -> Result<bool> {
        Ok(false)
    }
    fn end_seq(&mut self) -> Result {
        Ok(())
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        Err(self.wrong("an object"))
    }
    fn member(&mut self, _: &str) -> Result<bool> {
        Ok(false)
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        Ok(None)
    }
    fn end_object(&mut self, _: &mut dyn FnMut(&str) -> Result) -> Result {
        Ok(())
    }
    fn mark(&mut self) -> Mark {
        Mark { offset: 0, state: 0, depth: 0 }
    }
    fn goto(&mut self, _: Mark) {}
    fn recover(&mut self, _: Mark) {}
    fn find_bodies(&mut self, _: &mut dyn FnMut(u64, Mark)) -> Result {
        Ok(())
    }
}
