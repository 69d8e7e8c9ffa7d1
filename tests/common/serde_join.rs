//! Serde's formats, joined: the code with which a program uses one of them as a backend. The fuzz
//! target includes it, too.

use archive::serde_formats::{Failure, SerdeFormat, Whole, levels};
use archive::{Error, ErrorKind, Options, Result};
use serde::Serialize;
use serde::de::DeserializeSeed;
use serde_json::error::Category;

/// A value that the format cannot represent.
fn unsupported(error: impl std::fmt::Display) -> Error {
    Failure::new(error).of_kind(ErrorKind::Unsupported).into()
}

/// `serde_json`.
pub struct SerdeJson;

impl SerdeFormat for SerdeJson {
    const NAME: &'static str = "serde_json";
    const EXTENSIONS: &'static [&'static str] = &["json"];

    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>> {
        match options.settings().pretty() {
            true => serde_json::to_vec_pretty(value).map_err(unsupported),
            false => serde_json::to_vec(value).map_err(unsupported),
        }
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        _: &Options<'_>,
    ) -> Result<S::Value> {
        let failed = |error: serde_json::Error| -> Error {
            let failure = Failure::new(&error).at_line(error.line(), error.column());
            match error.classify() {
                Category::Eof => failure.of_kind(ErrorKind::UnexpectedEnd).into(),
                _ => failure.into(),
            }
        };
        let mut from = serde_json::Deserializer::from_slice(input);
        // The seed has the limit of the options.
        from.disable_recursion_limit();
        let value = seed.deserialize(&mut from).map_err(failed)?;
        let end = |error: serde_json::Error| {
            let failure = Failure::new(&error).at_line(error.line(), error.column());
            failure.of_kind(ErrorKind::TrailingData)
        };
        from.end().map_err(end)?;
        Ok(value)
    }
}

/// `rmp-serde` with the names of members.
pub struct RmpNamed;

impl SerdeFormat for RmpNamed {
    const NAME: &'static str = "rmp_serde named";
    const EXTENSIONS: &'static [&'static str] = &["mpk"];

    fn write<T: Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
        rmp_serde::to_vec_named(value).map_err(unsupported)
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        options: &Options<'_>,
    ) -> Result<S::Value> {
        read_rmp(input, seed, options)
    }
}

/// `rmp-serde` with structs as arrays.
pub struct RmpArrays;

impl SerdeFormat for RmpArrays {
    const NAME: &'static str = "rmp_serde arrays";
    const EXTENSIONS: &'static [&'static str] = &["mpk"];
    const ARRAYS: bool = true;

    fn write<T: Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
        rmp_serde::to_vec(value).map_err(unsupported)
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        options: &Options<'_>,
    ) -> Result<S::Value> {
        read_rmp(input, seed, options)
    }
}

fn read_rmp<'de, S: DeserializeSeed<'de>>(
    input: &'de [u8],
    seed: S,
    options: &Options<'_>,
) -> Result<S::Value> {
    use rmp_serde::decode::Error as Theirs;
    let mut from = rmp_serde::Deserializer::new(std::io::Cursor::new(input));
    from.set_max_depth(levels(options));
    let outcome = seed.deserialize(&mut from);
    let at = from.position() as usize;
    match outcome {
        Ok(value) if at == input.len() => Ok(value),
        Ok(_) => Err(trailing(at)),
        Err(error) => Err(match &error {
            // Nothing else fails in a slice.
            Theirs::InvalidMarkerRead(_) | Theirs::InvalidDataRead(_) => ended(at),
            Theirs::DepthLimitExceeded => too_deep(error).at_byte(at).into(),
            _ => Failure::new(error).at_byte(at).into(),
        }),
    }
}

/// The input ends in the middle of a value.
fn ended(at: usize) -> Error {
    Failure::new("the input ends too soon").of_kind(ErrorKind::UnexpectedEnd).at_byte(at).into()
}

/// There is data after the value.
fn trailing(at: usize) -> Error {
    Failure::new("bytes after the value").of_kind(ErrorKind::TrailingData).at_byte(at).into()
}

/// The format has a limit of its own.
fn too_deep(error: impl std::fmt::Display) -> Failure {
    Failure::new(error).of_kind(ErrorKind::DepthLimit)
}

/// `ron`.
pub struct Ron;

impl Ron {
    /// The maximum number of levels of a text. More would take more stack than a thread has: a text
    /// has up to three levels for a level of a value.
    fn levels(options: &Options<'_>) -> usize {
        let depth = options.settings().limits().depth;
        depth.saturating_mul(3).saturating_add(2).min(depth.max(130))
    }
}

