//! `archive convert`.

use std::io::Read;
use std::path::Path;

use archive::backend::{Backend, Decoder, Encoder as _, Shape, Sink};
use archive::binary::Binary;
use archive::json::{self, Json};
use archive::msgpack::MessagePack;
use archive::{Error, ErrorKind, Format, Options, Position, Result};

use crate::Outcome;
use crate::args::Convert;
use crate::input::{self, Input, Kind, Source, options, pump_rows};
use crate::output::Output;
use crate::pump::Out;

/// A text that is longer is not kept in memory.
const LONG: u64 = 32 << 20;

pub fn convert(args: &Convert) -> Result<Outcome> {
    let to = match &args.to {
        Some(name) => input::by_name(name)?,
        None if args.output == Path::new("-") => Format::Json,
        None => input::by_path(&args.output)?,
    };
    let source = Source::open(&args.input)?;
    let mut output = Output::create(&args.output)?;
    let writing = options().pretty(args.pretty);
    let rest = {
        let mut sink = |bytes: &[u8]| output.write(bytes);
        let mut conversion = Conversion { to, options: &writing, sink: &mut sink };
        conversion.run(source)?
    };
    output.write(&rest)?;
    if to == Format::Json {
        output.write(b"\n")?;
    }
    output.finish()?;
    Ok(Outcome::Done)
}

struct Conversion<'a> {
    to: Format,
    options: &'a Options<'a>,
    sink: Sink<'a>,
}

impl Conversion<'_> {
    /// Returns the bytes that did not go to the sink.
    fn run(&mut self, source: Source) -> Result<Vec<u8>> {
        match (source.kind, &source.path) {
            (Kind::Value(Format::Json), _) if source.len.is_none_or(|len| len > LONG) => {
                self.long_text(source)
            }
            (Kind::Rows, Some(path)) => {
                let name = source.name.clone();
                let (path, to) = (path.clone(), self.to.erased());
                let mut encoder = to.encoder(self.options, Some(&mut *self.sink));
                encoder.encoder().begin_root(&Shape::Any)?;
                pump_rows(&path, encoder.encoder()).map_err(|error| error.in_file(name))?;
                encoder.encoder().end_root()?;
                encoder.finish()
            }
            _ => self.input(&source.load()?),
        }
    }

    /// Converts JSON that is not in memory as a whole.
    fn long_text(&mut self, source: Source) -> Result<Vec<u8>> {
        let Source { name, start, rest, .. } = source;
        let mut reader = start.chain(rest);
        let mut feed = |buffer: &mut [u8]| loop {
            match reader.read(buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => return read.map_err(Error::io),
            }
        };
        let depth = options().get_limits().nesting();
        // The whole text would be kept if it were relaxed.
        let mut decoder = json::Decoder::from_feed(&mut feed, depth).relaxed(false);
        let written = self.by_format(&mut decoder).and_then(|rest| decoder.end().map(|()| rest));
        written.map_err(|error| match error.kind() {
            ErrorKind::Syntax => strictly(error).in_file(name),
            _ => error.in_file(name),
        })
    }

    fn input(&mut self, input: &Input) -> Result<Vec<u8>> {
        let converted = match input.format {
            Format::Binary => self.slice::<Binary>(&input.bytes),
            Format::Json => self.slice::<Json>(&input.bytes),
            Format::MessagePack => self.slice::<MessagePack>(&input.bytes),
            _ => self.erased(input),
        };
        converted.map_err(|error| error.in_file(&input.name))
    }

    fn erased(&mut self, input: &Input) -> Result<Vec<u8>> {
        let mut decoder = input.format.erased().decoder(&input.bytes, &options())?;
        let rest = self.by_format(decoder.decoder())?;
        decoder.end()?;
        Ok(rest)
    }

    fn slice<F: Backend>(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut decoder = F::decoder(bytes, &options())?;
        let rest = self.by_format(&mut decoder)?;
        F::end(decoder)?;
        Ok(rest)
    }

    /// Hands on the root of a decoder. It is compiled for JSON, to which most files are converted.
    fn by_format<D: Decoder + ?Sized>(&mut self, from: &mut D) -> Result<Vec<u8>> {
        from.begin_root(&Shape::Any)?;
        let rest = if self.to == Format::Json {
            let mut encoder = Json::encoder(self.options, Some(&mut *self.sink));
            encoder.begin_root(&Shape::Any)?;
            Out::new(&mut encoder).pump(from)?;
            encoder.end_root()?;
            Json::finish(encoder)
        } else {
            let mut encoder = self.to.erased().encoder(self.options, Some(&mut *self.sink));
            encoder.encoder().begin_root(&Shape::Any)?;
            Out::new(encoder.encoder()).pump(from)?;
            encoder.encoder().end_root()?;
            encoder.finish()
        };
        from.end_root()?;
        rest
    }
}

/// Says why a long text is read strictly.
#[cold]
fn strictly(error: Error) -> Error {
    let message = format_args!(
        "{} (comments and trailing commas are read in texts of up to {} MiB)",
        error.message(),
        LONG >> 20
    );
    let position = error.position().unwrap_or(Position::Unknown);
    Error::new(error.kind(), message).at(position)
}
