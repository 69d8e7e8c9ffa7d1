//! `archive set`.

use std::io::Read as _;
use std::path::Path;

use archive::path::Pattern;
use archive::{Error, ErrorKind, Result, Value, json};

use crate::args::{Set, Write};
use crate::edit::{Change, apply, apply_to_rows, at_all};
use crate::input::{Input, Joined};
use crate::write_back::write_back;
use crate::{Outcome, output};

/// Changes rows of an object store, or of a copy of it.
fn rows(input: &Input, changes: &[Change], write: &Write) -> Result<Outcome> {
    let Some(store) = &input.path else {
        let message = "an object store is a file with a path, and standard input has none";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let target = write.output.as_deref().unwrap_or(store);
    if target == Path::new("-") {
        let message = "an object store is not written to standard output";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    if target != store {
        output::write(target, &input.original()?)?;
    }
    apply_to_rows(target, changes).map_err(|error| error.in_file(target.display()))?;
    Ok(Outcome::Done)
}

pub fn set(args: &Set) -> Result<Outcome> {
    let pattern = Pattern::parse(&args.path)?;
    let mut text = args.value.clone();
    if text == "-" && args.file != Path::new("-") {
        text.clear();
        std::io::stdin().read_to_string(&mut text).map_err(Error::io)?;
    }
    if args.text {
        text = json::to_string(&text)?;
    }
    let value: Value = json::from_str(&text).map_err(|error| {
        let quoted = json::to_string(&text).unwrap_or_default();
        let message = format_args!(
            "the value is not JSON: {error}. For text, write {quoted} in quotes of the shell, or --text"
        );
        Error::new(error.kind(), message)
    })?;
    let input = Input::open(&args.file)?;
    let changes = at_all(&input, &pattern, &value, &text)?;
    if let Some(Joined::Rows) = input.joined {
        return rows(&input, &changes, &args.write);
    }
    let bytes = apply(&input, &changes)?;
    write_back(&input, bytes, &args.write)?;
    Ok(Outcome::Done)
}
