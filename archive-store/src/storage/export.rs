//! [`export`]: a copy of a storage, in a file of its own.

use std::io;
use std::path::Path;

use archive_core::__private::os_error;
use archive_core::{Error, ErrorKind, Result};

use super::{Redb, Storage, copy, files};

/// Copies all rows of a storage to a new file, which [`Redb::open`] opens. The file has no unused
/// space. The storage stays open, and is not changed.
///
/// The complete file replaces an older export in one step: after a loss of power there is the old
/// one or the new one. An interrupted export leaves a file whose name ends with `.new`, and the
/// next export replaces it.
///
/// [`export_path`](super::export_path) returns the path at which [`recover`](super::recover) looks
/// for it.
///
/// ```
/// use archive::store::storage::{Changes, Memory, Redb, Storage, export};
///
/// # fn main() -> archive::Result {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("copy.store");
/// let memory = Memory::new();
/// let mut changes = Changes::new();
/// changes.put(b"level", b"7");
/// memory.commit(&changes)?;
///
/// export(&memory, &path)?;
/// assert!(Redb::open(&path)?.get(b"level", &mut |_| Ok(()))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Io`] if the file cannot be written, is not an export, or is an open store; and the
/// errors of the storage. After an error, an older export is unchanged.
pub fn export(from: &dyn Storage, path: impl AsRef<Path>) -> Result {
    let path = path.as_ref();
    let new = files::with_suffix(path, ".new");
    for path in [path, &new] {
        if Redb::is_open(path) {
            let message =
                format_args!("a store is open at {}: export to another file", path.display());
            return Err(Error::new(ErrorKind::Io, message));
        }
    }
    if path.is_file() && !files::is_redb(path) {
        let message =
            format_args!("{} is not an export of a store, so it is not replaced", path.display());
        return Err(Error::new(ErrorKind::Io, message));
    }
    files::remove(&new).map_err(|error| failed(path, error))?;
    let copied = copy_to(from, &new)
        .and_then(|()| files::replace(&new, path).map_err(|error| failed(path, error)));
    if copied.is_err() {
        // The error of the export says more than one of the removal.
        let _ = files::remove(&new);
    }
    copied
}

fn failed(path: &Path, error: io::Error) -> Error {
    let message = format!("{} cannot be written: {}", path.display(), os_error::words(&error));
    Error::with_source(ErrorKind::Io, message, error)
}

/// Copies all rows to a file, and closes it. The file is then durable.
fn copy_to(from: &dyn Storage, path: &Path) -> Result {
    let to = Redb::open(path)?;
    copy(from, &to)?;
    to.compact()?;
    to.close()
}
