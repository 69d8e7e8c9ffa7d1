//! [`Folder`]: a folder with a file for each table, which gets its name when all files are complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use archive::{Error, ErrorKind, Result, Value, json};
use tempfile::TempDir;

use super::Tables;
use crate::interrupt::{Guard, guarded};
use crate::output::{failed, folder_of, resolve};

/// The file that says which file has which table. A folder with it is replaced by the next export.
const INDEX: &str = "_archive_export.json";

pub struct Folder {
    path: PathBuf,
    temporary: TempDir,
    guard: Guard,
    files: Vec<String>,
}

impl Folder {
    /// Begins a folder.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if there is such a folder, and it is neither empty nor an export.
    pub fn begin(path: &Path, extension: &str, tables: &Tables) -> Result<Folder> {
        let path = resolve(path)?;
        check(&path)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".archive-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The system applies the umask.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let created = guarded(|| builder.tempdir_in(folder_of(&path)));
        let (temporary, guard) = created.map_err(|error| failed("create", &path, error))?;
        let files = tables.all.iter().map(|table| format!("{}.{extension}", plain(&table.name)));
        Ok(Folder { path, temporary, guard, files: files.collect() })
    }

    /// Returns the path that the file of a table gets.
    pub fn place(&self, table: usize) -> PathBuf {
        self.path.join(&self.files[table])
    }

    /// Returns the path of the file of a table, until the folder gets its name.
    pub fn path(&self, table: usize) -> PathBuf {
        self.temporary.path().join(&self.files[table])
    }

    /// Creates the file of a table.
    pub fn create(&self, table: usize) -> Result<File> {
        let created = File::create_new(self.path(table));
        created.map_err(|error| failed("create", &self.place(table), error))
    }

    /// Gives the folder its name.
    pub fn finish(self, tables: &Tables) -> Result {
        let names = tables.all.iter().map(|table| Value::from(table.name.as_str()));
        let files = self.files.iter().map(|file| Value::from(file.as_str()));
        let index = files.zip(names).map(|(file, table)| {
            Value::Object(vec![("file".to_owned(), file), ("table".to_owned(), table)])
        });
        let text = json::to_string_pretty(&Value::Array(index.collect()))?;
        let place = self.temporary.path().join(INDEX);
        fs::write(&place, text).map_err(|error| failed("write", &place, error))?;
        check(&self.path)?;
        let replaced = self.replace();
        replaced.map_err(|error| failed("replace", &self.path, error))?;
        drop(self.guard);
        Ok(())
    }

    fn replace(&self) -> io::Result<()> {
        if !self.path.exists() {
            return fs::rename(self.temporary.path(), &self.path);
        }
        // The old folder is removed with this one.
        let (aside, _guard) = guarded(|| tempfile::tempdir_in(folder_of(&self.path)))?;
        let old = aside.path().join("old");
        fs::rename(&self.path, &old)?;
        fs::rename(self.temporary.path(), &self.path).inspect_err(|_| {
            let _ = fs::rename(&old, &self.path);
        })
    }
}

/// Checks that a folder may be replaced.
fn check(path: &Path) -> Result {
    let refuse =
        |message: &str| Err(Error::new(ErrorKind::Unsupported, message).in_file(path.display()));
    if !path.exists() {
        return Ok(());
    }
    if !path.is_dir() {
        return refuse("this is a file: name a folder for the tables");
    }
    let entries = fs::read_dir(path).map_err(|error| failed("read", path, error))?;
    let names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    let is_table = |name: &OsString| {
        let ending = Path::new(name).extension();
        name == INDEX || ending.is_some_and(|ending| ending == "csv" || ending == "parquet")
    };
    if names.is_empty() || path.join(INDEX).is_file() && names.iter().all(is_table) {
        return Ok(());
    }
    refuse("the folder has files that `archive export` did not write: name a new folder")
}

/// Returns a name of a table as the name of a file.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut plain = String::new();
    for c in name.chars() {
        match c {
            c if is_plain(c) => plain.push(c),
            // Not at the start, where it would hide the file.
            '.' if !plain.is_empty() => plain.push(c),
            c => c.to_string().bytes().for_each(|byte| plain += &format!("%{byte:02X}")),
        }
    }
    const LONGEST: usize = 120;
    if plain.len() > LONGEST || is_reserved(&plain) {
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let hash = hasher.finish();
        plain.truncate(plain.floor_char_boundary(LONGEST));
        plain = format!("_{plain}_{hash:016x}");
    }
    plain
}

/// Returns whether Windows has a device of that name.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_numbered = numbered.is_some_and(|rest| rest.len() == 1 && rest != "0");
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL") || is_numbered
}
