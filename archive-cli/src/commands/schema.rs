//! `archive schema`: the types that a file states, or those observed in it.

mod observed;
mod stated;

use archive::types::SchemaFile;
use archive::{Error, ErrorKind, Format, Result, Value, binary, json};

use crate::args::Schema;
use crate::input::{Input, options};
use crate::json_output::{extended, object};
use crate::terminal::safe_lines;
use crate::{Outcome, output};
use observed::Observed;

pub fn schema(args: &Schema) -> Result<Outcome> {
    let input = Input::open(&args.file)?;
    if args.types {
        return types(&input);
    }
    let (text, value) = if input.format == Format::Binary {
        let types = binary::inspect_types_with(&input.bytes, &options());
        let types = types.map_err(|error| error.in_file(input.place_of_bytes()))?;
        (types.to_string(), stated::as_value(&types))
    } else {
        let mut observed = Observed::default();
        input.read_all(|from| observed.see(from))?;
        (observed.to_string(), object([("observed", observed.as_value())]))
    };
    if args.json {
        let about = object([("file", Value::from(&*input.name)), ("kind", input.kind().into())]);
        output::print_json(&json::to_string_pretty(&extended(about, value))?)?;
    } else {
        output::print(&safe_lines(&text))?;
    }
    Ok(Outcome::Done)
}

/// Prints the types that a file states as a schema.
fn types(input: &Input) -> Result<Outcome> {
    if input.format != Format::Binary {
        let message = "only a binary file states its types";
        return Err(Error::new(ErrorKind::Unsupported, message).in_file(&input.name));
    }
    let file = SchemaFile::of_file(&input.bytes);
    let file = file.map_err(|error| error.in_file(input.place_of_bytes()))?;
    output::print(&safe_lines(&format!("{}\n", json::to_string_pretty(&file)?)))?;
    Ok(Outcome::Done)
}
