//! Each system call fails once: nothing that was saved is lost, and the error names the file and
//! the cause.

mod failing_loads;
mod failing_moves;
mod failing_saves;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::save::{FileSystem, SaveFile};
use archive::{ErrorKind, Format};

use super::failing_system::Failing;
use super::files_of_a_save::{number, numbered, world_in};

/// `EIO`, `ENOSPC` and `EACCES`; on Windows, where a denied call is repeated, write protection
/// instead.
pub(crate) const CODES: [i32; 3] =
    if cfg!(windows) { [BAD_SECTOR, 112, 19] } else { [BAD_SECTOR, 28, 13] };
/// The error of a drive that cannot read: the file counts as damaged.
pub(crate) const BAD_SECTOR: i32 = if cfg!(windows) { 1117 } else { 5 };

/// The failures.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// How many calls of each name.
    pub(crate) calls: BTreeMap<&'static str, u64>,
    /// How many of them ended the operation. The others were not necessary for it.
    pub(crate) errors: u64,
}

/// A folder of a file system that fails.
pub(crate) struct Place {
    system: Failing,
    folder: PathBuf,
    /// Removes the folder in the end.
    _guard: Box<dyn std::any::Any>,
}

impl Place {
    pub(crate) fn new(
        system: impl FileSystem + 'static,
        folder: &Path,
        guard: impl std::any::Any,
    ) -> Place {
        let (system, folder) = (Failing::new(Arc::new(system)), folder.to_owned());
        Place { system, folder, _guard: Box::new(guard) }
    }

    fn file(&self, name: &str) -> SaveFile {
        SaveFile::over(self.system.clone(), self.folder.join(name)).backups(2)
    }

    fn shared(&self) -> Arc<dyn FileSystem> {
        Arc::new(self.system.clone())
    }

    /// Saves the worlds 1, 2 and so on.
    fn save(&self, name: &str, count: u64) {
        for tick in 1..=count {
            self.file(name).save(&numbered(tick), format_of(name)).unwrap();
        }
    }

    /// Creates a file that is not a save.
    fn put(&self, name: &str) {
        let path = self.folder.join(name);
        // Another program may have it open for a moment.
        let mut created = (0..9).find_map(|_| self.system.create(&path, &path).ok()).unwrap();
        created.append(b"half").unwrap();
    }

    /// Returns the names that begin with that, in order.
    fn names(&self, start: &str) -> Vec<String> {
        let mut names = self.system.list(&self.folder).unwrap();
        names.retain(|name| name.starts_with(start));
        names.sort();
        names
    }

    /// Returns the numbers of all worlds under names with that beginning, also in quarantine.
    fn all_numbers(&self, start: &str) -> Vec<u64> {
        let paths = self.names(start).into_iter().map(|name| self.folder.join(name));
        paths.filter_map(|path| number(&world_in(&self.shared(), &path).ok()?.0).ok()).collect()
    }

    /// Runs an operation in which that call fails. Returns its result, and whether there were so
    /// many calls.
    fn run<T>(
        &self,
        fault: (usize, i32),
        tally: &mut Tally,
        run: impl FnOnce() -> archive::Result<T>,
    ) -> Result<(archive::Result<T>, bool), String> {
        self.system.begin(Some(fault));
        let result = run();
        let calls = self.system.calls();
        self.system.begin(None);
        let Some(call) = calls.get(fault.0) else { return Ok((result, false)) };
        *tally.calls.entry(call).or_default() += 1;
        if let Err(error) = &result {
            tally.errors += 1;
            let cause = std::error::Error::source(error);
            let cause = cause.and_then(|cause| cause.downcast_ref::<std::io::Error>());
            let is_named = error.message().contains(&*self.folder.to_string_lossy());
            let is_io = error.kind() == ErrorKind::Io;
            if !is_io || !is_named || cause.and_then(|cause| cause.raw_os_error()) != Some(fault.1)
            {
                return Err(format!("{call}: the error is {error:?}"));
            }
        }
        Ok((result, true))
    }
}

fn format_of(name: &str) -> Format {
    if name.ends_with("json") { Format::Json } else { Format::Binary }
}

/// Makes each call of all operations on saves fail, with each of the codes. A place is empty at
/// first.
///
/// # Errors
/// A description of the fault.
pub(crate) fn all(codes: &[i32], place: &dyn Fn() -> Place) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for &code in codes {
        for (name, case) in
            failing_saves::CASES.iter().chain(failing_loads::CASES).chain(failing_moves::CASES)
        {
            for call in 0.. {
                let place = place();
                match case(&place, (call, code), &mut tally) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        return Err(format!("{name}, call {call} fails with {code}: {error}"));
                    }
                }
            }
        }
    }
    Ok(tally)
}

/// One operation in which a call fails. Returns whether there are so many calls.
type Case = fn(&Place, (usize, i32), &mut Tally) -> Result<bool, String>;
