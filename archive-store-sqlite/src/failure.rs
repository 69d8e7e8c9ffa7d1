//! [`Place`]: a store in messages, and the errors of SQLite as those of a storage.

use std::path::{Path, PathBuf};

use archive::{Error, ErrorKind};
use rusqlite::ErrorCode;

/// The name of a store in messages.
pub(crate) struct Place {
    pub(crate) name: String,
    /// The file, if there is one.
    path: Option<PathBuf>,
}

impl Place {
    pub(crate) fn of_file(path: &Path) -> Place {
        Place { name: path.display().to_string(), path: Some(path.to_owned()) }
    }

    pub(crate) fn of_memory() -> Place {
        Place { name: "SQLite in memory".to_owned(), path: None }
    }

    /// Creates the error for a failure.
    #[cold]
    pub(crate) fn explain(&self, failure: rusqlite::Error) -> Error {
        let name = &self.name;
        let (kind, message) = match failure.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                (ErrorKind::Syntax, format!("{name} is damaged: {failure}"))
            }
            Some(ErrorCode::DatabaseBusy) => (
                ErrorKind::Io,
                format!("{name} is open already, in this program or in another one"),
            ),
            Some(ErrorCode::DiskFull) => (
                ErrorKind::Io,
                format!(
                    "{name} cannot be written: the disk is full. Free some space and try again"
                ),
            ),
            Some(ErrorCode::ReadOnly) => return self.read_only(),
            Some(ErrorCode::TooBig) => {
                (ErrorKind::SizeLimit, format!("a row of {name} is larger than 1 GB"))
            }
            _ => (ErrorKind::Io, format!("{name}: {failure}")),
        };
        Error::with_source(kind, message, failure)
    }

    /// Creates the error for a file that cannot be opened.
    #[cold]
    pub(crate) fn not_opened(&self, failure: rusqlite::Error) -> Error {
        let name = &self.name;
        let message = match failure.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                let message = format!("{name} is not a store: it is not a SQLite file");
                return Error::with_source(ErrorKind::Syntax, message, failure);
            }
            Some(ErrorCode::CannotOpen) => match self.path.as_deref() {
                Some(path) if path.is_dir() => format!("{name} is a folder; a store is a file"),
                Some(path) => match path.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                        format!("{name}: there is no folder {}", folder.display())
                    }
                    _ => format!(
                        "{name} cannot be opened: it belongs to another user, or is not a file"
                    ),
                },
                None => return self.explain(failure),
            },
            _ => return self.explain(failure),
        };
        Error::with_source(ErrorKind::Io, message, failure)
    }

    /// Creates the error for a file that cannot be written.
    #[cold]
    pub(crate) fn read_only(&self) -> Error {
        let message = format_args!("{} cannot be written: the file is write-protected", self.name);
        Error::new(ErrorKind::Io, message)
    }

    /// Creates the error for a damaged store.
    #[cold]
    pub(crate) fn damaged(&self, what: &str) -> Error {
        Error::new(ErrorKind::Syntax, format_args!("{} is damaged: {what}", self.name))
    }
}
