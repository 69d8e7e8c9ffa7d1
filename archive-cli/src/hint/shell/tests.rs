//! Models of how shells parse words, by their documented rules.

use super::*;

const WORDS: [&str; 34] = [
    "a",
    "",
    "two words",
    "it's",
    "$HOME",
    "$7.hp",
    "`x`",
    "a\\b",
    "C:\\two words\\x",
    "ends with\\",
    "C:\\saves\\",
    "!x",
    "*",
    "units[3].hp",
    "[2..5]",
    "~",
    "#",
    "\"",
    "names[\"two words\"]",
    "{\"x\": 3}",
    "''",
    "ä→",
    "a=b",
    "=ls",
    "100%",
    "%PATH%",
    "a^b",
    "(a;b) & c | d > e < f, @g",
    "-a.b",
    "-o",
    "--text",
    "it\u{2019}s $x",
    "\u{201c}quoted\u{201d}",
    "a, b",
];

#[test]
#[cfg(unix)]
fn a_shell_reads_what_was_meant() {
    for word in WORDS {
        let script = format!("printf %s {}", for_unix(word).unwrap());
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
    }
}

#[test]
fn names_that_cannot_be_typed_are_not_hints() {
    assert_eq!(line(vec!["get".into(), "a\nb".into()]), None);
    assert_eq!(line(vec!["get".into(), "-".into()]), None);
    assert!(line(vec!["get".into(), "a b".into()]).is_some());
}

/// Reads a command as PowerShell does, and returns the words that it passes (`about_Parsing`,
/// argument mode, and `about_Quoting_Rules`). `None` for a command that means something else.
fn power_shell(line: &str) -> Option<Vec<(String, bool)>> {
    let is_single = |c: char| "'\u{2018}\u{2019}\u{201a}\u{201b}".contains(c);
    let is_double = |c: char| "\"\u{201c}\u{201d}\u{201e}".contains(c);
    let (mut words, mut rest) = (Vec::new(), line.chars().peekable());
    while let Some(first) = rest.next() {
        if first == ' ' {
            continue;
        }
        let mut word = String::new();
        if is_single(first) || is_double(first) {
            let is_quote = |c: char| if is_single(first) { is_single(c) } else { is_double(c) };
            loop {
                let c = rest.next()?;
                if is_quote(c) {
                    // A doubled quote is one.
                    match rest.next_if(|next| is_quote(*next)) {
                        Some(_) => {}
                        None => break,
                    }
                } else if is_double(first) && "$`".contains(c) {
                    return None;
                }
                word.push(c);
            }
            if rest.peek().is_some_and(|c| *c != ' ') {
                return None;
            }
            words.push((word, true));
            continue;
        }
        let mut next = Some(first);
        while let Some(c) = next {
            // Characters that end a word, or begin an expression, a comment, a splat or a
            // redirection.
            if " '\"`$(){};,|&<>#@%".contains(c) || is_single(c) || is_double(c) {
                return None;
            }
            if first == '-' && ".:".contains(c) {
                return None;
            }
            word.push(c);
            next = rest.next_if(|c| *c != ' ');
        }
        words.push((word, false));
    }
    Some(words)
}

/// The command line that PowerShell makes of words: from 7.3 on, or before.
fn command_line(words: &[(String, bool)], is_new: bool) -> String {
    let mut line = String::new();
    for (word, _) in words {
        let has_space = word.contains([' ', '\t']);
        if is_new {
            let mut word = word.replace('"', "\\\"");
            if has_space && word.ends_with('\\') {
                word.push('\\');
            }
            let quote = if has_space || word.is_empty() { "\"" } else { "" };
            line += &format!("{quote}{word}{quote} ");
        } else if has_space {
            line += &format!("\"{word}\" ");
        } else {
            line += &format!("{word} ");
        }
    }
    line.trim_end().to_owned()
}

/// Reads a command as the command prompt does. `None` if it would replace or end something.
fn prompt(line: &str) -> Option<&str> {
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            '%' | '!' => return None,
            '&' | '|' | '<' | '>' | '^' | '(' | ')' if !is_quoted => return None,
            _ => {}
        }
    }
    Some(line)
}

/// The arguments of a program: the rules of `CommandLineToArgvW`.
fn arguments(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' if !is_quoted => words.extend(word.take()),
            '\\' => {
                let mut count = 1;
                while rest.next_if_eq(&'\\').is_some() {
                    count += 1;
                }
                let is_before = rest.peek() == Some(&'"');
                let word = word.get_or_insert_default();
                *word += &"\\".repeat(if is_before { count / 2 } else { count });
                if is_before && count % 2 == 1 {
                    word.extend(rest.next());
                }
            }
            '"' => {
                word.get_or_insert_default();
                is_quoted = !is_quoted;
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn power_shell_and_the_command_prompt_read_what_was_meant() {
    let (mut both, mut none) = (0, 0);
    for word in WORDS {
        let Some(quoted) = for_windows(word) else {
            none += 1;
            continue;
        };
        let line = format!("archive get {quoted} end");
        let meant = ["archive", "get", word, "end"];
        let words = power_shell(&line).unwrap_or_else(|| panic!("{line}"));
        for is_new in [false, true] {
            assert_eq!(arguments(&command_line(&words, is_new)), meant, "{line}");
        }
        if let Some(line) = prompt(&line)
            && !quoted.starts_with('\'')
        {
            assert_eq!(arguments(line), meant, "{line}");
            both += 1;
        }
    }
    assert!(both > 15 && none < 7, "{both} {none}");
    for (word, expected) in [
        ("units[3].hp", Some("\"units[3].hp\"")),
        ("it's", Some("\"it's\"")),
        ("$7.hp", Some("'$7.hp'")),
        ("it\u{2019}s $x", Some("'it\u{2019}\u{2019}s $x'")),
        ("names[\"a b\"]", None),
        ("", None),
    ] {
        assert_eq!(for_windows(word).as_deref(), expected);
    }
}

/// The words that are left out have no spelling for all versions.
#[test]
fn words_without_a_hint_have_no_spelling() {
    for (quoted, meant) in
        [("'names[\"a b\"]'", "names[\"a b\"]"), ("''", ""), ("'a b\\'", "a b\\")]
    {
        let line = format!("archive get {quoted} end");
        let words = power_shell(&line).unwrap();
        let read = [false, true].map(|is_new| arguments(&command_line(&words, is_new)));
        let expected = ["archive", "get", meant, "end"];
        assert!(read[0] != expected && read[1] == expected, "{quoted}: {read:?}");
    }
}
