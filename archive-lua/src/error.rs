//! Errors of Lua as errors of `archive`, and back.

use std::fmt;
use std::sync::Mutex;

use archive::{Error, ErrorKind};

/// An error of `archive` while it is one of Lua.
#[derive(Debug)]
struct Carried(Mutex<Option<Error>>);

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.lock().as_deref() {
            Ok(Some(error)) => error.fmt(f),
            _ => f.write_str("an error that was reported already"),
        }
    }
}

impl std::error::Error for Carried {}

/// An error of `archive` as one of Lua. It keeps its kind and its path.
#[cold]
pub(crate) fn to_lua(error: Error) -> mlua::Error {
    mlua::Error::external(Carried(Mutex::new(Some(error))))
}

/// The error of a script, with the line at which it was thrown, as far as that is known.
pub(crate) fn from_lua(error: &mlua::Error) -> Error {
    match error {
        mlua::Error::CallbackError { traceback, cause } => {
            let error = from_lua(cause);
            match thrown_at(traceback) {
                Some(line) if error.file().is_none() => error.in_file(line),
                _ => error,
            }
        }
        mlua::Error::WithContext { cause, .. } | mlua::Error::BadArgument { cause, .. } => {
            from_lua(cause)
        }
        mlua::Error::ExternalError(cause) => {
            let carried = cause.downcast_ref::<Carried>();
            let error = carried.and_then(|carried| carried.0.lock().ok()?.take());
            error.unwrap_or_else(|| Error::custom(first_line(&cause.to_string())))
        }
        mlua::Error::SyntaxError { message, .. } => {
            Error::new(ErrorKind::Syntax, first_line(message))
        }
        mlua::Error::RuntimeError(message) => match message.strip_prefix(PRELUDE) {
            // An error in C names the line of its caller.
            Some(rest) => {
                let what = first_line(rest).split_once(": ").map_or(rest, |(_, what)| what);
                let error = Error::custom(what);
                thrown_at(message).into_iter().fold(error, |error, line| error.in_file(line))
            }
            None => Error::custom(first_line(message)),
        },
        mlua::Error::MemoryError(_) => {
            Error::new(ErrorKind::SizeLimit, "the scripts take more memory than their limit")
        }
        other => Error::custom(first_line(&other.to_string())),
    }
}

/// The functions around those of Lua's libraries, which are not the script's.
const PRELUDE: &str = "prelude:";

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// Returns the first file and line of a script in a traceback.
fn thrown_at(traceback: &str) -> Option<String> {
    traceback.lines().find_map(|line| {
        let (place, _) = line.trim_start().split_once(": in ")?;
        let (_, number) = place.rsplit_once(':')?;
        let is_line = number.parse::<u32>().is_ok() && !place.starts_with(PRELUDE);
        is_line.then(|| place.to_owned())
    })
}
