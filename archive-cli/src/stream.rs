//! [`copy`]: copies a file value by value. Long JSON is read through a window.

use std::io::Read;

use archive::binary::Binary;
use archive::bins;
use archive::format::{Backend, Decoder, Encoder, ValueDecoder};
use archive::json::{self, Json};
use archive::msgpack::MessagePack;
use archive::shape::Shape;
use archive::{Error, Format, Options, Result, Value};

use crate::input::{
    Input, Kind, Source, bins_format, is_collection, options, pump_objects, pump_rows,
};
use crate::nothing::Nothing;
use crate::progress::Progress;
use crate::pump::{Out, Straight};

/// The length from which on text is read through a window. Shorter text is read at once, which is
/// faster.
pub const LONG: u64 = 32 << 20;

/// Copies a whole file to an encoder whose root has begun. Checks that nothing follows the root.
///
/// # Errors
/// Errors of the file, with its name, and of the encoder.
pub fn copy<E: Encoder + ?Sized>(source: Source, out: &mut Out<'_, E>) -> Result {
    match (source.kind, &source.path) {
        (Kind::Value(Format::Json), _) if source.len.is_none_or(|len| len > LONG) => {
            long_text(source, out)
        }
        (Kind::Rows, Some(path)) => {
            pump_rows(path, out.encoder()).map_err(|error| error.in_file(&source.name))
        }
        (Kind::Value(format), _) if format == bins_format() => {
            let name = source.name.clone();
            let objects = source.read_bytes()?;
            let done = if is_collection(&objects) {
                pump_objects(&objects, out.encoder())
            } else {
                bins::hand_on(&objects, &options(), out.encoder()).and_then(|is_done| match is_done
                {
                    true => Ok(()),
                    // It has variables of base classes.
                    false => bytes(format, &objects, out),
                })
            };
            done.map_err(|error| error.in_file(name))
        }
        _ => whole(&source.load()?, out),
    }
}

/// Copies a file in memory.
pub fn whole<E: Encoder + ?Sized>(input: &Input, out: &mut Out<'_, E>) -> Result {
    bytes(input.format, &input.bytes, out).map_err(|error| error.in_file(input.place_of_bytes()))
}

/// Copies a value from its bytes.
pub fn bytes<E: Encoder + ?Sized>(format: Format, bytes: &[u8], out: &mut Out<'_, E>) -> Result {
    match format {
        Format::Binary => slice::<Binary, E>(bytes, out),
        Format::Json => slice::<Json, E>(bytes, out),
        Format::MessagePack => slice::<MessagePack, E>(bytes, out),
        other => {
            let mut decoder = other.erased().decoder(bytes, &options())?;
            root(decoder.decoder(), out)?;
            decoder.end()
        }
    }
}

/// Returns a tree in a format, with its ids.
pub fn written(format: Format, value: &Value, options: &Options<'_>) -> Result<Vec<u8>> {
    let mut encoder = format.erased().encoder(options, None);
    encoder.encoder().begin_root(&Shape::Any)?;
    Out::new(encoder.encoder()).pump(&mut ValueDecoder::new(value))?;
    encoder.encoder().end_root()?;
    encoder.finish()
}

/// Checks the bytes of a value by reading them.
pub fn check(format: Format, of: &[u8]) -> Result {
    bytes(format, of, &mut Out::new(&mut Nothing))
}

fn slice<F, E>(bytes: &[u8], out: &mut Out<'_, E>) -> Result
where
    F: Backend,
    for<'r> F::Decoder<'r>: Straight,
    E: Encoder + ?Sized,
{
    let bytes = F::expand(bytes, &options())?;
    let mut decoder = F::decoder(&bytes, &options())?;
    root(&mut decoder, out)?;
    F::end(decoder)
}

fn root<D: Straight + ?Sized, E: Encoder + ?Sized>(from: &mut D, out: &mut Out<'_, E>) -> Result {
    from.begin_root(&Shape::Any)?;
    out.pump(from)?;
    from.end_root()
}

/// Copies JSON that is read through a window.
fn long_text<E: Encoder + ?Sized>(source: Source, out: &mut Out<'_, E>) -> Result {
    through_window(source, |decoder| root(decoder, out).and_then(|()| decoder.end()))
}

/// Runs a function on a decoder at the root. JSON is read through a window, and only as far as the function
/// reads.
///
/// # Errors
/// Those of the file, with its name, and of the function.
pub fn read(source: Source, visit: impl FnOnce(&mut dyn Decoder) -> Result) -> Result {
    if source.kind != Kind::Value(Format::Json) {
        return source.load()?.read(visit);
    }
    through_window(source, |decoder| {
        decoder.begin_root(&Shape::Any)?;
        visit(decoder)
    })
}

/// Runs a function on a decoder that reads JSON through a window.
fn through_window(
    source: Source,
    visit: impl FnOnce(&mut json::Decoder<'_, json::Window<'_>>) -> Result,
) -> Result {
    let Source { name, start, rest, len, .. } = source;
    let progress = Progress::new(len);
    let mut reader = start.chain(rest);
    let mut read = feed_of(&mut reader);
    let mut feed = |buffer: &mut [u8]| read(buffer).inspect(|count| progress.add(*count));
    let depth = options().settings().limits().nesting();
    let mut decoder = json::Decoder::from_feed(&mut feed, depth).relaxed(true);
    visit(&mut decoder).map_err(|error| error.in_file(name))
}

/// Converts a reader to the feed of a format.
pub fn feed_of(reader: &mut impl Read) -> impl FnMut(&mut [u8]) -> Result<usize> {
    |buffer: &mut [u8]| loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            read => return read.map_err(Error::io),
        }
    }
}
