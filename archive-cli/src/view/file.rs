//! [`File`]: a file that the page shows, its pending edits, and whether it changes on disk.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};

use archive::{Error, ErrorKind, Result};

use super::Settings;
use super::pending::{Before, Pending};
use crate::commands::get_json;
use crate::complaint::keep_warnings;
use crate::current::Stamp;
use crate::edit;
use crate::input::Input;
use crate::select::select;
use crate::show;
use crate::write_back::Written;

/// A file that the page shows.
pub struct File {
    path: PathBuf,
    loaded: RwLock<Loaded>,
    pending: Mutex<Pending>,
}

#[derive(Default)]
struct Loaded {
    input: Option<Input>,
    /// The stamp of the file that was read last.
    stamp: Option<Stamp>,
    /// How many different contents were read.
    version: u64,
}

/// The result of saving the pending edits.
pub struct Saved {
    /// The number of values that were set.
    pub values: u64,
    pub warnings: Vec<String>,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub fn open(path: &Path) -> Result<File> {
        let file = File::closed(path);
        file.refresh(&mut file.write())?;
        Ok(file)
    }

    /// Returns a file that is read when it is first shown.
    pub fn closed(path: &Path) -> File {
        File { path: path.to_owned(), loaded: RwLock::default(), pending: Mutex::default() }
    }

    /// Frees the memory of the file. The pending edits remain.
    pub fn close(&self) {
        // A file that is being read is closed later.
        if let Ok(mut loaded) = self.loaded.try_write() {
            loaded.input = None;
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Loaded> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a function on the file, which is read again if it has changed on disk. Returns its version, too.
    ///
    /// # Errors
    /// As [`Input::open`], and errors of the function.
    pub fn read<R>(&self, visit: impl FnOnce(&Input) -> Result<R>) -> Result<(u64, R)> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let loaded = match &loaded.input {
            Some(input) if input.has_stamp() => loaded,
            _ => {
                drop(loaded);
                let mut loaded = self.write();
                self.refresh(&mut loaded)?;
                RwLockWriteGuard::downgrade(loaded)
            }
        };
        let Some(input) = &loaded.input else { return Err(Error::custom("the file is closed")) };
        visit(input).map(|result| (loaded.version, result))
    }

    /// Reads the file again if it has changed on disk.
    fn refresh(&self, loaded: &mut Loaded) -> Result {
        if !loaded.input.as_ref().is_some_and(Input::has_stamp) {
            // The old content is freed first.
            loaded.input = None;
            let input = loaded.input.insert(Input::open(&self.path)?);
            if loaded.version == 0 || input.stamp() != loaded.stamp {
                loaded.stamp = input.stamp();
                loaded.version += 1;
            }
        }
        Ok(())
    }

    /// Checks a setting together with the pending ones, and adds it to them. Returns the version of the file, and the
    /// number of values that the setting replaces.
    ///
    /// # Errors
    /// An error with the path of a value that the types do not allow, and errors of the file.
    pub fn set(&self, setting: edit::Setting, settings: &Settings) -> Result<(u64, u64)> {
        let mut pending = self.pending();
        self.check_again(&mut pending, settings)?;
        let all = pending.with(&setting)?;
        let (version, (values, before)) = self
            .read(|input| Ok((edit::check(input, &all, settings.ty)?, before(input, &setting)?)))?;
        pending.add(setting, values, before);
        Ok((version, values))
    }

    /// Checks the pending edits again if the file has changed. Returns the version of the file.
    pub fn check(&self, settings: &Settings) -> Result<u64> {
        self.check_again(&mut self.pending(), settings)
    }

    fn check_again(&self, pending: &mut Pending, settings: &Settings) -> Result<u64> {
        let (version, ()) = self.read(|_| Ok(()))?;
        if pending.version() != version {
            self.read(|input| {
                pending.check(version, |setting| {
                    let values = edit::check(input, std::slice::from_ref(setting), settings.ty)?;
                    Ok((values, before(input, setting)?))
                });
                Ok(())
            })?;
        }
        Ok(version)
    }

    /// Writes the pending edits to the file, all at once. Returns why nothing is written if the file is not the version
    /// that the page has shown, and once if an edited value has become another one on disk.
    ///
    /// # Errors
    /// An error with the path of a value that the types do not allow, and errors of the file and of the system.
    pub fn save(
        &self,
        shown: u64,
        settings: &Settings,
    ) -> Result<std::result::Result<Saved, &'static str>> {
        let mut pending = self.pending();
        let mut loaded = self.write();
        self.refresh(&mut loaded)?;
        let Some(input) = loaded.input.as_ref().filter(|_| loaded.version == shown) else {
            return Ok(Err(CHANGED));
        };
        if pending.take_news() {
            return Ok(Err(OTHER_VALUES));
        }
        let all = pending.all();
        if all.is_empty() {
            return Err(Error::new(ErrorKind::Unsupported, "there are no edits to save"));
        }
        let set = || edit::set(input, &all, settings.ty, &settings.write);
        let (set, warnings) = keep_warnings(set);
        let (written, values) = set?;
        if written == Written::Outdated {
            // Its stamp did not show the change.
            *loaded = Loaded { version: loaded.version, ..Loaded::default() };
            return Ok(Err(CHANGED));
        }
        pending.clear();
        Ok(Ok(Saved { values, warnings }))
    }
}

const CHANGED: &str = "another program has changed the file, so nothing was written: look at your edits, and save again";
const OTHER_VALUES: &str = "some values that you edited have changed on disk, so nothing was written: look at the marked edits, and save again";

/// Returns the values that a setting replaces. A member that it adds has none.
fn before(input: &Input, setting: &edit::Setting) -> Result<Before> {
    let mut hasher = DefaultHasher::new();
    let mut first = None;
    let found = input.read(|from| {
        select(from, &setting.pattern, &mut |from, path| {
            let value = get_json(from, false)?;
            (path, &value).hash(&mut hasher);
            first.get_or_insert(value);
            Ok(())
        })
    });
    if let Err(error) = found
        && !(setting.adds && error.kind() == ErrorKind::NotFound)
    {
        return Err(error);
    }
    let text = String::from_utf8_lossy(&first.unwrap_or_default()).into_owned();
    Ok(Before { hash: hasher.finish(), text: show::cut(&text, 60) })
}
