//! The errors of files. Each names the file.

use std::ffi::OsStr;
use std::fmt::Write;
use std::io;
use std::path::Path;

use archive_core::{Error, ErrorKind};

use crate::system::os_error;

/// A call of the system failed: "cannot sync saves/quick.sav.new: no space left on device".
#[cold]
pub fn io(action: &str, path: &Path, error: io::Error) -> Error {
    let words = os_error::words(&error);
    let mut message = format!("cannot {action} {}: {words}", path.display());
    if words.starts_with(os_error::TOO_LONG) {
        let longest = path.iter().map(OsStr::len).max().unwrap_or_default();
        let length = path.as_os_str().len();
        _ = write!(message, ": the path has {length} bytes, and the longest name in it {longest}");
    }
    Error::with_source(ErrorKind::Io, message, error)
}

/// A folder, a pipe or a device has the name of a save.
#[cold]
pub fn not_a_file(path: &Path) -> Error {
    let message = format!("cannot save: {} is not a regular file", path.display());
    Error::with_source(ErrorKind::Io, message, io::Error::from(io::ErrorKind::InvalidInput))
}

/// A call for a folder failed. The message says so if a file is in its place.
#[cold]
pub fn folder(action: &str, path: &Path, error: io::Error) -> Error {
    match os_error::kind(&error) {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            let path = path.display();
            let message =
                format_args!("cannot {action} {path}: a file is in the place of the folder");
            Error::with_source(ErrorKind::Io, message, error)
        }
        _ => io(action, path, error),
    }
}

/// An error of the value in a file.
#[cold]
pub fn of(path: &Path, error: Error) -> Error {
    error.in_file(path.display())
}

/// The file is damaged.
#[cold]
pub fn damaged(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Syntax, format_args!("{} is damaged: {what}", path.display()))
}

/// Returns whether an error of a save means that its file is damaged, so that another copy of the save
/// helps: bytes have changed or are missing, or the drive cannot read a sector. A value that the
/// program's types refuse is not damage, nor is a file that the process may not read.
///
/// ```
/// use archive::save::{SaveFile, is_damage};
///
/// let error = SaveFile::verify_bytes(b"no save").unwrap_err();
/// assert!(is_damage(&error));
/// ```
pub fn is_damage(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Syntax | ErrorKind::UnexpectedEnd | ErrorKind::TrailingData => true,
        ErrorKind::Io => cause(error).is_some_and(is_bad_sector),
        _ => false,
    }
}

/// Returns whether the error means that there is no file.
pub fn is_absent(error: &Error) -> bool {
    is(error, io::ErrorKind::NotFound)
}

/// Returns whether the error means that the path is not a file, but a folder or a symbolic link to
/// itself (`ELOOP`), for example.
pub fn is_other(error: &io::Error) -> bool {
    let endless = if cfg!(any(target_os = "linux", target_os = "android")) { 40 } else { 62 };
    matches!(os_error::kind(error), io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory)
        || cfg!(unix) && error.raw_os_error() == Some(endless)
}

/// Returns whether the system has reported that kind of error.
pub fn is(error: &Error, kind: io::ErrorKind) -> bool {
    cause(error).is_some_and(|error| os_error::kind(error) == kind)
}

fn cause(error: &Error) -> Option<&io::Error> {
    std::error::Error::source(error)?.downcast_ref()
}

/// Returns whether the drive cannot read a sector: `EIO`, and on Windows `ERROR_CRC` and
/// `ERROR_IO_DEVICE`.
fn is_bad_sector(error: &io::Error) -> bool {
    let codes: &[i32] = if cfg!(windows) { &[23, 1117] } else { &[5] };
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}
