//! [`Encoder`]: JSON to be saved to.

use std::fmt;

use archive_core::{Class, Result, Shape};

use crate::escape;

/// Writes JSON, compact or laid out for people: byte for byte what `serde_json` writes, where both
/// can say it. Floats that are no numbers are written as the texts `"NaN"`, `"inf"` and `"-inf"`.
///
/// ```
/// use archive_core::Encoder as _;
/// use archive_core::Shape;
///
/// let mut json = archive_json::Encoder::new(false);
/// json.begin_seq(&Shape::Any, 2)?;
/// json.item()?;
/// json.f32(0.1)?;
/// json.item()?;
/// json.str("two\nlines")?;
/// json.end_seq()?;
/// assert_eq!(json.into_string(), r#"[0.1,"two\nlines"]"#);
/// # Ok::<(), archive_core::Error>(())
/// ```
pub struct Encoder<'w> {
    out: String,
    sink: Option<Sink<'w>>,
    pretty: bool,
    depth: usize,
    /// Whether the innermost object or sequence is still empty. One flag is enough for all levels:
    /// whatever holds the one that was closed last is not empty.
    empty: bool,
}

type Sink<'w> = &'w mut dyn FnMut(&[u8]) -> Result;

impl<'w> Encoder<'w> {
    /// So much text is collected before the sink gets it.
    const CHUNK: usize = 64 * 1024;

    /// An encoder that keeps the text; `pretty` asks for line breaks and an indentation of two.
    pub fn new(pretty: bool) -> Self {
        Encoder { out: String::new(), sink: None, pretty, depth: 0, empty: true }
    }

    /// An encoder that hands the text on to `sink`, piece by piece; [`finish`](Encoder::finish)
    /// hands on the last one.
    pub fn with_sink(pretty: bool, sink: &'w mut dyn FnMut(&[u8]) -> Result) -> Self {
        Encoder { out: String::new(), sink: Some(sink), pretty, depth: 0, empty: true }
    }

    /// The text that was not handed on yet.
    pub fn into_string(self) -> String {
        self.out
    }

    /// The text that was not handed on yet, as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// Ends the encoding: hands the rest of the text on to the sink or, where there is none,
    /// returns the text.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        if let Some(sink) = &mut self.sink {
            sink(self.out.as_bytes())?;
            self.out.clear();
        }
        Ok(self.into_bytes())
    }

    #[inline]
    fn open(&mut self, bracket: char) -> Result {
        self.out.push(bracket);
        self.depth += 1;
        self.empty = true;
        Ok(())
    }

    /// The start of an item or member.
    #[inline]
    fn next(&mut self) -> Result {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        if self.pretty {
            self.new_line();
        }
        if self.out.len() >= Self::CHUNK && self.sink.is_some() { self.drain() } else { Ok(()) }
    }

    #[inline]
    fn close(&mut self, bracket: char) -> Result {
        self.depth -= 1;
        if self.pretty && !self.empty {
            self.new_line();
        }
        self.empty = false;
        self.out.push(bracket);
        Ok(())
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }

    #[cold]
    fn drain(&mut self) -> Result {
        if let Some(sink) = &mut self.sink {
            sink(self.out.as_bytes())?;
            self.out.clear();
        }
        Ok(())
    }

    #[inline]
    fn integer(&mut self, value: impl itoa::Integer) -> Result {
        self.out.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    #[inline]
    fn float(&mut self, value: impl Float) -> Result {
        if value.is_finite() {
            self.out.push_str(zmij::Buffer::new().format_finite(value));
        } else {
            self.out.push_str(value.text());
        }
        Ok(())
    }
}

/// What there is to know about a float before it is written.
trait Float: zmij::Float {
    fn is_finite(&self) -> bool;
    /// The text for one that is not finite.
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

macro_rules! integers {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(&mut self, value: $name) -> Result {
            self.integer(value)
        }
    )*};
}

impl archive_core::Encoder for Encoder<'_> {
    integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

    fn as_dyn(&mut self) -> &mut dyn archive_core::Encoder {
        self
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.out.push_str("null");
        Ok(())
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result {
        self.out.push_str(if value { "true" } else { "false" });
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
        self.open('[')?;
        for byte in value {
            self.next()?;
            self.integer(*byte)?;
        }
        self.close(']')
    }

    #[inline]
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.open('[')
    }

    #[inline]
    fn item(&mut self) -> Result {
        self.next()
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        self.close(']')
    }

    #[inline]
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.open('{')
    }

    #[inline]
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.next()?;
        escape::quote_into(&mut self.out, name);
        self.out.push(':');
        if self.pretty {
            self.out.push(' ');
        }
        Ok(())
    }

    #[inline]
    fn end_object(&mut self) -> Result {
        self.close('}')
    }
}

impl fmt::Debug for Encoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("out", &self.out)
            .field("pretty", &self.pretty)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
