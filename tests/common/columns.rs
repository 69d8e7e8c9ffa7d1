//! [`AllColumns`]: the binary format in which every list with columns is stored in blocks, however short it is.

use std::borrow::Cow;

use archive::binary::columns::{self, Columns};
use archive::binary::{Decoder, Encoder};
use archive::format::{Backend, Sink, Source};
use archive::shape::Shape;
use archive::tool::{Body, Session};
use archive::{Options, Result};

/// Files with columns, as small values have them.
pub struct AllColumns;

impl Backend for AllColumns {
    const NAME: &'static str = "columns";
    const EXTENSIONS: &'static [&'static str] = &["bin"];
    const TYPED: bool = true;

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder<'w>;
    type Decoder<'r> = Decoder<'r>;

    fn encoder<'w>(options: &Options<'_>, _: Option<Sink<'w>>) -> Encoder<'w> {
        Encoder::with(options)
    }
    fn save_root<S: Source>(to: &mut Encoder<'_>, value: S, options: &Options<'_>) -> Result {
        columns::save_root_of(1, to, value, options)
    }
    fn load_root<B: Body>(
        from: &mut Decoder<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        Columns::load_root(from, shape, body, session, options)
    }
    fn finish(encoder: Encoder<'_>) -> Result<Vec<u8>> {
        let file = encoder.finish()?;
        let options = Options::new().max_depth(1 << 20).max_empty_elements(u64::MAX);
        let rows = columns::to_rows(&file)?;
        let columns = columns::from_rows_of(1, &rows, &options)?.into_owned();
        // Values that were saved in columns directly have the same bytes.
        let is_direct = columns::has_columns(&file);
        assert!(!is_direct || file == columns, "{file:?} is not {columns:?}");
        Ok(columns)
    }
    fn load_unexpanded<B: Body>(
        input: &[u8],
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        Columns::load_unexpanded(input, shape, body, session, options)
    }
    fn expand<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Cow<'r, [u8]>> {
        Columns::expand(input, options)
    }
    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r>> {
        Columns::decoder(input, options)
    }
    fn end(decoder: Decoder<'_>) -> Result {
        Columns::end(decoder)
    }
}
