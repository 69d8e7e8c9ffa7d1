//! Running the editor of the user.

use std::path::Path;
use std::process::Command;

use archive::{Error, ErrorKind, Result};

use crate::interrupt::with_editor;

/// Opens a file in `$VISUAL`, or `$EDITOR`, and returns when that ends.
///
/// # Errors
/// An error if there is no editor, or if it exits with an error.
pub fn run_editor(file: &Path) -> Result {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let default = if cfg!(windows) { "notepad" } else { "vi" };
    let editor =
        variable("VISUAL").or_else(|| variable("EDITOR")).unwrap_or_else(|| default.into());
    let status = with_editor(|| command(&editor, file).status()).map_err(|error| {
        let message = format!("cannot run the editor {editor}: {error}");
        Error::with_source(ErrorKind::Io, message, error)
    })?;
    if status.success() {
        return Ok(());
    }
    let message = format_args!("the editor {editor} failed ({status}); nothing was changed");
    Err(Error::new(ErrorKind::Io, message))
}

/// The editor may have arguments, so the shell parses it.
#[cfg(unix)]
fn command(editor: &str, file: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file);
    command
}

#[cfg(not(unix))]
fn command(editor: &str, file: &Path) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(file);
    command
}
