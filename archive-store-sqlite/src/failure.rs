//! [`Place`]: a store in messages, and the errors of SQLite as those of a storage.

use std::path::Path;

use archive::{Error, ErrorKind};
use rusqlite::ErrorCode;

/// The name of a store in messages.
pub(crate) struct Place {
    pub(crate) name: String,
    is_file: bool,
}

impl Place {
    pub(crate) fn of_file(path: &Path) -> Place {
        Place { name: path.display().to_string(), is_file: true }
    }

    pub(crate) fn of_memory() -> Place {
        Place { name: "SQLite in memory".to_owned(), is_file: false }
    }

    /// Creates the error for a failure.
    #[cold]
    pub(crate) fn explain(&self, failure: rusqlite::Error) -> Error {
        let name = &self.name;
        let (kind, message) = match failure.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                return self.damaged(&failure.to_string());
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
                ErrorKind::Io,
                format!("{name} is open already, in this program or in another one"),
            ),
            Some(ErrorCode::DiskFull) => (
                ErrorKind::Io,
                format!(
                    "{name} cannot be written: the disk is full. Free some space and try again"
                ),
            ),
            Some(ErrorCode::ReadOnly) => {
                (ErrorKind::Io, format!("{name} cannot be written: the file is write-protected"))
            }
            Some(ErrorCode::TooBig) => {
                (ErrorKind::SizeLimit, format!("a row of {name} has more than 1 GB"))
            }
            _ => (ErrorKind::Io, format!("{name}: {failure}")),
        };
        Error::with_source(kind, message, failure)
    }

    /// Creates the error for a file that cannot be opened.
    #[cold]
    pub(crate) fn not_opened(&self, failure: rusqlite::Error) -> Error {
        let name = &self.name;
        let path = Path::new(name);
        let message = match failure.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                let message = format!("{name} is not a store: it is not a SQLite file");
                return Error::with_source(ErrorKind::Syntax, message, failure);
            }
            Some(ErrorCode::CannotOpen) if self.is_file => match path.parent() {
                _ if path.is_dir() => format!("{name} is a folder; a store is a file"),
                Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                    format!("{name}: there is no folder {}", folder.display())
                }
                _ => format!("{name} cannot be opened: {failure}"),
            },
            _ => return self.explain(failure),
        };
        Error::with_source(ErrorKind::Io, message, failure)
    }

    /// Creates the error for a damaged store.
    #[cold]
    pub(crate) fn damaged(&self, what: &str) -> Error {
        Error::new(ErrorKind::Syntax, format_args!("{} is damaged: {what}", self.name))
    }
}
