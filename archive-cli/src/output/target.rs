//! The file that an output replaces: the target of links, and its owner and permissions.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use archive::__private::os_error;
use archive::Result;
use tempfile::NamedTempFile;

use super::failed;
use crate::interrupt::{Guard, guarded};

/// Returns the target of links. The file may be missing.
///
/// # Errors
/// Errors of the system, for example for links that form a circle.
pub fn resolve(path: &Path) -> Result<PathBuf> {
    /// The limit of Linux.
    const MAX_LINKS: u32 = 40;
    match std::fs::canonicalize(path) {
        Ok(path) => return Ok(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed("create", path, error)),
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = std::fs::read_link(&path) else { break };
        path = folder_of(&path).join(next);
    }
    Ok(path)
}

/// Returns whether two paths lead to the same file, through symbolic or hard links.
pub fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let [Ok(one), Ok(other)] = [one, other].map(std::fs::metadata) {
        use std::os::unix::fs::MetadataExt;
        return one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    let both = [one, other].map(std::fs::canonicalize);
    matches!(&both, [Ok(one), Ok(other)] if one == other)
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Creates the temporary file that will replace a file. If there is an old file, only the owner can
/// read the temporary one until it gets the old permissions at the end. Otherwise it has the
/// permissions of a new file.
pub fn temporary(path: &Path) -> Result<(NamedTempFile, Guard)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".archive-");
    #[cfg(unix)]
    if !path.exists() {
        use std::os::unix::fs::PermissionsExt;
        // The system applies the umask.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    guarded(|| builder.tempfile_in(folder_of(path))).map_err(|error| failed("create", path, error))
}

/// Moves a temporary file to its path, replacing an older file. Windows refuses that while another
/// program has the older file open, so it is tried again.
pub fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let mut rest = Some(file);
    let persist = || {
        let Some(file) = rest.take() else { return Ok(()) };
        file.persist(path).map(drop).map_err(|failed| {
            rest = Some(failed.file);
            failed.error
        })
    };
    os_error::again_to_replace(persist, std::thread::sleep)
}

/// Copies the permissions of the replaced file, and its owner and group as far as the system allows
/// that.
pub fn keep_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if new.gid() != old.gid() {
            let _ = fchown(file, None, Some(old.gid()));
        }
        if new.uid() != old.uid() {
            let _ = fchown(file, Some(old.uid()), None);
        }
    }
    file.set_permissions(old.permissions())
}