impl SerdeFormat for Ron {
    const NAME: &'static str = "ron";
    const EXTENSIONS: &'static [&'static str] = &["ron"];
    const FORGETS_VARIANTS: bool = true;

    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>> {
        let format = ron::Options::default().with_recursion_limit(Self::levels(options));
        let text = match options.settings().pretty() {
            true => format.to_string_pretty(value, ron::ser::PrettyConfig::new()),
            false => format.to_string(value),
        };
        text.map(String::into_bytes).map_err(|error| match error {
            ron::Error::ExceededRecursionLimit => too_deep(error).into(),
            error => unsupported(error),
        })
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        options: &Options<'_>,
    ) -> Result<S::Value> {
        use ron::Error as Theirs;
        // An error at the end is one of truncated input, unless it is ours.
        let failed = |error: ron::error::SpannedError, rest: &str| -> Error {
            let at = error.span.start;
            let kind = match &error.code {
                Theirs::Message(_) => ErrorKind::Syntax,
                Theirs::TrailingCharacters => ErrorKind::TrailingData,
                Theirs::ExceededRecursionLimit => ErrorKind::DepthLimit,
                Theirs::Eof | Theirs::ExpectedStringEnd | Theirs::UnclosedBlockComment => {
                    ErrorKind::UnexpectedEnd
                }
                Theirs::Utf8Error(error) if error.error_len().is_none() => ErrorKind::UnexpectedEnd,
                _ if rest.trim().is_empty() => ErrorKind::UnexpectedEnd,
                _ => ErrorKind::Syntax,
            };
            Failure::new(error.code).of_kind(kind).at_line(at.line, at.col).into()
        };
        let theirs = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            // Reading counts a level of the text up to twice.
            .with_recursion_limit(2 * Self::levels(options));
        let mut from = ron::Deserializer::from_bytes_with_options(input, &theirs)
            .map_err(|error| failed(error, "?"))?;
        let value = seed
            .deserialize(&mut from)
            .map_err(|error| failed(from.span_error(error), from.remainder()))?;
        from.end().map_err(|error| failed(from.span_error(error), "?"))?;
        Ok(value)
    }
}

/// `ciborium`.
pub struct Cbor;

impl SerdeFormat for Cbor {
    const NAME: &'static str = "ciborium";
    const EXTENSIONS: &'static [&'static str] = &["cbor"];

    fn write<T: Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        ciborium::into_writer(value, &mut bytes).map_err(unsupported)?;
        Ok(bytes)
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        options: &Options<'_>,
    ) -> Result<S::Value> {
        use ciborium::de::Error as Theirs;
        let mut rest = input;
        let most = levels(options);
        let whole = ciborium::de::from_reader_with_recursion_limit::<Whole, _>(&mut rest, most);
        let at = input.len() - rest.len();
        let whole = whole.map_err(|error| -> Error {
            match error {
                Theirs::Io(_) => ended(at),
                Theirs::Syntax(at) => Failure::new("no CBOR").at_byte(at).into(),
                Theirs::Semantic(from, message) => {
                    Failure::new(message).at_byte(from.unwrap_or(at)).into()
                }
                Theirs::RecursionLimitExceeded => too_deep("nested too deeply").at_byte(at).into(),
            }
        })?;
        if !rest.is_empty() {
            return Err(trailing(at));
        }
        seed.deserialize(whole.deserializer()).map_err(|error| Failure::new(error).into())
    }
}

/// `postcard`.
pub struct Postcard;

impl SerdeFormat for Postcard {
    const NAME: &'static str = "postcard";
    const EXTENSIONS: &'static [&'static str] = &["postcard"];
    const DESCRIBES: bool = false;

    fn write<T: Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
        postcard::to_stdvec(value).map_err(unsupported)
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        _: &Options<'_>,
    ) -> Result<S::Value> {
        let mut from = postcard::Deserializer::from_bytes(input);
        let outcome = seed.deserialize(&mut from);
        // The rest shows where it stopped.
        let rest = from.finalize().map_err(|error| Error::from(Failure::new(error)))?;
        let at = input.len() - rest.len();
        match outcome {
            Ok(value) if rest.is_empty() => Ok(value),
            Ok(_) => Err(trailing(at)),
            Err(postcard::Error::DeserializeUnexpectedEnd) => Err(ended(at)),
            Err(error) => Err(Failure::new(error).at_byte(at).into()),
        }
    }
}

/// `toml`: the root is a struct or a map with text keys, only members can be null, which are then
/// left out, and integers have 64 bits with a sign.
pub struct Toml;

impl SerdeFormat for Toml {
    const NAME: &'static str = "toml";
    const EXTENSIONS: &'static [&'static str] = &["toml"];

    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>> {
        // Its serializer for text serializes some values twice, and ours can be serialized only
        // once.
        let value = toml::Value::try_from(value).map_err(unsupported)?;
        let text = match options.settings().pretty() {
            true => toml::to_string_pretty(&value),
            false => toml::to_string(&value),
        };
        let text = text.map_err(unsupported)?;
        // Its parser has a limit of 80 levels, which only a feature of the crate removes.
        toml::Deserializer::parse(&text).map_err(|error| too_deep(error.message()))?;
        Ok(text.into_bytes())
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        _: &Options<'_>,
    ) -> Result<S::Value> {
        let text = std::str::from_utf8(input)
            .map_err(|error| Error::from(Failure::new(error).at_byte(error.valid_up_to())))?;
        let failed = |error: toml::de::Error| {
            let failure = Failure::new(error.message());
            match error.span() {
                Some(span) => failure.at_byte(span.start),
                None => failure,
            }
        };
        let from = toml::Deserializer::parse(text).map_err(|error| -> Error {
            let at_end = error.span().is_some_and(|span| text[span.start..].trim().is_empty());
            let kind = if at_end { ErrorKind::UnexpectedEnd } else { ErrorKind::Syntax };
            failed(error).of_kind(kind).into()
        })?;
        seed.deserialize(from).map_err(|error| failed(error).into())
    }
}
