//! `archive new`.

use std::path::Path;

use archive::types::Record;
use archive::{Error, ErrorKind, Format, Result};

use crate::args::New;
use crate::input::by_path;
use crate::output::Output;
use crate::{Outcome, typing};

pub fn new(args: &New) -> Result<Outcome> {
    let is_stdout = args.file == Path::new("-");
    if !is_stdout && std::fs::symlink_metadata(&args.file).is_ok() {
        let message = "the file exists, and is not replaced";
        return Err(Error::new(ErrorKind::Io, message).in_file(args.file.display()));
    }
    let format = if is_stdout { Format::Json } else { by_path(&args.file)? };
    let schema = typing::schema(&args.schema)?;
    let record = Record::new(schema.get(&args.ty)?);
    let mut bytes = format.to_vec_with(&record, &typing::options().pretty(true))?;
    if format == Format::Json {
        bytes.push(b'\n');
    }
    let mut output = Output::create(&args.file)?;
    output.write(&bytes)?;
    output.finish()?;
    Ok(Outcome::Done)
}
