//! [`MessagePack`]: the format as a whole, and its entry points.
// Why: docs/decisions/json-and-messagepack.md#messagepack-has-no-archive-of-its-own

use archive_core::backend::Sink;
use archive_core::{Backend, Body, Loading, Options, Result, Session, Shape};

use crate::{Decoder, Encoder, detect, message};

/// The MessagePack format, as a [`Backend`].
#[derive(Clone, Copy, Debug, Default)]
pub struct MessagePack;

impl Backend for MessagePack {
    const NAME: &'static str = "msgpack";
    const EXTENSIONS: &'static [&'static str] = &["msgpack", "mpk"];

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder;
    type Decoder<'r> = Decoder<'r>;

    /// Detects MessagePack without a magic number. Every byte of plain text is also a MessagePack
    /// number, so the content must be exactly one value, or the start of one. A single printable
    /// character counts as text.
    fn detect(start: &[u8]) -> bool {
        detect::is_plausible(start)
    }

    /// Sends nothing to the sink before the end, because the number of members of an object is
    /// stored before them but known only after them.
    fn encoder<'w>(_: &Options<'_>, _: Option<Sink<'w>>) -> Encoder {
        Encoder::new()
    }

    fn encoder_in(buffer: Vec<u8>, _: &Options<'_>) -> Encoder {
        Encoder::over(buffer)
    }

    fn finish(encoder: Encoder) -> Result<Vec<u8>> {
        Ok(encoder.into_bytes())
    }

    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r>> {
        message::check_format(input)?;
        Ok(Decoder::new(input, options.settings().limits().nesting()))
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
}

archive_core::entry_points!(MessagePack);
