//! Error messages: the file, the path, the position, and the line with the mistake.

use std::error::Error as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use anstyle::{AnsiColor, Style};
use archive::{Error, Position};

use crate::input::utf16;

const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default().bold();

/// Returns whether the error is a broken pipe, which means that the reader of the output has gone.
pub fn is_broken_pipe(error: &Error) -> bool {
    let cause = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error to standard error.
pub fn print(error: &Error) {
    anstream::eprintln!("{RED}error:{RED:#} {error}");
    if is_utf16(error) {
        note("the file is UTF-16, and JSON is UTF-8: `archive repair` converts it");
    } else if let Some(context) = context(error) {
        anstream::eprint!("{context}");
    }
}

/// Returns whether an error is about JSON that is not in the encoding of JSON.
fn is_utf16(error: &Error) -> bool {
    let is_text = matches!(error.position(), Some(Position::Line { line: 1, column: 1..=2 }));
    let file = error.file().filter(|_| is_text).and_then(|file| File::open(file).ok());
    let mut start = Vec::new();
    file.is_some_and(|file| file.take(4).read_to_end(&mut start).is_ok()) && utf16(&start).is_some()
}

/// Prints what may help to standard error.
pub fn note(message: &str) {
    anstream::eprintln!("{BLUE}note:{BLUE:#} {message}");
}

/// Prints a warning to standard error.
pub fn warn(message: &str) {
    anstream::eprintln!("{YELLOW}warning:{YELLOW:#} {message}");
}

/// Returns an excerpt of the file at the position of an error: a line of text, or bytes.
fn context(error: &Error) -> Option<String> {
    let mut file = File::open(error.file()?).ok()?;
    match error.position()? {
        Position::Line { line, column } => line_of(BufReader::new(file), line, column),
        Position::Offset(offset) => bytes_of(&mut file, offset),
        _ => None,
    }
}

/// How many characters of a line are shown.
const WIDTH: usize = 100;

fn line_of(mut text: impl BufRead, line: usize, column: usize) -> Option<String> {
    for _ in 1..line {
        text.skip_until(b'\n').ok()?;
    }
    // A file without line breaks may be long.
    let mut bytes = Vec::new();
    text.take(4 * column as u64 + 4 * WIDTH as u64).read_until(b'\n', &mut bytes).ok()?;
    let shown = String::from_utf8_lossy(&bytes);
    let start = column.saturating_sub(WIDTH / 2);
    let shown: String = shown.chars().skip(start.saturating_sub(1)).take(WIDTH).collect();
    let shown: String =
        shown.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let before = " ".repeat(column - start.max(1));
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    Some(format!(
        "{margin} {BLUE}|{BLUE:#}\n{BLUE}{number} |{BLUE:#} {shown}\n{margin} {BLUE}|{BLUE:#} {before}{RED}^{RED:#}\n"
    ))
}

/// Bytes on a line.
const ROW: u64 = 16;

fn bytes_of(file: &mut File, offset: u64) -> Option<String> {
    let start = offset - offset % ROW;
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(ROW).read_to_end(&mut bytes).ok()?;
    if bytes.is_empty() {
        return None;
    }
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
    let text = |byte: &u8| if (32..127).contains(byte) { *byte as char } else { '.' };
    let text: String = bytes.iter().map(text).collect();
    let number = format!("{start:#x}");
    let margin = " ".repeat(number.len());
    let before = "   ".repeat((offset - start) as usize);
    Some(format!(
        "{margin} {BLUE}|{BLUE:#}\n{BLUE}{number} |{BLUE:#} {hex:48} {text}\n{margin} {BLUE}|{BLUE:#} {before}{RED}^^{RED:#}\n"
    ))
}
