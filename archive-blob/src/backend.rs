//! [`Blob`]: the format as a whole, and its entry points.

use archive_core::backend::Sink;
use archive_core::{Backend, Body, Loading, Options, Result, Saving, Session, Shape, Source};

use crate::{Decoder, Encoder, detect};

/// The format of ObjectBlob save files, as a [`Backend`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Blob;

impl Backend for Blob {
    const NAME: &'static str = "blob";
    const EXTENSIONS: &'static [&'static str] = &["sav", "blob"];
    const STATIC: bool = false;

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder;
    type Decoder<'r> = Decoder<'r>;

    /// Detects the format without a magic number, by its first fields: a count, the length of a
    /// name that ends with NUL, and a size, none of them larger than the file can hold.
    fn detect(start: &[u8]) -> bool {
        detect::is_plausible(start)
    }

    /// Passes nothing to the sink before the end, because counts and sizes come before the data.
    fn encoder<'w>(_: &Options<'_>, _: Option<Sink<'w>>) -> Encoder {
        Encoder::new()
    }

    fn finish(encoder: Encoder) -> Result<Vec<u8>> {
        encoder.finish()
    }

    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r>> {
        Decoder::new(input, options.settings().limits().nesting())
    }

    fn end(mut decoder: Decoder<'_>) -> Result {
        decoder.end()
    }

    fn save_root<S: Source>(encoder: &mut Encoder, value: S, options: &Options<'_>) -> Result {
        Saving::new(encoder, &mut Session::new(), options).root_erased(&mut { value })
    }

    fn load_root<B: Body>(
        decoder: &mut Decoder<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        Loading::new(decoder, session, options).root_erased(shape, body)
    }
}

archive_core::entry_points!(Blob);
