//! A format of a user's own, over trees.

use archive::backend::Sink;
use archive::{Backend, Options, Result, Value, ValueDecoder, ValueEncoder, json};

pub struct Own;

impl Backend for Own {
    const NAME: &'static str = "own";
    const EXTENSIONS: &'static [&'static str] = &["own"];
    type Output = Vec<u8>;
    type Encoder<'w> = ValueEncoder;
    type Decoder<'r> = ValueDecoder<'static>;

    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"own")
    }
    fn encoder(_: &Options<'_>, _: Option<Sink<'_>>) -> ValueEncoder {
        ValueEncoder::new()
    }
    fn finish(encoder: ValueEncoder) -> Result<Vec<u8>> {
        json::to_vec(&encoder.finish()?)
    }
    fn output(bytes: Vec<u8>) -> Result<Vec<u8>> {
        Ok(bytes)
    }
    fn decoder(input: &[u8], _: &Options<'_>) -> Result<ValueDecoder<'static>> {
        Ok(ValueDecoder::owned(json::from_slice::<Value>(input)?))
    }
    fn end(_: ValueDecoder<'static>) -> Result {
        Ok(())
    }
}
