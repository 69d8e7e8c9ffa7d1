//! A format that is only a tree in the program, as own formats are.

use archive::format::Sink;
use archive::format::{Backend, ValueDecoder, ValueEncoder};
use archive::{Options, Result, Value, binary};

/// The tree, kept as bytes by the binary format.
pub struct Tree;

impl Backend for Tree {
    const NAME: &'static str = "tree";
    const EXTENSIONS: &'static [&'static str] = &[];

    type Output = Vec<u8>;
    type Encoder<'w> = ValueEncoder;
    type Decoder<'r> = ValueDecoder<'static>;

    fn encoder<'w>(_: &Options<'_>, _: Option<Sink<'w>>) -> ValueEncoder {
        ValueEncoder::new()
    }
    fn finish(encoder: ValueEncoder) -> Result<Vec<u8>> {
        binary::to_vec(&encoder.finish()?)
    }
    fn decoder(input: &[u8], _: &Options<'_>) -> Result<ValueDecoder<'static>> {
        Ok(ValueDecoder::owned(binary::from_slice::<Value>(input)?))
    }
    fn end(_: ValueDecoder<'static>) -> Result {
        Ok(())
    }
}
