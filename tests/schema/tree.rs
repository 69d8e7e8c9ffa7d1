//! A format of which only the printing and parsing of trees is written, in JSON's text.

use archive::backend::Sink;
use archive::{Backend, Options, Result, Value, ValueDecoder, ValueEncoder};

pub struct Tree;

impl Backend for Tree {
    const NAME: &'static str = "tree";
    const EXTENSIONS: &'static [&'static str] = &["tree"];
    type Output = Vec<u8>;
    type Encoder<'w> = ValueEncoder;
    type Decoder<'r> = ValueDecoder<'static>;

    fn detect(_: &[u8]) -> bool {
        false
    }
    fn encoder(_: &Options<'_>, _: Option<Sink<'_>>) -> ValueEncoder {
        ValueEncoder::new()
    }
    fn finish(encoder: ValueEncoder) -> Result<Vec<u8>> {
        archive::json::to_vec(&encoder.finish()?)
    }
    fn output(bytes: Vec<u8>) -> Result<Vec<u8>> {
        Ok(bytes)
    }
    fn decoder(input: &[u8], options: &Options<'_>) -> Result<ValueDecoder<'static>> {
        Ok(ValueDecoder::owned(archive::json::from_slice_with::<Value>(input, options)?))
    }
    fn end(_: ValueDecoder<'static>) -> Result {
        Ok(())
    }
}
