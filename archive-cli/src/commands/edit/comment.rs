//! The comment with which a text that has a mistake goes back into the editor.

use archive::Error;

/// How each line of such a comment begins.
const MARK: &str = "//! ";

/// Returns the text after a comment that says what is wrong with it. Positions count the lines of the
/// comment.
pub fn with_comment(text: &str, error: &Error) -> String {
    let lines = 3;
    let mut message = error.message().to_owned();
    if !error.path().is_empty() {
        message = format!("{}: {message}", error.path());
    }
    if let Some(archive::Position::Line { line, column }) = error.position() {
        message += &format!(" at line {} column {column}", line + lines);
    }
    let message = message.replace(['\n', '\r'], " ");
    format!(
        "{MARK}error: {message}\n{MARK}Correct it, and save again.\n{MARK}Leave the file as it is to give up.\n{text}"
    )
}

/// Returns the text without such a comment.
pub fn without_comment(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with(MARK) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}
