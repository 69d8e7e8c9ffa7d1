//! What the tests share: the format as a backend.
#![allow(dead_code, missing_docs, unreachable_pub)] // each test uses a part of it

use archive_binary::{Decoder, Encoder};
use archive_core::backend::Sink;
use archive_core::{Backend, Options, Result};

pub struct Binary;

impl Backend for Binary {
    const NAME: &'static str = "binary";
    const EXTENSIONS: &'static [&'static str] = &["bin"];
    type Output = Vec<u8>;
    type Encoder<'w> = Encoder;
    type Decoder<'r> = Decoder<'r>;

    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"\x8bARC")
    }
    fn encoder<'w>(_: &Options<'_>, _: Option<Sink<'w>>) -> Encoder {
        Encoder::new()
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

/// The data of a file: what stands between header and tables.
pub fn data(file: &[u8]) -> &[u8] {
    let footer = &file[file.len() - 16..];
    let tables = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
    &file[6..file.len() - 16 - tables]
}
