//! Map keys as the names of an object's members. [`name`] returns the name of a key, [`KeyDecoder`]
//! reads a key from a name, and [`Shown`] displays a key in a message.

use std::borrow::Cow;
use std::fmt;

use crate::format::decoder::{Decoder, Kind};
use crate::format::encoder::Encoder;
use crate::format::loading::Loading;
use crate::format::saving::Saving;
use crate::model::decimal::{self, Whole};
use crate::model::error::{Error, ErrorKind, Found, Position, Result};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::shape::{Class, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::{Body, New};
use crate::visit::serialize::Save;
use crate::visit::session::Session;

/// Returns the name of a key: text is its own name, the name of a number or a truth value is its
/// text, and the name of a unit variant is the variant's. A name that begins with `$` gets a second
/// `$`.
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

/// Loads a key from its name: the reverse of [`name`].
pub(crate) fn load<K: Element>(name: &str, options: &Options<'_>) -> Result<K> {
    let mut new = New(None);
    load_body(name, &mut new, options)?;
    new.take()
}

/// Loads a key from its name into a body: the reverse of [`name`].
///
/// # Errors
/// Those of the key.
pub fn load_body<B: Body>(name: &str, key: &mut B, options: &Options<'_>) -> Result {
    let (mut decoder, mut session) = (KeyDecoder::new(name), Session::new());
    let mut loading = Loading::<KeyDecoder<'_>>::new(&mut decoder, &mut session, options);
    key.run(&mut loading.erased().loading())
}

/// A key in a message. It is empty, or a space followed by a number, a truth value, or text in
/// quotes that is cut short if it is long.
#[derive(Default)]
pub(crate) struct Shown(String);

impl Shown {
    /// Creates the text for a key. It is empty if the key has no name.
    #[cold]
    pub(crate) fn of<K: Save + ?Sized>(mut key: &K) -> Self {
        Shown::of_body(&mut key)
    }

    /// As [`of`](Shown::of), for a body that saves the key.
    #[cold]
    pub(crate) fn of_body<K: Body>(key: &mut K) -> Self {
        Shown(match MapKeyEncoder::encode(key, &mut Session::new(), &Options::new()) {
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

/// An encoder that writes one value as a name.
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
    // A float is written as the shortest text that loads as the same number of its width.
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

/// A decoder that reads one value from a name: the reverse of [`name`]. It removes one of two
/// leading `$`.
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
        // Only the canonical form is a number: `+5` and `007` are different names than `5` and `7`.
        let digits = self.text.strip_prefix('-').unwrap_or(self.text).as_bytes();
        if matches!(digits, [b'+', ..] | [b'0', b'0'..=b'9', ..]) {
            return Err(self.wrong("a number"));
        }
        if let Ok(int) = self.text.parse() {
            return Ok(Number::Int(int));
        }
        let nearest: f64 = self.text.parse().map_err(|_| self.wrong("a number"))?;
        match decimal::integer(self.text) {
            _ if !nearest.is_finite() => Ok(Number::F64(nearest)),
            Whole::Int(int) => Ok(Number::Int(int)),
            Whole::UInt(int) => Ok(Number::UInt(int)),
            // The float has lost its fraction.
            Whole::Fraction if nearest.fract() == 0.0 => Err(self.wrong("an integer")),
            Whole::Fraction => Ok(Number::F64(nearest)),
            Whole::Large => {
                let message = format_args!("the key {} does not fit 128 bits", self.text);
                Err(Error::new(ErrorKind::OutOfRange, message))
            }
        }
    }
    fn i128(&mut self) -> Result<i128> {
        self.number()?.to_integer()
    }
    fn u128(&mut self) -> Result<u128> {
        self.number()?.to_integer()
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
    fn find_pointees(&mut self, _: &mut dyn FnMut(u64, Mark)) -> Result {
        Ok(())
    }
}
