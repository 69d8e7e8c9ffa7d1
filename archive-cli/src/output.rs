//! Where a command writes to: standard output, a device, or a file that appears when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use archive::{Error, ErrorKind, Result};
use tempfile::{NamedTempFile, SpooledTempFile};

/// The size of the write buffer.
const BUFFER: usize = 256 << 10;

/// Where the bytes of a command go.
pub enum Output {
    Stdout(BufWriter<io::StdoutLock<'static>>),
    /// A pipe or a device, which cannot be replaced.
    Device(BufWriter<File>, PathBuf),
    /// A temporary file, the path that it takes once it is complete, and whether it is synced before that.
    File(BufWriter<NamedTempFile>, PathBuf, bool),
}

impl Output {
    /// Begins a file, or standard output for `-`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn create(path: &Path) -> Result<Output> {
        if path == Path::new("-") {
            return Ok(Output::Stdout(BufWriter::with_capacity(BUFFER, io::stdout().lock())));
        }
        // A link is replaced where it leads to.
        let path = match std::fs::canonicalize(path) {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(failed("create", path, error)),
        };
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
        let file = temporary(&path)?;
        Ok(Output::File(BufWriter::with_capacity(BUFFER, file), path, false))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&mut self, bytes: &[u8]) -> Result {
        let written = match self {
            Output::Stdout(out) => out.write_all(bytes),
            Output::Device(out, _) => out.write_all(bytes),
            Output::File(out, _, _) => out.write_all(bytes),
        };
        written.map_err(|error| failed("write", self.path(), error))
    }

    /// Returns a temporary file in the folder of the output, for parts that are not final yet. Short content
    /// stays in memory.
    pub fn spool(&self) -> SpooledTempFile {
        const SHORT: usize = 4 << 20;
        match self {
            Output::File(_, path, _) => tempfile::spooled_tempfile_in(SHORT, folder_of(path)),
            _ => tempfile::spooled_tempfile(SHORT),
        }
    }

    /// Completes the output. A file has the permissions of the one that it replaces.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(mut self) -> Result {
        let flushed = match &mut self {
            Output::Stdout(out) => out.flush(),
            Output::Device(out, _) => out.flush(),
            Output::File(out, _, _) => out.flush(),
        };
        flushed.map_err(|error| failed("write", self.path(), error))?;
        let Output::File(out, path, is_durable) = self else { return Ok(()) };
        let file = out.into_inner().map_err(|error| failed("write", &path, error.into_error()))?;
        let permissions = match std::fs::metadata(&path) {
            Ok(old) => Some(old.permissions()),
            Err(_) => default_permissions(),
        };
        if let Some(permissions) = permissions {
            let set = file.as_file().set_permissions(permissions);
            set.map_err(|error| failed("write", &path, error))?;
        }
        if is_durable {
            file.as_file().sync_all().map_err(|error| failed("sync", &path, error))?;
        }
        file.persist(&path).map_err(|error| failed("replace", &path, error.error))?;
        Ok(())
    }

    /// Returns the path, for messages.
    fn path(&self) -> &Path {
        match self {
            Output::Stdout(_) => Path::new("standard output"),
            Output::Device(_, path) | Output::File(_, path, _) => path,
        }
    }
}

/// Creates a temporary file that will replace another one.
///
/// # Errors
/// Those of the system.
pub fn temporary(path: &Path) -> Result<NamedTempFile> {
    let file = tempfile::Builder::new().prefix(".archive-").tempfile_in(folder_of(path));
    file.map_err(|error| failed("create", path, error))
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Prints text to standard output. Colours are stripped unless it is a terminal.
///
/// # Errors
/// Those of the system.
pub fn print(text: &str) -> Result {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| failed("write", Path::new("standard output"), error))
}

/// Replaces a file. The old or the new one survives a loss of power.
///
/// # Errors
/// Those of the system.
pub fn replace(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    if let Output::File(_, _, is_durable) = &mut output {
        *is_durable = true;
    }
    output.write(bytes)?;
    output.finish()
}

/// Writes a whole file, or standard output for `-`.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    output.write(bytes)?;
    output.finish()
}

/// Returns the permissions of a new file. Temporary files are for their owner alone.
#[cfg(unix)]
fn default_permissions() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The umask of the process cannot be read without changing it.
    Some(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<std::fs::Permissions> {
    None
}

/// Returns the error for a file that cannot be written.
#[cold]
pub fn failed(action: &str, path: &Path, error: io::Error) -> Error {
    let message = format!("cannot {action} {}: {error}", path.display());
    Error::with_source(ErrorKind::Io, message, error)
}
