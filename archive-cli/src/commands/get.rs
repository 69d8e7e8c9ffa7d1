//! `archive get`.

use std::path::Path;

use archive::Result;
use archive::format::{Backend, Decoder, Encoder as _, Kind, Shape};
use archive::json::Json;
use archive::path::Pattern;

use crate::Outcome;
use crate::args::Get;
use crate::input::{Source, options};
use crate::output::Output;
use crate::pump::Out;
use crate::select::{in_path, select};
use crate::stream::read;

pub fn get(args: &Get) -> Result<Outcome> {
    let pattern = Pattern::parse(&args.path)?;
    let is_one = pattern.as_path().is_some();
    let mut out = Output::create(Path::new("-"))?;
    read(Source::open(&args.file)?, |from| {
        select(from, &pattern, &mut |from, path| {
            if args.paths {
                out.write(format!("{path}: ").as_bytes())?;
            }
            if args.raw && from.peek()? == Kind::Str {
                out.write(from.str()?.as_bytes())?;
            } else {
                let pretty = is_one && !args.compact;
                let text = json(from, pretty).map_err(|error| in_path(path, error))?;
                out.write(&text)?;
            }
            out.write(b"\n")
        })
    })?;
    out.finish()?;
    Ok(Outcome::Done)
}

/// Returns the value at the cursor as JSON.
///
/// # Errors
/// Those of the input.
pub fn json(from: &mut dyn Decoder, pretty: bool) -> Result<Vec<u8>> {
    let mut encoder = Json::encoder(&options().pretty(pretty), None);
    encoder.begin_root(&Shape::Any)?;
    Out::new(&mut encoder).pump(from)?;
    encoder.end_root()?;
    Json::finish(encoder)
}
