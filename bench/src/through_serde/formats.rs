//! The formats, joined.

use archive::serde_formats::{Failure, SerdeFormat};
use archive::{Options, Result};
use serde::Serialize;
use serde::de::DeserializeSeed;

/// `serde_json`.
pub struct Json;

/// `rmp-serde` with the names of members.
pub struct MessagePack;

impl SerdeFormat for Json {
    const NAME: &'static str = "serde_json";
    const EXTENSIONS: &'static [&'static str] = &["json"];

    fn write<T: Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
        serde_json::to_vec(value).map_err(|error| Failure::new(error).into())
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        _: &Options<'_>,
    ) -> Result<S::Value> {
        let mut from = serde_json::Deserializer::from_slice(input);
        let value = seed.deserialize(&mut from).map_err(Failure::new)?;
        from.end().map_err(Failure::new)?;
        Ok(value)
    }
}

impl SerdeFormat for MessagePack {
    const NAME: &'static str = "rmp-serde, named";
    const EXTENSIONS: &'static [&'static str] = &["mpk"];

    fn write<T: Serialize>(value: &T, _: &Options<'_>) -> Result<Vec<u8>> {
        rmp_serde::to_vec_named(value).map_err(|error| Failure::new(error).into())
    }

    fn read<'de, S: DeserializeSeed<'de>>(
        input: &'de [u8],
        seed: S,
        _: &Options<'_>,
    ) -> Result<S::Value> {
        // As `rmp_serde::from_slice`: text is borrowed from the input.
        let mut from = rmp_serde::Deserializer::from_read_ref(input);
        Ok(seed.deserialize(&mut from).map_err(Failure::new)?)
    }
}
