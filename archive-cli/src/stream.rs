//! [`hand_on`]: hands a file on value by value. Long JSON is read through a window.

use std::io::Read;

use archive::binary::Binary;
use archive::bins;
use archive::format::{Backend, Decoder, Encoder, Shape};
use archive::json::{self, Json};
use archive::msgpack::MessagePack;
use archive::{Error, Format, Result};

use crate::input::{
    Input, Kind, Source, bins_format, is_collection, options, pump_objects, pump_rows,
};
use crate::progress::Progress;
use crate::pump::{Out, Straight};

/// Longer texts are read through a window. Shorter ones are read at once, which is faster.
pub const LONG: u64 = 32 << 20;

/// Hands a whole file on to an encoder, whose root has begun. Checks that nothing follows the root.
///
/// # Errors
/// Those of the file, with its name, and of the encoder.
pub fn hand_on<E: Encoder + ?Sized>(source: Source, to: &mut E) -> Result {
    match (source.kind, &source.path) {
        (Kind::Value(Format::Json), _) if source.len.is_none_or(|len| len > LONG) => {
            long_text(source, to)
        }
        (Kind::Rows, Some(path)) => {
            pump_rows(path, to).map_err(|error| error.in_file(&source.name))
        }
        (Kind::Value(format), _) if format == bins_format() => {
            let name = source.name.clone();
            let objects = source.read_bytes()?;
            let done = if is_collection(&objects) {
                pump_objects(&objects, to)
            } else {
                bins::hand_on(&objects, &options(), to).and_then(|is_done| match is_done {
                    true => Ok(()),
                    // It has variables of base classes.
                    false => bytes(format, &objects, to),
                })
            };
            done.map_err(|error| error.in_file(name))
        }
        _ => whole(&source.load()?, to),
    }
}

/// Hands on a file that is in memory.
///
/// # Errors
/// As [`hand_on`].
pub fn whole<E: Encoder + ?Sized>(input: &Input, to: &mut E) -> Result {
    bytes(input.format, &input.bytes, to).map_err(|error| error.in_file(input.place_of_bytes()))
}

/// Hands on the bytes of a value.
///
/// # Errors
/// Those of the bytes and of the encoder.
pub fn bytes<E: Encoder + ?Sized>(format: Format, bytes: &[u8], to: &mut E) -> Result {
    match format {
        Format::Binary => slice::<Binary, E>(bytes, to),
        Format::Json => slice::<Json, E>(bytes, to),
        Format::MessagePack => slice::<MessagePack, E>(bytes, to),
        other => {
            let mut decoder = other.erased().decoder(bytes, &options())?;
            root(decoder.decoder(), to)?;
            decoder.end()
        }
    }
}

fn slice<F, E>(bytes: &[u8], to: &mut E) -> Result
where
    F: Backend,
    for<'r> F::Decoder<'r>: Straight,
    E: Encoder + ?Sized,
{
    let mut decoder = F::decoder(bytes, &options())?;
    root(&mut decoder, to)?;
    F::end(decoder)
}

fn root<D: Straight + ?Sized, E: Encoder + ?Sized>(from: &mut D, to: &mut E) -> Result {
    from.begin_root(&Shape::Any)?;
    Out::new(to).pump(from)?;
    from.end_root()
}

/// Hands on JSON that is read through a window.
fn long_text<E: Encoder + ?Sized>(source: Source, to: &mut E) -> Result {
    through_window(source, |decoder| root(decoder, to).and_then(|()| decoder.end()))
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
    let depth = options().get_limits().nesting();
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
