//! The types that a file states, and what a conversion does with them.

use std::path::Path;

use archive::binary::columns::{from_rows, has_columns};
use archive::{Format, Result};

use crate::complaint::warn;
use crate::input::{Input, Kind, Source, bins_format, is_collection, options, pump_objects};
use crate::nothing::Nothing;
use crate::output::Output;
use crate::stream;

/// The input of a conversion.
pub enum From {
    /// A file that is not read yet.
    File(Box<Source>),
    /// A file in memory.
    Memory(Box<Input>),
}

/// Copies a value that already has the format of the output, with the types that the file states.
/// JSON states no types, and is printed again. A binary file gets columns if that is requested, and
/// otherwise has none. Returns the input if it must be converted.
pub fn unless_same(
    source: Source,
    to: Format,
    columns: bool,
    output: &mut Output,
) -> Result<Option<From>> {
    let name = source.name.clone();
    let (bytes, name) = match source.kind {
        Kind::Value(Format::Binary) if to == Format::Binary => (source.load()?.bytes, name),
        Kind::Value(format) if format == to && to != Format::Json => (source.read_bytes()?, name),
        Kind::Save => {
            let input = source.load()?;
            if input.format != to || input.joined.is_some() || to == Format::Json {
                return Ok(Some(From::Memory(Box::new(input))));
            }
            let name = input.place_of_bytes();
            (input.bytes, name)
        }
        _ => return Ok(Some(From::File(Box::new(source)))),
    };
    let is_good = match to == bins_format() && is_collection(&bytes) {
        true => pump_objects(&bytes, &mut Nothing),
        false => stream::check(to, &bytes),
    };
    is_good.map_err(|error| error.in_file(&name))?;
    if columns {
        let file = from_rows(&bytes, &options()).map_err(|error| error.in_file(&name))?;
        if !has_columns(&file) {
            warn(&format!("{name} gets no columns: it has no long lists that become shorter"));
        }
        output.write(&file)?;
    } else {
        output.write(&bytes)?;
    }
    Ok(None)
}

/// Warns if a format that states types got values without the types of a program.
pub fn warn_of(to: Format, output: &Path, input: &str) {
    let what = match to {
        Format::Json | Format::MessagePack => return,
        Format::Binary => "does not state the types of a program",
        _ => "has the types that its values show",
    };
    warn(&format!(
        "{} {what}, since {input} is in another format. The program loads it, but `archive set` cannot refuse what the \
         program does not load",
        output.display()
    ));
}
