//! [`Json`]: the format as a whole, and its entry points.

use archive_core::backend::{Feed, Sink, load_in_file_order};
use archive_core::{
    Backend, Body, Element, Loading, Options, Report, Result, Session, Shape, Source,
};

use crate::{Decoder, Encoder};

/// The JSON format, as a [`Backend`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Json;

impl Backend for Json {
    const NAME: &'static str = "json";
    const EXTENSIONS: &'static [&'static str] = &["json"];

    type Output = String;
    type Encoder<'w> = Encoder<'w>;
    type Decoder<'r> = Decoder<'r>;

    /// Returns whether the first bytes can begin a JSON value. `[section]`, for example, cannot.
    fn detect(start: &[u8]) -> bool {
        // A byte order mark and comments occur in JSON, even though only relaxed loads accept them.
        let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        !text.trim_ascii().is_empty() && begins_value(trimmed(text))
    }

    fn encoder<'w>(options: &Options<'_>, sink: Option<Sink<'w>>) -> Encoder<'w> {
        Encoder::for_options(Vec::new(), options, sink)
    }

    fn encoder_in(buffer: Vec<u8>, options: &Options<'_>) -> Encoder<'static> {
        Encoder::for_options(buffer, options, None)
    }

    fn finish(encoder: Encoder<'_>) -> Result<Vec<u8>> {
        encoder.finish()
    }

    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r>> {
        let decoder = Decoder::new(input, options.settings().limits().nesting());
        Ok(decoder.relaxed(options.settings().relaxed()))
    }

    fn load_root<B: Body>(
        decoder: &mut Decoder<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        Loading::in_file_order(decoder, session, options).root(shape, body)
    }

    fn end(mut decoder: Decoder<'_>) -> Result {
        decoder.end()
    }

    /// Does not keep the text, with the exceptions listed at [`Decoder::from_feed`].
    fn load_feed<B: Body>(
        feed: Feed<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let decoder = Decoder::from_feed(feed, options.settings().limits().nesting());
        let decoder = decoder.relaxed(options.settings().relaxed());
        load_in_file_order(decoder, |mut decoder| decoder.end(), shape, body, session, options)
    }
}

archive_core::entry_points!(Json);

/// Saves a value as one line of text: `&value` of a type with `Save`, or `&mut value` of any type.
pub fn to_string<S: Source>(value: S) -> Result<String> {
    to_string_with(value, &Options::new())
}

/// Like [`to_string`], with line breaks and an indentation of two spaces.
pub fn to_string_pretty<S: Source>(value: S) -> Result<String> {
    to_string_with(value, &Options::new().pretty(true))
}

/// Like [`to_string`], with options.
pub fn to_string_with<S: Source>(value: S, options: &Options<'_>) -> Result<String> {
    Json::output(to_vec_with(value, options)?)
}

/// Loads a new value.
pub fn from_str<T: Element>(text: &str) -> Result<T> {
    from_slice(text.as_bytes())
}

/// Like [`from_str`], with options.
pub fn from_str_with<T: Element>(text: &str, options: &Options<'_>) -> Result<T> {
    from_slice_with(text.as_bytes(), options)
}

/// Loads a new value, and returns it with a report of the load.
pub fn from_str_report<T: Element>(text: &str, options: &Options<'_>) -> Result<(T, Report)> {
    from_slice_report(text.as_bytes(), options)
}

/// Removes white space and comments from the start of the text.
fn trimmed(mut text: &[u8]) -> &[u8] {
    loop {
        let white = text.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        text = &text[white..];
        let end: &[u8] = match text {
            [b'/', b'/', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            _ => return text,
        };
        let comment = text[2..].windows(end.len()).position(|bytes| bytes == end);
        text = comment.map_or(&[], |len| &text[2 + len + end.len()..]);
    }
}

/// Returns whether the text can be the first bytes of a value.
fn begins_value(mut text: &[u8]) -> bool {
    loop {
        let (first, rest) = match text {
            [] => return true,
            [first, rest @ ..] => (*first, trimmed(rest)),
        };
        match first {
            b'[' if !rest.starts_with(b"]") => text = rest,
            b'{' => return matches!(rest, [] | [b'"' | b'}', ..]),
            b't' => return is_word(text, b"true"),
            b'f' => return is_word(text, b"false"),
            b'n' => return is_word(text, b"null"),
            _ => return b"[\"-0123456789".contains(&first),
        }
    }
}

/// Returns whether the text begins with the word or is a prefix of it.
fn is_word(text: &[u8], word: &[u8]) -> bool {
    match text.strip_prefix(word) {
        Some([next, ..]) => !(next.is_ascii_alphanumeric() || *next == b'_'),
        Some([]) => true,
        None => word.starts_with(text),
    }
}
