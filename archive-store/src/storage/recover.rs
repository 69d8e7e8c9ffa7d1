//! [`recover`]: replaces a damaged file by its last export.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use archive_core::__private::os_error;
use archive_core::{Error, ErrorKind, Result};

use super::{Redb, Storage, export_path, files};

/// The result of [`recover`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The new path of the damaged file. `None` if there was no file.
    pub aside: Option<PathBuf>,
    /// The export that replaced it.
    pub export: PathBuf,
}

/// Replaces a damaged store by its [last export](export_path). The damaged file is kept in the same
/// folder, as `campaign.store.damaged`, `campaign.store.damaged-2` and so on. The export keeps its
/// path.
///
/// Nothing is renamed or replaced if the store is not damaged, or if the export is missing or
/// damaged.
///
/// ```
/// use archive::store::storage::{Memory, Redb, export, export_path, recover};
///
/// # fn main() -> archive::Result {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("campaign.store");
/// # export(&Memory::new(), export_path(&path))?;
/// # std::fs::write(&path, b"redb, but no more").unwrap();
/// assert!(Redb::open(&path).is_err());
/// let recovered = recover(&path)?;
/// assert!(recovered.aside.is_some_and(|file| file.ends_with("campaign.store.damaged")));
/// Redb::open(&path)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Io`] if the store is not damaged, or is open; if there is no export; or if a file
/// cannot be written. [`ErrorKind::Syntax`] if the export is damaged.
pub fn recover(path: impl AsRef<Path>) -> Result<Recovered> {
    let path = path.as_ref();
    let has_file = path.exists();
    if has_file {
        match Redb::open(path).and_then(|store| store.check()) {
            Ok(()) => {
                let message = format_args!("{} is not damaged", path.display());
                return Err(Error::new(ErrorKind::Io, message));
            }
            Err(error) if error.kind() != ErrorKind::Syntax => return Err(error),
            Err(_) => {}
        }
    }
    let export = export_path(path);
    Redb::open_read_only(&export)?.check()?;

    let new = files::with_suffix(path, ".new");
    let failed = |error: io::Error| {
        let message = format!("{} cannot be replaced: {}", path.display(), os_error::words(&error));
        Error::with_source(ErrorKind::Io, message, error)
    };
    // A copy would follow a symbolic link of that name.
    files::remove(&new).map_err(failed)?;
    files::copy(&export, &new).map_err(failed)?;
    let aside = if has_file { Some(quarantine(path).map_err(failed)?) } else { None };
    files::replace(&new, path).map_err(failed)?;
    Ok(Recovered { aside, export })
}

/// Gives a file a second, unused name. The caller then renames another file over the first name, so
/// that there is always a store.
fn quarantine(path: &Path) -> io::Result<PathBuf> {
    for number in 1.. {
        let suffix = if number == 1 { ".damaged".into() } else { format!(".damaged-{number}") };
        let aside = files::with_suffix(path, &suffix);
        match fs::hard_link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Some file systems have no hard links.
            Err(_) if aside.exists() => {}
            Err(_) => {
                os_error::again(|| fs::rename(path, &aside), std::thread::sleep)?;
                return Ok(aside);
            }
        }
    }
    unreachable!("there is a number that no file has")
}
