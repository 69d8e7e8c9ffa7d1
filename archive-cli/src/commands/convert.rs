//! `archive convert`.

use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use archive::binary::Binary;
use archive::bins::SpoolEncoder;
use archive::format::{self, Backend, Encoder, Pieces, Shape};
use archive::json::Json;
use archive::{Error, ErrorKind, Format, Options, Result, blob, msgpack};

use crate::Outcome;
use crate::args::Convert;
use crate::input::{self, Source, options};
use crate::output::{Output, failed};
use crate::pieces::InPieces;
use crate::stream::{feed_of, hand_on};

pub fn convert(args: &Convert) -> Result<Outcome> {
    let to = match &args.to {
        Some(name) => input::by_name(name)?,
        None if args.output == Path::new("-") => Format::Json,
        None => input::by_path(&args.output)?,
    };
    let source = Source::open(&args.input)?;
    let mut output = Output::create(&args.output)?;
    match to {
        Format::Json => {
            let options = options().pretty(args.pretty);
            in_order::<Json>(source, &mut output, &options)?;
            output.write(b"\n")?;
        }
        Format::Binary => in_order::<Binary>(source, &mut output, &options())?,
        Format::MessagePack => in_pieces(msgpack::Encoder::new(), source, &mut output)?,
        Format::Blob => in_pieces(blob::Encoder::new(), source, &mut output)?,
        Format::Custom(_) => bins_file(source, &mut output)?,
        other => {
            let message = format_args!("nothing is converted to {other}");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    }
    output.finish()?;
    Ok(Outcome::Done)
}

/// Converts a file to a format that is written in order.
fn in_order<F: Backend>(source: Source, output: &mut Output, options: &Options<'_>) -> Result {
    let mut sink = |bytes: &[u8]| output.write(bytes);
    let mut encoder = F::encoder(options, Some(&mut sink));
    root(source, &mut encoder)?;
    let rest = F::finish(encoder)?;
    output.write(&rest)
}

/// Converts a file to a format that stores counts or sizes before the data.
fn in_pieces<E: Pieces>(encoder: E, source: Source, output: &mut Output) -> Result {
    let mut spool = output.spool();
    let mut sink = |bytes: &[u8]| spool.write_all(bytes).map_err(spool_failed);
    let mut encoder = InPieces::new(encoder, &mut sink);
    root(source, &mut encoder)?;
    let (rest, patches) = encoder.encoder.into_pieces()?;
    spool.rewind().map_err(spool_failed)?;
    let mut pieces = spool.chain(&rest[..]);
    format::patch(patches, &mut feed_of(&mut pieces), &mut |bytes| output.write(bytes))
}

/// Converts a file to Bins, which stores objects level by level.
fn bins_file(source: Source, output: &mut Output) -> Result {
    let mut spool = output.spool();
    let mut encoder = SpoolEncoder::new(&mut spool);
    root(source, &mut encoder)?;
    encoder.finish(&mut |bytes| output.write(bytes))
}

#[cold]
fn spool_failed(error: std::io::Error) -> Error {
    failed("write", Path::new("a temporary file"), error)
}

fn root<E: Encoder>(source: Source, to: &mut E) -> Result {
    to.begin_root(&Shape::Any)?;
    hand_on(source, to)?;
    to.end_root()
}
