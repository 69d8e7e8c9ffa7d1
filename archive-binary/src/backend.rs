//! [`Binary`]: the format as a whole, and its entry points; [`fingerprint`] and [`bare`] are those of
//! its other profiles.

use archive_core::backend::Sink;
use archive_core::{Backend, Body, Options, Result, Session, Shape, Source};

use crate::container::Profile;
use crate::{Decoder, Encoder, container, straight};

/// The binary format, as a [`Backend`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Binary;

impl Backend for Binary {
    const NAME: &'static str = "binary";
    const EXTENSIONS: &'static [&'static str] = &["bin", "arc"];

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder<'w>;
    type Decoder<'r> = Decoder<'r>;

    /// The file begins with the format's magic number.
    fn detect(start: &[u8]) -> bool {
        start.starts_with(&container::MAGIC)
    }

    /// A root of a type without pointers, trait objects, hand-written functions and values that describe
    /// themselves goes to the sink as it is written, in parts of 64 KiB or of the largest item. What may
    /// be moved or added to until the end stays in memory until then.
    fn encoder<'w>(options: &Options<'_>, sink: Option<Sink<'w>>) -> Encoder<'w> {
        Encoder::with(options).with_sink(sink)
    }

    fn encoder_in(buffer: Vec<u8>, options: &Options<'_>) -> Encoder<'static> {
        Encoder::for_profile(Profile::Embedded, buffer, options)
    }

    fn save_root<S: Source>(encoder: &mut Encoder<'_>, value: S, options: &Options<'_>) -> Result {
        straight::save_root(encoder, value, options)
    }

    fn load_root<B: Body>(
        decoder: &mut Decoder<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        straight::load_root(decoder, shape, body, session, options)
    }

    fn finish(encoder: Encoder<'_>) -> Result<Vec<u8>> {
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
