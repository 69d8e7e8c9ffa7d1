//! Error messages: the file, the path, the position, and the line with the mistake.

use std::cell::RefCell;
use std::error::Error as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use archive::error::Position;
use archive::{Error, Value};

use crate::input::utf16;
use crate::json_output;
use crate::terminal::{is_active, safe, safe_lines};

const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default().bold();

/// Returns whether the error is a broken pipe: the reader of the output has closed it.
pub fn is_broken_pipe(error: &Error) -> bool {
    let cause = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints a line to standard error, and ignores errors.
macro_rules! tell {
    ($($text:tt)*) => {{
        let _ = writeln!(anstream::stderr().lock(), $($text)*);
    }};
}

/// Whether messages are JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Makes each message from now on a line of JSON: an object whose only member is `error`, `warning`
/// or `note`.
pub fn use_json() {
    IS_JSON.store(true, Ordering::Relaxed);
}

/// Prints a message as JSON, if that was requested. Returns whether it was.
fn print_json(kind: &str, about: impl FnOnce() -> Value) -> bool {
    let is_json = IS_JSON.load(Ordering::Relaxed);
    if is_json {
        let line = json_output::object([(kind, about())]).to_string();
        tell!("{}", safe(&line));
    }
    is_json
}

/// Prints an error in the arguments to standard error, for programs. Clap prints it for people.
pub fn usage(message: &str) {
    // The usage comes after the first paragraph and the tips.
    let message = message.trim().strip_prefix("error: ").unwrap_or(message);
    let mut paragraphs = message.split("\n\n");
    let first = paragraphs.next().unwrap_or(message);
    let tips = paragraphs.filter_map(|text| text.trim().strip_prefix("tip:"));
    let message = [first]
        .into_iter()
        .chain(tips)
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = message.collect::<Vec<_>>().join("; ");
    print_json("error", || {
        json_output::object([("kind", "Usage".into()), ("message", message.as_str().into())])
    });
}

/// Prints an error to standard error.
pub fn print(error: &Error, hint: Option<&str>) {
    let about = || {
        let hint = json_output::object([("hint", hint.map_or(Value::Null, Value::from))]);
        json_output::extended(json_output::error(error), hint)
    };
    if print_json("error", about) {
        return;
    }
    let message = error.to_string();
    tell!("{RED}error:{RED:#} {}", safe(&message));
    if is_utf16(error) {
        note("the file is UTF-16, and JSON is UTF-8");
    } else if let Some(context) = context(error) {
        tell!("{}", context.trim_end_matches('\n'));
    }
    if let Some(hint) = hint {
        tell!("{BLUE}try:{BLUE:#} {}", safe(hint));
    }
}

/// Returns whether an error is about JSON that is not in the encoding of JSON.
fn is_utf16(error: &Error) -> bool {
    let is_text = matches!(error.position(), Some(Position::Line { line: 1, column: 1..=2 }));
    let file = open(error).filter(|_| is_text);
    let mut start = Vec::new();
    file.is_some_and(|file| file.take(4).read_to_end(&mut start).is_ok()) && utf16(&start).is_some()
}

/// Prints text to standard error.
pub fn say(text: &str) {
    tell!("{}", safe_lines(text));
}

/// Prints a note to standard error.
pub fn note(message: &str) {
    if print_json("note", || json_output::object([("message", message.into())])) {
        return;
    }
    tell!("{BLUE}note:{BLUE:#} {}", safe(message));
}

thread_local! {
    /// The warnings of this thread, if they are kept.
    static KEPT: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs a function, and returns the warnings of this thread in place of printing them.
#[cfg(feature = "view")]
pub fn keep_warnings<R>(run: impl FnOnce() -> R) -> (R, Vec<String>) {
    KEPT.set(Some(Vec::new()));
    let result = run();
    (result, KEPT.take().unwrap_or_default())
}

/// Prints a warning to standard error.
pub fn warn(message: &str) {
    let is_kept = KEPT
        .with_borrow_mut(|kept| kept.as_mut().map(|kept| kept.push(message.to_owned())).is_some());
    if is_kept {
        return;
    }
    if print_json("warning", || json_output::object([("message", message.into())])) {
        return;
    }
    tell!("{YELLOW}warning:{YELLOW:#} {}", safe(message));
}

/// Opens the file of an error again, unless it is a pipe, which would wait for another writer.
fn open(error: &Error) -> Option<File> {
    let file = error.file()?;
    if std::fs::metadata(file).ok()?.is_file() { File::open(file).ok() } else { None }
}

/// Returns an excerpt of the file at the position of an error: a line of text, or bytes.
fn context(error: &Error) -> Option<String> {
    let mut file = open(error)?;
    match error.position()? {
        Position::Line { line, column } => line_of(BufReader::new(file), line, column),
        Position::Offset(offset) => bytes_of(&mut file, offset),
        _ => None,
    }
}

/// The maximum number of characters of a line that are shown.
const WIDTH: usize = 100;

fn line_of(mut text: impl BufRead, line: usize, column: usize) -> Option<String> {
    for _ in 1..line {
        text.skip_until(b'\n').ok()?;
    }
    let start = column.saturating_sub(WIDTH / 2).max(1);
    skip_chars(&mut text, start - 1).ok()?;
    let mut bytes = Vec::new();
    text.take(4 * WIDTH as u64).read_until(b'\n', &mut bytes).ok()?;
    let shown = String::from_utf8_lossy(&bytes);
    let shown = shown.trim_end_matches(['\n', '\r']).chars().take(WIDTH);
    // Each character takes one column.
    let shown: String = shown.map(|c| if is_active(c) { ' ' } else { c }).collect();
    let shown = shown.trim_end();
    let before = " ".repeat(column - start);
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    Some(format!(
        "{margin} {BLUE}|{BLUE:#}\n{BLUE}{number} |{BLUE:#} {shown}\n{margin} {BLUE}|{BLUE:#} {before}{RED}^{RED:#}\n"
    ))
}

/// Skips characters of a line, which may be as long as the file.
fn skip_chars(text: &mut impl BufRead, mut count: usize) -> io::Result<()> {
    let is_first = |byte: u8| byte & 0xc0 != 0x80;
    loop {
        let bytes = text.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        let mut firsts = (0..bytes.len()).filter(|at| is_first(bytes[*at]));
        match firsts.nth(count) {
            Some(len) => {
                text.consume(len);
                return Ok(());
            }
            None => {
                count -= bytes.iter().filter(|byte| is_first(**byte)).count();
                let len = bytes.len();
                text.consume(len);
            }
        }
    }
}

/// The number of bytes on a line.
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
