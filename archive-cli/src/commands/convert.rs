//! `archive convert`.

mod types;

use std::io::{IsTerminal as _, Read as _, Seek as _, Write as _};
use std::path::Path;

use archive::binary::Binary;
use archive::bins::SpoolEncoder;
use archive::format::{self, Backend, Encoder, Pieces};
use archive::json::Json;
use archive::shape::Shape;
use archive::{Error, ErrorKind, Format, Options, Result, Value, blob, msgpack};

use crate::args::Convert;
use crate::input::{self, Kind, Source, options};
use crate::json_output::object;
use crate::output::{Output, failed};
use crate::pieces::InPieces;
use crate::pump::Out;
use crate::stream::{copy, feed_of, whole};
use crate::{Outcome, output};
use types::From;

pub fn convert(args: &Convert) -> Result<Outcome> {
    if args.output.is_dir() {
        let output = args.output.display();
        let message = format_args!("cannot write {output}: it is a directory; name a file in it");
        return Err(Error::new(ErrorKind::Io, message));
    }
    let to = match &args.to {
        Some(name) => input::by_name(name)?,
        None if args.output == Path::new("-") => Format::Json,
        None => input::by_path(&args.output)?,
    };
    if args.columns && to != Format::Binary {
        return Err(needs_types());
    }
    let source = Source::open(&args.input)?;
    if to != Format::Json && args.output == Path::new("-") && std::io::stdout().is_terminal() {
        let message = "the output is binary and would go to a terminal: write it to a file";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    // Only the value would be left of the input.
    if !matches!(source.kind, Kind::Value(_)) {
        output::keep_input(&args.input, &args.output)?;
    }
    let mut output = Output::create(&args.output)?;
    let name = source.name.clone();
    let Some(source) = types::unless_same(source, to, args.columns, &mut output)? else {
        output.finish()?;
        return report(args, to, &name);
    };
    if args.columns {
        return Err(needs_types().in_file(name));
    }
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
            let message = format_args!("cannot convert to {other}");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    }
    output.finish()?;
    types::warn_of(to, &args.output, &name);
    report(args, to, &name)
}

#[cold]
fn needs_types() -> Error {
    let message = "`--columns` needs a binary input that states its types, and a binary output";
    Error::new(ErrorKind::Unsupported, message)
}

/// Prints the result as JSON, for programs.
fn report(args: &Convert, to: Format, name: &str) -> Result<Outcome> {
    if args.json {
        let file = std::fs::metadata(&args.output).ok().filter(|file| file.is_file());
        let about = object([
            ("file", name.into()),
            ("output", args.output.display().to_string().into()),
            ("format", to.name().into()),
            ("size", file.map_or(Value::Null, |file| file.len().into())),
        ]);
        output::report(&args.output, &about)?;
    }
    Ok(Outcome::Done)
}

/// Converts a file to a format that is written in order.
fn in_order<F: Backend>(source: From, output: &mut Output, options: &Options<'_>) -> Result {
    let mut sink = |bytes: &[u8]| output.write(bytes);
    let mut encoder = F::encoder(options, Some(&mut sink));
    root(source, &mut encoder)?;
    let rest = F::finish(encoder)?;
    output.write(&rest)
}

/// Converts a file to a format that stores counts or sizes before the data.
fn in_pieces<E: Pieces>(encoder: E, source: From, output: &mut Output) -> Result {
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
fn bins_file(source: From, output: &mut Output) -> Result {
    let mut spool = output.spool();
    let mut encoder = SpoolEncoder::new(&mut spool);
    root(source, &mut encoder)?;
    encoder.finish(&mut |bytes| output.write(bytes))
}

#[cold]
fn spool_failed(error: std::io::Error) -> Error {
    failed("write", Path::new("a temporary file"), error)
}

fn root<E: Encoder>(source: From, to: &mut E) -> Result {
    to.begin_root(&Shape::Any)?;
    let out = &mut Out::new(to);
    match source {
        From::File(source) => copy(*source, out)?,
        From::Memory(input) => whole(&input, out)?,
    }
    to.end_root()
}
