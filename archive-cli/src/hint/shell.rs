//! Commands as they are typed in a shell.

use crate::terminal::is_active;

/// Returns a command of these words, quoted for the shell. Returns `None` if one of them cannot be typed, or if
/// it needs standard input once more.
pub fn line(words: Vec<String>) -> Option<String> {
    let is_typed = |word: &String| !word.contains(is_active) && word != "-";
    if !words.iter().all(is_typed) {
        return None;
    }
    let quoted = words.iter().map(|word| quoted(word));
    Some(quoted.fold("archive".to_owned(), |line, word| line + " " + &word))
}

/// Returns a word that a shell reads as one.
#[cfg(not(windows))]
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:@%+,-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Returns a word that PowerShell reads as one.
#[cfg(windows)]
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_.\\/:+-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "''"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_what_was_meant() {
        for word in [
            "a",
            "",
            "two words",
            "it's",
            "$HOME",
            "`x`",
            "a\\b",
            "!x",
            "*",
            "~",
            "#",
            "\"",
            "''",
            "ä→",
            "a=b",
            "=ls",
        ] {
            let script = format!("printf %s {}", quoted(word));
            let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
        assert_eq!(line(vec!["get".into(), "a\nb".into()]), None);
        assert_eq!(line(vec!["get".into(), "-".into()]), None);
    }
}
