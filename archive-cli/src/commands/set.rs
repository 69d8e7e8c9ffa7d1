//! `archive set`.

use std::io::Read as _;
use std::path::Path;

use archive::path::Pattern;
use archive::{Error, ErrorKind, Result, json};

use crate::args::Set;
use crate::edit::{self, Setting};
use crate::input::Input;
use crate::write_back::Written;
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
    let setting = Setting::parse(pattern, text, args.add).map_err(|error| {
        let message = format_args!(
            "{}. Text is in double quotes, or --text says that it is text",
            error.message()
        );
        Error::new(error.kind(), message)
    })?;
    let ty = typing::ty(&args.typing)?;
    // Tried again each time another program has replaced the file meanwhile.
    for _ in 0..MAX_TRIES {
        let input = Input::open(&args.file)?;
        let (written, count) = edit::set(&input, std::slice::from_ref(&setting), ty, &args.write)?;
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
