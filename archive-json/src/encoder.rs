//! [`Encoder`]: writes JSON.

use std::fmt;

use archive_core::{Class, Member, Options, Result, Shape};

use crate::text_style::TextStyle;
use crate::{escape, put};

/// Writes JSON, compact or formatted for people. The text is byte for byte equal to the output of
/// `serde_json` for every value that both can write. Floats that are not finite are written as the
/// texts `"NaN"`, `"inf"` and `"-inf"`.
///
/// ```
/// use archive::format::Encoder as _;
/// use archive::shape::Shape;
///
/// let mut json = archive::json::Encoder::new(false);
/// json.begin_seq(&Shape::Any, 2)?;
/// json.item()?;
/// json.f32(0.1)?;
/// json.item()?;
/// json.str("two\nlines")?;
/// json.end_seq()?;
/// assert_eq!(json.into_string(), r#"[0.1,"two\nlines"]"#);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Encoder<'w> {
    out: Vec<u8>,
    sink: Option<Sink<'w>>,
    /// The number of bytes that are collected before they are sent to the sink.
    chunk: usize,
    /// At this length of `out`, writing takes more steps than appending. Equal to `chunk` without a
    /// style, and 0 with one.
    limit: usize,
    depth: usize,
    /// Whether the innermost object or sequence is still empty. One flag is enough for all levels:
    /// when one is closed, the level around it is not empty.
    empty: bool,
    /// The style of the text; `None` if it is compact.
    style: Option<TextStyle>,
}

type Sink<'w> = &'w mut dyn FnMut(&[u8]) -> Result;

impl<'w> Encoder<'w> {
    /// The number of bytes that are collected before they are sent to the sink.
    const CHUNK: usize = 64 * 1024;

    /// Creates an encoder that keeps the text in memory. `pretty` adds line breaks and an
    /// indentation of two spaces.
    pub fn new(pretty: bool) -> Self {
        Self::of(Vec::new(), TextStyle::pretty(pretty), None)
    }

    /// Creates an encoder that sends the text to `sink` piece by piece. [`finish`](Encoder::finish)
    /// sends the last piece.
    pub fn with_sink(pretty: bool, sink: &'w mut dyn FnMut(&[u8]) -> Result) -> Self {
        Self::of(Vec::new(), TextStyle::pretty(pretty), Some(sink))
    }

    /// Creates an encoder with the style of the options. It writes into `buffer`, which is empty.
    pub(crate) fn for_options(
        buffer: Vec<u8>,
        options: &Options<'_>,
        sink: Option<Sink<'w>>,
    ) -> Self {
        Self::of(buffer, TextStyle::for_options(options), sink)
    }

    fn of(out: Vec<u8>, style: Option<TextStyle>, sink: Option<Sink<'w>>) -> Self {
        let whole = sink.is_none() || style.as_ref().is_some_and(TextStyle::needs_all);
        let chunk = if whole { usize::MAX } else { Self::CHUNK };
        let limit = if style.is_some() { 0 } else { chunk };
        Encoder { out, sink, chunk, limit, depth: 0, empty: true, style }
    }

    /// Returns the text that was not sent to the sink yet.
    pub fn into_string(self) -> String {
        String::from_utf8(self.out).unwrap_or_default() // it is always UTF-8
    }

