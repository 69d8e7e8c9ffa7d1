//! Serde's formats, as back ends, and what each of them can do.

use std::fmt::Debug;

use archive::serde::{Failure, SerdeBackend, SerdeFormat, Whole};
use archive::{Blank, Error, ErrorKind, Format, Options, Result, Save};
use serde::Serialize;
use serde::de::DeserializeSeed;

/// Every serde format that is held to the rules of all formats.
pub fn serde_formats() -> Vec<Format> {
    let mut formats = serde_forgiving();
    formats.push(Format::of::<SerdeBackend<RmpArrays>>());
    formats
}

/// Those that find members by name, so that types may change.
pub fn serde_forgiving() -> Vec<Format> {
    vec![
        Format::of::<SerdeBackend<SerdeJson>>(),
        Format::of::<SerdeBackend<RmpNamed>>(),
        Format::of::<SerdeBackend<Cbor>>(),
    ]
}

/// Those that are tested with values of all types, and not with the rest: `ron` has a recursion limit of its own
/// and forgets the names of variants in trees; `postcard` has no names at all and is read once.
pub fn serde_plain() -> Vec<Format> {
    vec![Format::of::<SerdeBackend<Ron>>(), Format::of::<SerdeBackend<Postcard>>()]
}

/// Whether members are found by name.
pub fn finds_names(format: Format) -> bool {
    !["rmp_serde arrays", "postcard"].contains(&format.name())
}

/// Whether errors have positions: `ciborium` is read as a tree, which has none, and `postcard` does not
/// tell where it is.
pub fn tells_positions(format: Format) -> bool {
    !["ciborium", "postcard"].contains(&format.name())
}

/// As [`round_trip`](super::round_trip), in the serde formats.
pub fn serde_round_trip<T>(value: &T)
where
    T: archive::Serialize + Save + Blank + PartialEq + Debug,
{
    let formats = [serde_formats(), serde_plain()].concat();
    super::round_trip_in(&formats, value, &Options::new());
    super::static_use::<SerdeBackend<SerdeJson>, T>(value, &Options::new());
}

fn failure(error: impl std::fmt::Display) -> Error {
    Failure::new(error).into()
}

/// What a format cannot write.
fn unsupported(error: impl std::fmt::Display) -> Error {
    Failure::new(error).of_kind(ErrorKind::Unsupported).into()
}

/// `serde_json`.
pub struct SerdeJson;

impl SerdeFormat for SerdeJson {
    const NAME: &'static str = "serde_json";
    const EXTENSIONS: &'static [&'static str] = &["json"];

    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>> {
        match options.is_pretty() {
            true => serde_json::to_vec_pretty(value).map_err(unsupported),
            false => serde_json::to_vec(value).map_err(unsupported),
        }
    }

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        let failed = |error: serde_json::Error| -> Error {
            let failure = Failure::new(&error).at_line(error.line(), error.column());
            if error.is_eof() { failure.of_kind(ErrorKind::UnexpectedEnd) } else { failure }.into()
        };
        let mut from = serde_json::Deserializer::from_slice(input);
        let value = seed.deserialize(&mut from).map_err(failed)?;
        from.end().map_err(failed)?;
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

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        read_rmp(input, seed)
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

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        read_rmp(input, seed)
    }
}

fn read_rmp<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
    let mut from = rmp_serde::Deserializer::new(std::io::Cursor::new(input));
    match seed.deserialize(&mut from) {
        Err(error) => Err(Failure::new(error).at_byte(from.position() as usize).into()),
        Ok(value) if from.position() == input.len() as u64 => Ok(value),
        Ok(_) => {
            let failure = Failure::new("bytes after the value").of_kind(ErrorKind::TrailingData);
            Err(failure.at_byte(from.position() as usize).into())
        }
    }
}

/// `ron`.
pub struct Ron;

impl SerdeFormat for Ron {
    const NAME: &'static str = "ron";
    const EXTENSIONS: &'static [&'static str] = &["ron"];

    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>> {
        let text = match options.is_pretty() {
            true => ron::ser::to_string_pretty(value, ron::ser::PrettyConfig::new()),
            false => ron::to_string(value),
        };
        text.map(String::into_bytes).map_err(unsupported)
    }

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        let failed = |error: ron::error::SpannedError| -> Error {
            let at = error.span.start;
            Failure::new(error.code).at_line(at.line, at.col).into()
        };
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            .with_recursion_limit(200);
        let mut from =
            ron::Deserializer::from_bytes_with_options(input, &options).map_err(failed)?;
        let value = seed.deserialize(&mut from).map_err(|error| failed(from.span_error(error)))?;
        from.end().map_err(|error| failed(from.span_error(error)))?;
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

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        let mut rest = input;
        let whole: Whole = ciborium::from_reader(&mut rest).map_err(|error| match error {
            ciborium::de::Error::Syntax(offset) => Failure::new(error).at_byte(offset).into(),
            other => failure(other),
        })?;
        if !rest.is_empty() {
            return Err(Failure::new("bytes after the value")
                .of_kind(ErrorKind::TrailingData)
                .into());
        }
        seed.deserialize(whole.deserializer()).map_err(failure)
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

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        let mut from = postcard::Deserializer::from_bytes(input);
        let value = seed.deserialize(&mut from).map_err(failure)?;
        match from.finalize().map_err(failure)? {
            [] => Ok(value),
            _ => Err(Failure::new("bytes after the value").of_kind(ErrorKind::TrailingData).into()),
        }
    }
}

/// `toml`: the root is a struct or a map with text keys, nothing is null but members, which are left out
/// then, and integers have 64 bits with a sign.
pub struct Toml;

impl SerdeFormat for Toml {
    const NAME: &'static str = "toml";
    const EXTENSIONS: &'static [&'static str] = &["toml"];

    fn write<T: Serialize>(value: &T, options: &Options<'_>) -> Result<Vec<u8>> {
        // Its serializer for text serializes some values twice, and ours go only once.
        let value = toml::Value::try_from(value).map_err(unsupported)?;
        let text = match options.is_pretty() {
            true => toml::to_string_pretty(&value),
            false => toml::to_string(&value),
        };
        text.map(String::into_bytes).map_err(unsupported)
    }

    fn read<'de, S: DeserializeSeed<'de>>(input: &'de [u8], seed: S) -> Result<S::Value> {
        let text = std::str::from_utf8(input)
            .map_err(|error| Error::from(Failure::new(error).at_byte(error.valid_up_to())))?;
        let failed = |error: toml::de::Error| -> Error {
            let failure = Failure::new(error.message());
            match error.span() {
                Some(span) => failure.at_byte(span.start).into(),
                None => failure.into(),
            }
        };
        let from = toml::Deserializer::parse(text).map_err(failed)?;
        seed.deserialize(from).map_err(failed)
    }
}
