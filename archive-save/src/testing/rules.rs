//! [`Rules`]: the rules for names and open files, on Unix and on Windows.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::system::os_error;

/// The system whose rules a file system has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    #[default]
    Unix,
    Windows,
}

/// Characters that names cannot contain on Windows, in addition to control characters.
const FORBIDDEN: &str = "<>:\"|?*\\";
/// Names of devices on Windows, with any extension or none.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];
/// The maximum number of UTF-16 units in a name, and in a path. The standard library converts a
/// path of more than 247 units to one without the limit of 260.
const MAX_NAME: usize = 255;
const MAX_PATH: usize = 32_767;

impl Rules {
    pub fn is_windows(self) -> bool {
        self == Rules::Windows
    }

    /// Returns a key that is equal for all ways to write the path of one file.
    ///
    /// # Errors
    /// An error if no file can have that name.
    pub fn key(self, path: &Path) -> io::Result<PathBuf> {
        match self {
            Rules::Unix => Ok(path.to_owned()),
            Rules::Windows if path.to_string_lossy().encode_utf16().count() > MAX_PATH => {
                Err(os_error::windows(os_error::NAME_TOO_LONG))
            }
            Rules::Windows => path.components().map(windows_key).collect(),
        }
    }

    /// Returns the displayed path of a new file.
    pub fn shown(self, path: &Path) -> PathBuf {
        match self {
            Rules::Unix => path.to_owned(),
            Rules::Windows => path
                .components()
                .map(|part| trimmed(&part.as_os_str().to_string_lossy()).to_owned())
                .collect(),
        }
    }
}

/// Names end without dots and spaces.
fn trimmed(name: &str) -> &str {
    let trimmed = name.trim_end_matches(['.', ' ']);
    // The names `.` and `..`.
    if trimmed.is_empty() { name } else { trimmed }
}

fn windows_key(part: Component<'_>) -> io::Result<String> {
    let Component::Normal(name) = part else {
        return Ok(part.as_os_str().to_string_lossy().into_owned());
    };
    let name = name.to_str().ok_or_else(|| os_error::windows(os_error::INVALID_NAME))?;
    let is_forbidden = |c: char| c < ' ' || FORBIDDEN.contains(c);
    if name.contains(is_forbidden) || trimmed(name).ends_with(['.', ' ']) {
        return Err(os_error::windows(os_error::INVALID_NAME));
    }
    if name.encode_utf16().count() > MAX_NAME {
        return Err(os_error::windows(os_error::NAME_TOO_LONG));
    }
    let key = trimmed(name).to_lowercase();
    if is_device(&key) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(key)
}

fn is_device(key: &str) -> bool {
    let stem = key.split('.').next().unwrap_or(key).trim_end_matches(' ');
    DEVICES.contains(&stem)
        || NUMBERED_DEVICES.iter().any(|device| {
            let mut rest = stem.strip_prefix(device).unwrap_or_default().chars();
            let number = rest.next().is_some_and(|c| c.is_ascii_digit() || "¹²³".contains(c));
            number && rest.next().is_none()
        })
}