    /// Returns the text that was not sent to the sink yet, as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Ends the encoding: sends the rest of the text to the sink or, if there is none, returns the
    /// text.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        if let Some(sink) = &mut self.sink {
            sink(&self.out)?;
            self.out.clear();
        }
        Ok(self.into_bytes())
    }

    #[inline]
    fn open(&mut self, bracket: u8) -> Result {
        if self.style.is_some() {
            self.lay_out(|style, out, _, depth| style.open(out, bracket, depth));
        }
        self.out.push(bracket);
        self.depth += 1;
        self.empty = true;
        Ok(())
    }

    /// Calls `change` with the style, if there is one.
    #[inline(never)]
    fn lay_out(&mut self, change: impl FnOnce(&mut TextStyle, &mut Vec<u8>, bool, usize)) {
        if let Some(style) = &mut self.style {
            change(style, &mut self.out, self.empty, self.depth);
        }
    }

    /// Starts an item.
    #[inline]
    fn next(&mut self) -> Result {
        if self.out.len() >= self.limit {
            return self.next_slow(TextStyle::item);
        }
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        Ok(())
    }

    /// Starts an item or a member when text must be sent to the sink or laid out.
    #[inline(never)]
    fn next_slow(&mut self, begin: fn(&mut TextStyle, &mut Vec<u8>, bool, usize)) -> Result {
        if self.out.len() >= self.chunk {
            self.drain()?;
        }
        match &mut self.style {
            Some(style) => begin(style, &mut self.out, self.empty, self.depth),
            None if !self.empty => self.out.push(b','),
            None => {}
        }
        self.empty = false;
        Ok(())
    }

    /// Writes the start of a member, up to its value.
    fn next_member(&mut self, name: &str) -> Result {
        self.begin_member()?;
        escape::quote_into(&mut self.out, name);
        self.out.push(b':');
        self.blank();
        Ok(())
    }

    /// Writes the start of a member whose name is known at compile time.
    #[inline(never)]
    fn any_member(&mut self, info: &'static Member) -> Result {
        let Some((text, len)) = info.token.text(true) else {
            return self.next_member(info.name);
        };
        self.begin_member()?;
        put::padded(&mut self.out, text, len);
        self.blank();
        Ok(())
    }

    fn begin_member(&mut self) -> Result {
        if self.out.len() >= self.limit {
            return self.next_slow(TextStyle::member);
        }
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        Ok(())
    }

    /// Writes the space after a colon, if the text is pretty.
    #[inline]
    fn blank(&mut self) {
        if self.style.as_ref().is_some_and(TextStyle::is_pretty) {
            self.out.push(b' ');
        }
    }

    #[inline]
    fn close(&mut self, bracket: u8) -> Result {
        self.depth -= 1;
        if self.style.is_some() {
            self.lay_out(|style, out, empty, depth| style.close(out, bracket, empty, depth));
        }
        self.empty = false;
        self.out.push(bracket);
        Ok(())
    }

    #[cold]
    fn drain(&mut self) -> Result {
        if let Some(sink) = &mut self.sink
            && self.style.as_ref().is_none_or(TextStyle::is_settled)
        {
            sink(&self.out)?;
            self.out.clear();
        }
        Ok(())
    }

    #[inline]
    fn float(&mut self, value: impl Float) -> Result {
        if value.is_finite() {
            let mut text = zmij::Buffer::new();
            self.out.extend_from_slice(text.format_finite(value).as_bytes());
        } else {
            self.out.extend_from_slice(value.text().as_bytes());
        }
        Ok(())
    }
}

/// Returns whether a float is written as that text.
pub(crate) fn is_saved_as(text: &str, value: impl Float) -> bool {
    value.is_finite() && zmij::Buffer::new().format_finite(value) == text
}

/// The properties of a float type that decide how its values are written.
pub(crate) trait Float: zmij::Float {
    fn is_finite(&self) -> bool;
    /// Returns the text for a value that is not finite.
    fn text(&self) -> &'static str;
}

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Float for $ty {
            fn is_finite(&self) -> bool {
                <$ty>::is_finite(*self)
            }

            fn text(&self) -> &'static str {
                match (self.is_nan(), *self > 0.0) {
                    (true, _) => r#""NaN""#,
                    (false, true) => r#""inf""#,
                    (false, false) => r#""-inf""#,
                }
            }
        }
    )*};
}
floats!(f32 f64);

/// Writes integers: a minus sign, if they are negative, and the absolute value.
macro_rules! integers {
    ($($signed:ident $unsigned:ident)*) => {$(
        #[inline]
        fn $signed(&mut self, value: $signed) -> Result {
            if value < 0 {
                self.out.push(b'-');
            }
            put::integer(&mut self.out, value.unsigned_abs().into());
            Ok(())
        }
        #[inline]
        fn $unsigned(&mut self, value: $unsigned) -> Result {
            put::integer(&mut self.out, value.into());
            Ok(())
        }
    )*};
}

impl archive_core::Encoder for Encoder<'_> {
    integers!(i8 u8 i16 u16 i32 u32 i64 u64);

    fn i128(&mut self, value: i128) -> Result {
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    fn u128(&mut self, value: u128) -> Result {
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result {
        // Does not branch on the value, because such a branch is unpredictable.
        let text = if value { *b"true    " } else { *b"false   " };
        put::padded(&mut self.out, &text, 5 - usize::from(value));
        Ok(())
    }

    #[inline]
    fn f32(&mut self, value: f32) -> Result {
        self.float(value)
    }

    #[inline]
    fn f64(&mut self, value: f64) -> Result {
        self.float(value)
    }

    #[inline]
    fn str(&mut self, value: &str) -> Result {
        escape::quote_into(&mut self.out, value);
        Ok(())
    }

    fn bytes(&mut self, value: &[u8]) -> Result {
        self.open(b'[')?;
        for byte in value {
            self.next()?;
            self.u8(*byte)?;
        }
        self.close(b']')
    }

    #[inline]
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.open(b'[')
    }

    #[inline]
    fn item(&mut self) -> Result {
        self.next()
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        self.close(b']')
    }

    #[inline]
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.open(b'{')
    }

    #[inline]
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.next_member(name)
    }

    #[inline]
    fn known_member(&mut self, info: &'static Member) -> Result {
        match info.token.text(self.empty) {
            Some((text, len)) if self.out.len() < self.limit => {
                self.empty = false;
                put::padded(&mut self.out, text, len);
                Ok(())
            }
            _ => self.any_member(info),
        }
    }

    #[inline]
    fn end_object(&mut self) -> Result {
        self.close(b'}')
    }
}

impl fmt::Debug for Encoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("out", &String::from_utf8_lossy(&self.out))
            .field("style", &self.style)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
