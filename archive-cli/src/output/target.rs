//! The file that an output replaces: where a link leads to, and its owner and permissions.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use archive::__private::os_error;
use archive::Result;
use tempfile::NamedTempFile;

use super::failed;
use crate::interrupt::{Guard, guarded};

/// Returns the file to which links lead. It may be absent.
///
/// # Errors
/// Those of the system, such as links that lead to each other.
pub fn resolve(path: &Path) -> Result<PathBuf> {
    /// As many as Linux follows.
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

/// Returns whether two paths lead to one file, through links of both kinds.
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

/// Creates the temporary file that will replace a file. Until then, only its owner can read it if there is
/// an old one, whose permissions it gets in the end. Otherwise it has the permissions of a new file.
pub fn temporary(path: &Path) -> Result<(NamedTempFile, Guard)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".archive-");
    #[cfg(unix)]
    if !path.exists() {
        use std::os::unix::fs::PermissionsExt;
        // The system takes away what the umask forbids.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    guarded(|| builder.tempfile_in(folder_of(path))).map_err(|error| failed("create", path, error))
}

/// Gives a temporary file its path, in the place of an older file. Windows refuses that while another program has the
/// older one open, so it is tried again then.
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

/// Gives a file the permissions of the one that it replaces, and its owner and group as far as the system
/// allows that.
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
