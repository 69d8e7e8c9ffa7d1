//! The output of a command: standard output, a device, or a file that gets its name when it is
//! complete.

mod target;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use archive::__private::os_error;
use archive::{Error, ErrorKind, Result, Value, json};
use tempfile::{NamedTempFile, SpooledTempFile};

use crate::complaint::say;
use crate::input::Input;
use crate::interrupt::Guard;
use crate::json_output::{extended, object};
use crate::terminal::Pieces;
use crate::write_back::Written;
pub use target::{folder_of, is_same, keep_attributes, persist, resolve, temporary};

/// The size of the write buffer.
const BUFFER: usize = 256 << 10;

/// The destination of the bytes of a command.
pub enum Output {
    Stdout(BufWriter<io::StdoutLock<'static>>),
    /// Standard output, if it is a terminal.
    Terminal(io::StdoutLock<'static>, Pieces),
    /// A pipe or a device, which cannot be replaced.
    Device(BufWriter<File>, PathBuf),
    File(Temporary),
}

/// An incomplete file.
pub struct Temporary {
    file: BufWriter<NamedTempFile>,
    /// The path that the complete file gets.
    path: PathBuf,
    /// Whether the file is synced before that.
    is_durable: bool,
    guard: Guard,
}

impl Output {
    /// Begins a file, or standard output for `-`.
    pub fn create(path: &Path) -> Result<Output> {
        if path == Path::new("-") {
            let out = io::stdout().lock();
            return Ok(match out.is_terminal() {
                true => Output::Terminal(out, Pieces::default()),
                false => Output::Stdout(BufWriter::with_capacity(BUFFER, out)),
            });
        }
        let path = resolve(path)?;
        match std::fs::metadata(&path) {
            Ok(old) if old.is_dir() => {
                return Err(failed("write", &path, io::ErrorKind::IsADirectory.into()));
            }
            Ok(old) if !old.is_file() => {
                let device = File::options().write(true).open(&path);
                let device = device.map_err(|error| failed("write", &path, error))?;
                return Ok(Output::Device(BufWriter::with_capacity(BUFFER, device), path));
            }
            _ => {}
        }
        let (file, guard) = temporary(&path)?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Output::File(Temporary { file, path, is_durable: false, guard }))
    }

    /// Writes bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result {
        let written = match self {
            Output::Stdout(out) => out.write_all(bytes),
            Output::Terminal(out, pieces) => out.write_all(pieces.push(bytes).as_bytes()),
            Output::Device(out, _) => out.write_all(bytes),
            Output::File(out) => out.file.write_all(bytes),
        };
        written.map_err(|error| failed("write", self.path(), error))
    }

    /// Returns a temporary file in the folder of the output, for parts that are not final yet.
    /// Short content is kept in memory.
    pub fn spool(&self) -> SpooledTempFile {
        const SHORT: usize = 4 << 20;
        match self {
            Output::File(out) => tempfile::spooled_tempfile_in(SHORT, folder_of(&out.path)),
            _ => tempfile::spooled_tempfile(SHORT),
        }
    }

    /// Completes the output. A file gets the permissions of the one that it replaces.
    pub fn finish(mut self) -> Result {
        let flushed = match &mut self {
            Output::Stdout(out) => out.flush(),
            Output::Terminal(out, _) => out.flush(),
            Output::Device(out, _) => out.flush(),
            Output::File(out) => out.file.flush(),
        };
        flushed.map_err(|error| failed("write", self.path(), error))?;
        let Output::File(Temporary { file, path, is_durable, guard }) = self else { return Ok(()) };
        let file = file.into_inner().map_err(|error| failed("write", &path, error.into_error()))?;
        complete(file, &path, is_durable)?;
        drop(guard);
        Ok(())
    }

    /// Returns the path, for messages.
    fn path(&self) -> &Path {
        match self {
            Output::Stdout(_) | Output::Terminal(..) => Path::new("standard output"),
            Output::Device(_, path) => path,
            Output::File(out) => &out.path,
        }
    }
}

/// Gives a temporary file its name, with the permissions of the file that it replaces.
pub fn complete(file: NamedTempFile, path: &Path, is_durable: bool) -> Result {
    if let Ok(old) = std::fs::metadata(path) {
        let kept = keep_attributes(file.as_file(), &old);
        kept.map_err(|error| failed("write", path, error))?;
    }
    if is_durable {
        file.as_file().sync_all().map_err(|error| failed("sync", path, error))?;
    }
    persist(file, path).map_err(|error| failed("replace", path, error))
}

/// Checks that the output of a command would not replace its input.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if both are the same file.
pub fn keep_input(input: &Path, output: &Path) -> Result {
    if output == Path::new("-") || !is_same(input, output) {
        return Ok(());
    }
    let message = "the output would replace the file that is read: write to another file";
    Err(Error::new(ErrorKind::Unsupported, message).in_file(output.display()))
}

/// Prints JSON to standard output.
pub fn print_json(text: &str) -> Result {
    write(Path::new("-"), format!("{text}\n").as_bytes())
}

/// Prints a report about a written file, for programs: to standard error if the file goes to
/// standard output.
pub fn report(target: &Path, about: &Value) -> Result {
    let text = json::to_string_pretty(about)?;
    if target == Path::new("-") {
        say(&text);
        return Ok(());
    }
    print_json(&text)
}

/// As [`report`], for a file that a command has changed.
pub fn report_change<const N: usize>(
    input: &Input,
    output: Option<&Path>,
    written: Written,
    more: [(&str, Value); N],
) -> Result {
    let target = output.or(input.path.as_deref()).unwrap_or(Path::new("-"));
    let about = object([
        ("file", Value::from(&*input.name)),
        ("output", target.display().to_string().into()),
        ("changed", (written == Written::Changed).into()),
    ]);
    report(target, &extended(about, object(more)))
}

/// Prints text to standard output. Colours are stripped unless it is a terminal. Text from files
/// must be [`safe`](crate::terminal::safe).
pub fn print(text: &str) -> Result {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| failed("write", Path::new("standard output"), error))
}

/// Replaces a file. After a loss of power there is the old file or the new one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    if let Output::File(file) = &mut output {
        file.is_durable = true;
    }
    output.write(bytes)?;
    output.finish()
}

/// Writes a whole file, or standard output for `-`.
pub fn write(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    output.write(bytes)?;
    output.finish()
}

/// Returns the error for a file that cannot be written.
#[cold]
pub fn failed(action: &str, path: &Path, error: io::Error) -> Error {
    let message = format!("cannot {action} {}: {}", path.display(), os_error::words(&error));
    Error::with_source(ErrorKind::Io, message, error)
}
