//! [`Setting`]: a value for all places that a path matches.

use archive::path::Pattern;
use archive::types::Type;
use archive::{Error, Format, Result, Value, json};

use super::{Change, Patched, at_all, change, patch, warn_of_types};
use crate::args::Write;
use crate::input::Input;
use crate::write_back::{Written, write_back};
use crate::{stream, typing};

/// A value for all places that a path matches.
#[derive(Clone)]
pub struct Setting {
    pub pattern: Pattern,
    pub value: Value,
    /// The JSON text of the value, as the user spelled it.
    pub text: String,
    /// Whether the path may end in the name of a member that does not exist yet.
    pub adds: bool,
}

impl Setting {
    /// Returns a setting of a value that is spelled as JSON.
    ///
    /// # Errors
    /// An error if the text is not JSON.
    pub fn parse(pattern: Pattern, text: String, adds: bool) -> Result<Setting> {
        let value = json::from_str::<Value>(&text).and_then(|value| {
            stream::check(Format::Json, text.as_bytes())?;
            Ok(value)
        });
        match value {
            Ok(value) => Ok(Setting { pattern, value, text, adds }),
            Err(error) => {
                let message = format_args!("the value is not JSON: {error}");
                Err(Error::new(error.kind(), message))
            }
        }
    }
}

/// Sets values of a file, and returns how many. If one of them is refused, nothing is written.
///
/// # Errors
/// An error with the path of a value that the types do not allow, and errors of the file.
pub fn set(
    input: &Input,
    settings: &[Setting],
    ty: Option<Type>,
    args: &Write,
) -> Result<(Written, u64)> {
    if let Some(ty) = ty {
        typing::check(input, ty, &changes(input, settings)?)?;
    }
    match patch::set(input, settings)? {
        Patched::Done(bytes, count) => {
            warn_of_types(input);
            Ok((write_back(input, bytes, args)?, count))
        }
        Patched::NeedsTree => {
            let changes = changes(input, settings)?;
            Ok((change(input, &changes, args)?, changes.len() as u64))
        }
    }
}

/// Returns the changes of all settings.
///
/// # Errors
/// As [`at_all`].
pub fn changes(input: &Input, settings: &[Setting]) -> Result<Vec<Change>> {
    let mut all = Vec::new();
    for setting in settings {
        all.append(&mut at_all(input, setting)?);
    }
    Ok(all)
}
