//! Names of files beside a store, and files that survive a loss of power.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns where the last export of a store is looked for, beside the store: that of
/// `campaign.store` is `campaign.store.export`.
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

/// Renames a file, over another one if there is one. The new name survives a loss of power.
pub(super) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(to)
}

/// Makes the names in the folder of a file survive a loss of power. Windows does that by itself
/// and does not open folders.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Removes a file, if there is one.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns when a file was written: "2026-11-25 07:13 UTC".
pub(super) fn date(path: &Path) -> io::Result<String> {
    let written = fs::metadata(path)?.modified()?;
    Ok(date_of(written))
}

fn date_of(time: SystemTime) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let minutes = seconds % DAY / 60;
    // Years are counted from March, so that a leap day is the last day of its year.
    let days = seconds / DAY + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::date_of;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_798_761_599, "2026-12-31 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date_of(UNIX_EPOCH + Duration::from_secs(seconds)), date);
        }
    }
}
