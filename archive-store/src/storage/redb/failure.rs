//! [`Failure`]: why an operation of redb failed, and [`Place`]: the storage in messages.

use std::any::Any;
use std::io;
use std::path::PathBuf;

use archive_core::__private::os_error;
use archive_core::{Error, ErrorKind};

use crate::storage::files;

/// Why an operation failed.
pub(super) enum Failure {
    /// The file cannot be opened.
    Open(io::Error),
    /// An error of redb.
    Redb(redb::Error),
    /// redb panicked with this message.
    Panic(String),
    /// This part of the file is damaged.
    Damaged(String),
    /// The file is a database of another program.
    Foreign,
    /// The file is open for reading only.
    ReadOnly,
}

/// Every error of redb is a failure.
impl<E: Into<redb::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Redb(error.into())
    }
}

/// The name of the storage in messages, and its file if it has one.
pub(super) struct Place {
    pub(super) name: String,
    path: Option<PathBuf>,
}

impl Place {
    pub(super) fn new(name: String, path: Option<PathBuf>) -> Self {
        Place { name, path }
    }

    /// Returns whether there is an export that could replace the file.
    pub(super) fn has_export(&self) -> bool {
        self.path.as_deref().is_some_and(|path| files::export_path(path).is_file())
    }

    /// Creates the error for a failure.
    #[cold]
    pub(super) fn explain(&self, failure: impl Into<Failure>) -> Error {
        let name = &self.name;
        let error = match failure.into() {
            Failure::Open(error) => return self.not_opened(error),
            Failure::Damaged(what) => {
                return Error::new(ErrorKind::Syntax, self.is_damaged(&what));
            }
            Failure::Panic(words) => {
                return Error::new(ErrorKind::Syntax, self.is_damaged(&words));
            }
            Failure::Foreign => {
                let words = format!("{name} is not a store: it is a redb file of another program");
                return Error::new(ErrorKind::Syntax, self.or_damaged(words));
            }
            Failure::ReadOnly => {
                let message =
                    format_args!("{name} is open read-only; `Redb::open` opens it for writing");
                return Error::new(ErrorKind::Io, message);
            }
            Failure::Redb(error) => error,
        };
        let (kind, message) = self.message(&error);
        Error::with_source(kind, message, error)
    }

    fn message(&self, error: &redb::Error) -> (ErrorKind, String) {
        use redb::Error as E;
        let name = &self.name;
        match error {
            E::DatabaseAlreadyOpen => (
                ErrorKind::Io,
                format!("{name} is open already, in this program or in another one"),
            ),
            E::LockProtocolMismatch => (
                ErrorKind::Io,
                format!("{name} is open already, in a program with another version of redb"),
            ),
            E::RepairAborted => (
                ErrorKind::Io,
                format!("{name} was not closed and must be repaired: open it for writing once"),
            ),
            E::TransactionInProgress => {
                (ErrorKind::Borrowed, format!("{name} is in use by a function that reads rows"))
            }
            E::UpgradeRequired(version) => (
                ErrorKind::Unsupported,
                format!(
                    "{name} has version {version} of the file format of redb; this program reads version 3"
                ),
            ),
            E::Corrupted(words) if words.contains("file format version") => {
                (ErrorKind::Unsupported, format!("{name} has a newer file format of redb: {words}"))
            }
            E::Corrupted(words) => (ErrorKind::Syntax, self.is_damaged(words)),
            E::ValueTooLarge(_) => {
                (ErrorKind::SizeLimit, format!("a row of {name} has more than 3 GiB"))
            }
            E::Io(error) => self.io_message(error),
            error => (ErrorKind::Io, format!("{name}: {error}")),
        }
    }

    fn io_message(&self, error: &io::Error) -> (ErrorKind, String) {
        let name = &self.name;
        match os_error::kind(error) {
            io::ErrorKind::InvalidData => match self.path.as_deref().and_then(is_not_redb) {
                Some(words) => (ErrorKind::Syntax, self.or_damaged(words)),
                None => (ErrorKind::Syntax, self.is_damaged(&error.to_string())),
            },
            io::ErrorKind::UnexpectedEof => {
                (ErrorKind::Syntax, self.is_damaged("the file is cut short"))
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (
                ErrorKind::Io,
                format!(
                    "{name} cannot be written: the disk is full. Free some space and try again"
                ),
            ),
            _ => (ErrorKind::Io, format!("{name}: {}", os_error::words(error))),
        }
    }

    fn not_opened(&self, error: io::Error) -> Error {
        let name = &self.name;
        let message = match os_error::kind(&error) {
            io::ErrorKind::IsADirectory => format!("{name} is a folder; a store is a file"),
            io::ErrorKind::NotFound => match self.path.as_deref().and_then(|path| path.parent()) {
                Some(folder) if folder.is_dir() || folder.as_os_str().is_empty() => {
                    format!("there is no file {name}")
                }
                Some(folder) => format!("{name}: there is no folder {}", folder.display()),
                None => format!("there is no file {name}"),
            },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                let is_file = self.path.as_deref().is_some_and(|path| path.is_file());
                let what = if is_file { "the file" } else { "its folder" };
                format!(
                    "{name} cannot be opened for writing: {what} is write-protected, or belongs to another user"
                )
            }
            io::ErrorKind::ResourceBusy => format!("{name} is open in another program"),
            _ => format!("{name} cannot be opened: {}", os_error::words(&error)),
        };
        Error::with_source(ErrorKind::Io, message, error)
    }

    /// Returns the message for a damaged storage, with what can replace its file.
    fn is_damaged(&self, what: &str) -> String {
        let name = &self.name;
        let Some(path) = &self.path else {
            return format!("{name} is damaged: {what}");
        };
        let help = self.replacement().unwrap_or_else(|| {
            let export = files::export_path(path);
            format!("there is no export {} that could replace it", export.display())
        });
        format!("{name} is damaged: {what}; {help}")
    }

    /// Adds the export to the message for a file that does not look like a store. If there is an
    /// export, there was a store.
    fn or_damaged(&self, words: String) -> String {
        match self.replacement() {
            Some(help) => format!("{words}; {help}"),
            None => words,
        }
    }

    /// Names the export that can replace the file, if there is one.
    fn replacement(&self) -> Option<String> {
        let export = files::export_path(self.path.as_deref()?);
        let date = files::date(&export).ok().filter(|_| export.is_file())?;
        Some(format!("the export {} of {date} can replace it (`recover`)", export.display()))
    }
}

/// Describes a file that is not one of redb.
fn is_not_redb(path: &std::path::Path) -> Option<String> {
    use std::io::Read;
    /// Enough to recognize another format.
    const START: u64 = 64;
    let mut start = Vec::new();
    std::fs::File::open(path).ok()?.take(START).read_to_end(&mut start).ok()?;
    let name = path.display();
    if start.starts_with(b"redb") || start.iter().all(|byte| *byte == 0) {
        return None;
    }
    Some(match archive_core::__private::looks_like(&start) {
        Some(format) => format!("{name} is not a store: it looks like {format}"),
        None => format!("{name} is not a store"),
    })
}

/// Returns the message of a panic.
pub(super) fn text_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or(panic.downcast_ref::<&str>().copied());
    words.unwrap_or("a page has wrong contents").to_owned()
}
