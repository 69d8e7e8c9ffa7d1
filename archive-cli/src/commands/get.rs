//! `archive get`.

use std::path::Path;

use archive::Result;
use archive::format::{Backend, Decoder, Encoder as _, Kind};
use archive::json::Json;
use archive::path::Pattern;
use archive::shape::Shape;

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
    // A duplicate of its name may be found after the value.
    let mut one = Vec::new();
    let mut all = 0_u64;
    let read = read(Source::open(&args.file)?, |from| {
        select(from, &pattern, &mut |from, path| {
            if args.json {
                // A part of an array is printed at once, and not kept.
                let value = json(from, false).map_err(|error| in_path(path, error))?;
                let before = if all == 0 { "[\n  " } else { ",\n  " };
                let head = format!(
                    "{before}{{\"path\":{},\"value\":",
                    archive::json::to_string(&path.to_string())?
                );
                let entry = [head.as_bytes(), &value, b"}"].concat();
                all += 1;
                if is_one {
                    one = entry;
                    return Ok(());
                }
                return out.write(&entry);
            }
            let mut line = if args.paths { format!("{path}: ").into_bytes() } else { Vec::new() };
            if args.raw && from.peek()? == Kind::Str {
                line.extend_from_slice(from.str()?.as_bytes());
            } else {
                let pretty = is_one && !args.compact;
                line.append(&mut json(from, pretty).map_err(|error| in_path(path, error))?);
            }
            line.push(b'\n');
            if is_one {
                one = line;
                return Ok(());
            }
            out.write(&line)
        })
    });
    if read.is_ok() {
        out.write(&one)?;
    }
    // Programs get the values before an error, too.
    if args.json && (read.is_ok() || all > 0 && !is_one) {
        out.write(b"\n]\n")?;
    }
    out.finish()?;
    read.map(|()| Outcome::Done)
}

/// Returns the value at the cursor as JSON.
pub fn json(from: &mut dyn Decoder, pretty: bool) -> Result<Vec<u8>> {
    let mut encoder = Json::encoder(&options().pretty(pretty), None);
    encoder.begin_root(&Shape::Any)?;
    Out::new(&mut encoder).pump(from)?;
    encoder.end_root()?;
    Json::finish(encoder)
}
