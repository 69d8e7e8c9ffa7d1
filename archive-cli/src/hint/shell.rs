//! Quoting commands for a shell.

#[cfg(test)]
mod tests;

use crate::terminal::is_active;

/// Returns a command of these words, quoted for the shell. Returns `None` if one of them cannot be
/// typed, or if the command reads standard input again.
pub fn line(words: Vec<String>) -> Option<String> {
    let quoted = if cfg!(windows) { for_windows } else { for_unix };
    let is_typed = |word: &String| !word.contains(is_active) && word != "-";
    words.iter().try_fold("archive".to_owned(), |line, word| {
        Some(line + " " + &quoted(word).filter(|_| is_typed(word))?)
    })
}

/// Returns a word that a shell of Unix reads as one.
fn for_unix(word: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:@%+,-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Some(word.to_owned());
    }
    Some(format!("'{}'", word.replace('\'', "'\\''")))
}

/// Returns a word that PowerShell reads as one, and the command prompt as well if there is such a
/// spelling. It is unknown in which of the two the command was typed.
///
/// Returns `None` for words that versions of PowerShell pass to programs in different ways: up to
/// 7.2 it drops empty words, and changes `"`, and a `\` at the end of a word in quotes.
fn for_windows(word: &str) -> Option<String> {
    /// PowerShell takes these for `'`, and the last three for `"`.
    const SINGLE: &str = "'\u{2018}\u{2019}\u{201a}\u{201b}";
    const DOUBLE: &str = "\"\u{201c}\u{201d}\u{201e}";
    let has = |some: &str| word.contains(|c| some.contains(c));
    let is_plain = |c: char| c.is_alphanumeric() || "_.\\/:+-".contains(c);
    // PowerShell breaks `-a.b` and `-a:b` into two words.
    let is_broken = word.starts_with('-') && has(".:");
    if !word.is_empty() && word.chars().all(is_plain) && !is_broken {
        return Some(word.to_owned());
    }
    if word.is_empty() || word.contains('"') || word.ends_with('\\') {
        return None;
    }
    if !has("$`%!^") && !has(DOUBLE) {
        return Some(format!("\"{word}\""));
    }
    let doubled = |c: char| std::iter::repeat_n(c, if SINGLE.contains(c) { 2 } else { 1 });
    let text: String = word.chars().flat_map(doubled).collect();
    Some(format!("'{text}'"))
}
