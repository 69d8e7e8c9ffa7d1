//! The comment that describes a mistake when the editor opens again.

use archive::Error;

/// How each line of such a comment begins.
const MARK: &str = "//! ";

/// Prepends a comment with the error to a text. The position in the message takes the lines of the comment
/// into account.
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
