//! `archive convert`.

use std::path::Path;

use archive::backend::{Backend, Encoder as _, Shape};
use archive::json::Json;
use archive::{Format, Result};

use crate::Outcome;
use crate::args::Convert;
use crate::input::{self, Source, options};
use crate::output::Output;
use crate::stream::hand_on;

pub fn convert(args: &Convert) -> Result<Outcome> {
    let to = match &args.to {
        Some(name) => input::by_name(name)?,
        None if args.output == Path::new("-") => Format::Json,
        None => input::by_path(&args.output)?,
    };
    let source = Source::open(&args.input)?;
    let mut output = Output::create(&args.output)?;
    let options = options().pretty(args.pretty);
    let mut sink = |bytes: &[u8]| output.write(bytes);
    let mut rest = if to == Format::Json {
        // Compiled for it, because most files are converted to JSON.
        let mut encoder = Json::encoder(&options, Some(&mut sink));
        encoder.begin_root(&Shape::Any)?;
        hand_on(source, &mut encoder)?;
        encoder.end_root()?;
        Json::finish(encoder)?
    } else {
        let mut encoder = to.erased().encoder(&options, Some(&mut sink));
        encoder.encoder().begin_root(&Shape::Any)?;
        hand_on(source, encoder.encoder())?;
        encoder.encoder().end_root()?;
        encoder.finish()?
    };
    if to == Format::Json {
        rest.push(b'\n');
    }
    output.write(&rest)?;
    output.finish()?;
    Ok(Outcome::Done)
}
