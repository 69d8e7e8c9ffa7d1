//! The comment above the text when the editor opens again.

use std::path::Path;

use archive::Error;

/// The beginning of each line of such a comment.
const MARK: &str = "//! ";

/// Returns a comment with an error. The position in the message includes the lines of the comment.
pub fn about(error: &Error) -> String {
    let lines = 3;
    let mut message = error.message().to_owned();
    if !error.path().is_empty() {
        message = format!("{}: {message}", error.path());
    }
    if let Some(archive::error::Position::Line { line, column }) = error.position() {
        message += &format!(" at line {} column {column}", line + lines);
    }
    lines_of([
        &format!("error: {message}"),
        "Correct it, and save again.",
        "Leave the file as it is to give up.",
    ])
}

/// Returns a comment for a file that was changed by another program while it was edited.
pub fn about_new(kept: &Path) -> String {
    lines_of([
        "Another program changed the file while it was edited. This is the new file.",
        &format!("Your text is in {}. Edit again, and save.", kept.display()),
        "Leave the file as it is to give up.",
    ])
}

fn lines_of(lines: [&str; 3]) -> String {
    lines.map(|line| format!("{MARK}{}\n", line.replace(char::is_control, " "))).concat()
}

/// Returns the text without such a comment, even if the editor reformatted it: without the comments
/// at the start, up to the last line that still belongs to the comment.
pub fn without<'t>(comment: &str, text: &'t str) -> &'t str {
    let (mut rest, mut ahead) = (text, text);
    while let Some((line, after)) = comment_line(ahead) {
        ahead = after;
        if comment.lines().any(|known| known == line.trim_end_matches('\r')) {
            rest = after;
        }
    }
    rest
}

/// Returns the text below all comments at the start, including those of the user. Errors are only
/// about that part.
pub fn below(mut text: &str) -> &str {
    while let Some((_, after)) = comment_line(text) {
        text = after;
    }
    text
}

fn comment_line(text: &str) -> Option<(&str, &str)> {
    text.split_once('\n').filter(|(line, _)| line.trim_start().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_of_the_user_stays() {
        let comment = lines_of(["a", "b", "c"]);
        assert_eq!(comment, "//! a\n//! b\n//! c\n");
        for (text, expected) in [
            ("//! mine\n{}", "//! mine\n{}"),
            ("//! a\n//! b\n//! c\n//! mine\n{}", "//! mine\n{}"),
            ("//! b\n//! c\n{}", "{}"),
            // An editor may break long lines.
            ("//! a long\n//! line\n//! c\n{}", "{}"),
            ("//! a\n  // b\n//! changed\n{}", "  // b\n//! changed\n{}"),
            ("{}\n//! a\n", "{}\n//! a\n"),
        ] {
            assert_eq!(without(&comment, text), expected);
        }
        assert_eq!(without("", "//! a\n{}"), "//! a\n{}");
        for (text, expected) in [
            ("//! a\n//! changed\n{}\n//! b\n", "{}\n//! b\n"),
            ("  // a\r\n{}", "{}"),
            ("{}", "{}"),
            ("//! a", "//! a"),
            ("", ""),
        ] {
            assert_eq!(below(text), expected);
        }
    }
}
