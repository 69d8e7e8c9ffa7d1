//! Names of files next to a store, and files that survive a loss of power.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread::sleep;

use archive_core::__private::os_error::{again, again_to_replace, of_rename};

/// Returns the path of the last export of a store: `campaign.store.export` for `campaign.store`.
///
/// ```
/// use archive::store::storage::export_path;
///
/// assert_eq!(export_path("saves/campaign.store").to_str(), Some("saves/campaign.store.export"));
/// ```
pub fn export_path(path: impl AsRef<Path>) -> PathBuf {
    with_suffix(path.as_ref(), ".export")
}

/// Adds a suffix to the name of a file: `campaign.store.new`.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Renames a file, and replaces another one of that name. The new name survives a loss of power.
pub(super) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let is_read_only = || fs::metadata(to).is_ok_and(|to| to.permissions().readonly());
    let rename = || fs::rename(from, to).map_err(|error| of_rename(error, is_read_only));
    again_to_replace(rename, sleep)?;
    sync_folder(to)
}

/// Copies a file to a path without one. The copy survives a loss of power. It has the permissions
/// of the file, except on Windows, where a read-only file could not be replaced.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = again(|| File::open(from), sleep)?;
    let mut copied = again(|| File::create_new(to), sleep)?;
    io::copy(&mut from, &mut copied)?;
    if cfg!(unix) {
        copied.set_permissions(from.metadata()?.permissions())?;
    }
    copied.sync_all()
}

/// Makes the names in the folder of a file survive a loss of power. Windows does that itself, and
/// does not open folders.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Removes a file, if there is one.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match again(|| fs::remove_file(path), sleep) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns whether a file is one of redb: whether it begins with the signature of redb.
pub(super) fn is_redb(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"redb"
}

/// Returns when a file was written: "2026-11-25 07:13 UTC".
pub(super) fn date(path: &Path) -> io::Result<String> {
    let written = fs::metadata(path)?.modified()?;
    let written = jiff::Timestamp::try_from(written).map_err(io::Error::other)?;
    Ok(written.strftime("%F %H:%M UTC").to_string())
}
