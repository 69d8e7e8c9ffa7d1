//! Map keys that stand as the names of an object's members: [`name`] makes the name of a key,
//! [`KeyDecoder`] the key of a name; [`has_name`] tells which types of keys have one. [`Shown`] is a key in a
//! message.

use std::borrow::Cow;
use std::fmt;

use crate::Save;
use crate::archive::Body;
use crate::decoder::{Decoder, Kind, Mark};
use crate::encoder::Encoder;
use crate::error::{Error, ErrorKind, Found, Position, Result};
use crate::number::Number;
use crate::options::Options;
use crate::saving::Saving;
use crate::session::Session;
use crate::shape::{Class, Primitive, Shape};

/// The name of a key: text is itself, numbers and truth values are their text, a unit variant is
/// its name. What begins with `$` gets another `$` put before it.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for all other keys.
pub fn name<K: Body>(key: &mut K, session: &mut Session, options: &Options<'_>) -> Result<String> {
    let mut encoder = MapKeyEncoder::encode(key, session, options)?;
    if encoder.name.starts_with('$') {
        encoder.name.insert(0, '$');
    }
    Ok(encoder.name)
}

/// A key as messages show it: nothing, or a blank and then text in quotes, cut short if it is long, or a number
/// or a truth value as it is.
#[derive(Default)]
pub(crate) struct Shown(String);

impl Shown {
    /// A key; one that has no name is not shown.
    #[cold]
    pub(crate) fn of<K: Save + ?Sized>(mut key: &K) -> Self {
        Shown(match MapKeyEncoder::encode(&mut key, &mut Session::new(), &Options::new()) {
            Ok(MapKeyEncoder { name, is_text: true }) => format!(" {}", Found::Text(&name)),
            Ok(MapKeyEncoder { name, .. }) => format!(" {name}"),
            Err(_) => String::new(),
        })
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether every key of that shape has a name. Some options have one, and some values of enums that hold
/// data: of these it is not known before the key is.
pub(crate) const fn has_name(key: &Shape) -> bool {
    match key {
        Shape::Primitive(primitive, _) => !matches!(primitive, Primitive::Unit | Primitive::Bytes),
        Shape::Enum(info) => info.is_plain(),
        _ => false,
    }
}

/// Encodes one value as a name.
#[derive(Default)]
struct MapKeyEncoder {
    name: String,
    is_text: bool,
}

impl MapKeyEncoder {
    fn encode<K: Body>(key: &mut K, session: &mut Session, options: &Options<'_>) -> Result<Self> {
        let mut encoder = MapKeyEncoder::default();
        key.run(&mut Saving::new(&mut encoder, session, options))?;
        Ok(encoder)
    }

    fn put(&mut self, text: fmt::Arguments<'_>) -> Result {
        fmt::Write::write_fmt(&mut self.name, text).map_err(Error::custom)
    }
}

#[cold]
fn no_name(what: &str) -> Error {
    let message = format_args!(
        "a key that is {what} cannot be the name of a member: such a map is saved as pairs, \
         without `as_object`"
    );
    Error::new(ErrorKind::Unsupported, message)
}

macro_rules! put {
    ($($method:ident: $ty:ty, $text:literal;)*) => { $(
        fn $method(&mut self, value: $ty) -> Result {
            self.put(format_args!($text, value))
        }
    )* };
}

impl Encoder for MapKeyEncoder {
    // Floats as the shortest text that is read as the same number at its width.
    put! {
        bool: bool, "{}"; i64: i64, "{}"; u64: u64, "{}"; i128: i128, "{}"; u128: u128, "{}";
        f32: f32, "{:?}"; f64: f64, "{:?}";
    }

    fn str(&mut self, value: &str) -> Result {
        self.is_text = true;
        self.name.push_str(value);
        Ok(())
    }

    fn writes_tags(&self) -> bool {
        false
    }
    fn null(&mut self) -> Result {
        Err(no_name("null"))
    }
    fn bytes(&mut self, _: &[u8]) -> Result {
        Err(no_name("bytes"))
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        Err(no_name("a sequence"))
    }
    fn item(&mut self) -> Result {
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        Ok(())
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        Err(no_name("an object"))
    }
    fn member(&mut self, _: &str, _: &'static Shape) -> Result {
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        Ok(())
    }
}

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
        Error::wrong_type(expected, format_args!("the key {}", Found::Text(self.text)))
    }
}

impl Decoder for KeyDecoder<'_> {
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
