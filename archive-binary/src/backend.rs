//! [`Binary`]: the format as a whole, and its entry points; [`fingerprint`] and [`bare`] are those of
//! its other profiles.

use archive_core::backend::Sink;
use archive_core::{Backend, Options, Result};

use crate::{Decoder, Encoder, container};

/// The binary format, as a [`Backend`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Binary;

impl Backend for Binary {
    const NAME: &'static str = "binary";
    const EXTENSIONS: &'static [&'static str] = &["bin", "arc"];

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder;
    type Decoder<'r> = Decoder<'r>;

    /// The file begins with the format's magic number.
    fn detect(start: &[u8]) -> bool {
        start.starts_with(&container::MAGIC)
    }

    /// The tables at the end are part of every file, and bodies of objects may be added to the data
    /// until then, so nothing goes to the sink before the end.
    fn encoder<'w>(options: &Options<'_>, _: Option<Sink<'w>>) -> Encoder {
        Encoder::with(options)
    }

    fn finish(encoder: Encoder) -> Result<Vec<u8>> {
        encoder.finish()
    }

    fn output(bytes: Vec<u8>) -> Result<Vec<u8>> {
        Ok(bytes)
    }

    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r>> {
        Decoder::new(input, options)
    }

    fn end(mut decoder: Decoder<'_>) -> Result {
        decoder.end()
    }
}

archive_core::entry_points!(Binary);
