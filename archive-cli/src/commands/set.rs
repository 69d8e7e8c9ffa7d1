//! `archive set`.

use std::io::Read as _;
use std::path::Path;

use archive::path::Pattern;
use archive::{Error, ErrorKind, Format, Result, Value, json};

use crate::args::Set;
use crate::edit::{Patched, at_all, change, patch, warn_of_types};
use crate::input::Input;
use crate::stream;
use crate::write_back::{Written, write_back};
use crate::{Outcome, output, typing};

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
    let value = json::from_str::<Value>(&text).and_then(|value| {
        stream::check(Format::Json, text.as_bytes())?;
        Ok(value)
    });
    let value = value.map_err(|error| {
        let message = format_args!("the value is not JSON: {error}. Text is in double quotes, or --text says that it is text");
        Error::new(error.kind(), message)
    })?;
    let ty = typing::ty(&args.typing)?;
    // Tried again each time another program has replaced the file meanwhile.
    for _ in 0..MAX_TRIES {
        let input = Input::open(&args.file)?;
        if let Some(ty) = ty {
            typing::check(&input, ty, &at_all(&input, &pattern, &value, &text, args.add)?)?;
        }
        let (written, count) = match patch(&input, &pattern, &value)? {
            Patched::Done(bytes, count) => {
                warn_of_types(&input);
                (write_back(&input, bytes, &args.write)?, count)
            }
            Patched::NeedsTree => {
                let changes = at_all(&input, &pattern, &value, &text, args.add)?;
                (change(&input, &changes, &args.write)?, changes.len() as u64)
            }
        };
        if written == Written::Outdated {
            continue;
        }
        if args.write.json {
            let output = args.write.output.as_deref();
            output::report_change(&input, output, written, [("values", count.into())])?;
        }
        return Ok(Outcome::Done);
    }
    let message = "the file kept changing, so it was not written";
    Err(Error::new(ErrorKind::Io, message).in_file(args.file.display()))
}

/// How often setting a value is tried in a file that keeps changing.
const MAX_TRIES: u32 = 100;
