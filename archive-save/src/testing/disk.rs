//! The disk of the test double: its content, and the content after a loss of power.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::random::Random;
use super::rules::Rules;
use crate::system::os_error;

/// The number of bytes that a disk writes at once. Any sectors of an interrupted write may survive.
const SECTOR: usize = 512;

/// Files and their names. A file is identified by its number, and still exists when it has no name.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    rules: Rules,
    names: Names,
    files: Vec<Vec<u8>>,
    durable_names: Names,
    durable_files: Vec<Vec<u8>>,
    /// Changes of names that are not synced yet.
    pending: Vec<Change>,
    /// How often each file is open. On Windows an open file cannot be renamed.
    open: BTreeMap<usize, usize>,
    /// Read-only files, which cannot be replaced or removed on Windows.
    read_only: BTreeSet<usize>,
}

/// The displayed form and the file of each name, by the identity of the name.
type Names = BTreeMap<PathBuf, (PathBuf, usize)>;

/// A change of one or two names. Each name then belongs to a file or to none. On Unix a loss of
/// power may leave only the first of two.
type Change = Vec<(PathBuf, Option<usize>)>;

fn absent() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl Disk {
    pub fn new(rules: Rules) -> Disk {
        Disk { rules, ..Disk::default() }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the number of the file with that name.
    pub fn find(&self, path: &Path) -> io::Result<usize> {
        self.names.get(&self.rules.key(path)?).map(|(_, file)| *file).ok_or_else(absent)
    }

    pub fn names(&self) -> impl Iterator<Item = &PathBuf> {
        self.names.values().map(|(shown, _)| shown)
    }

    pub fn file(&mut self, file: usize) -> &mut Vec<u8> {
        &mut self.files[file]
    }

    /// Returns the file of a name that may be replaced or removed.
    pub fn find_free(&self, path: &Path) -> io::Result<usize> {
        let file = self.find(path)?;
        if self.rules.is_windows() && self.open.contains_key(&file) {
            return Err(os_error::windows(os_error::SHARING_VIOLATION));
        }
        if self.rules.is_windows() && self.read_only.contains(&file) {
            return Err(os_error::windows(os_error::ACCESS_DENIED));
        }
        Ok(file)
    }

    pub fn set_read_only(&mut self, file: usize, is_read_only: bool) {
        match is_read_only {
            true => self.read_only.insert(file),
            false => self.read_only.remove(&file),
        };
    }

    /// Opens a file. Each call needs a matching close.
    pub fn open(&mut self, file: usize) {
        *self.open.entry(file).or_default() += 1;
    }

    pub fn close(&mut self, file: usize) {
        if let Some(count) = self.open.get_mut(&file) {
            *count -= 1;
            self.open.retain(|_, count| *count > 0);
        }
    }

    /// Creates an empty file.
    pub fn create(&mut self, path: &Path) -> usize {
        self.files.push(Vec::new());
        self.durable_files.push(Vec::new());
        let file = self.files.len() - 1;
        self.bind(path, Some(file));
        file
    }

    /// Assigns a name to a file, or to none.
    pub fn bind(&mut self, path: &Path, file: Option<usize>) {
        self.change(vec![(path.to_owned(), file)]);
    }

    /// Renames a file.
    pub fn rename(&mut self, file: usize, from: &Path, to: &Path) {
        let mut change = vec![(to.to_owned(), Some(file)), (from.to_owned(), None)];
        // The name differs only in case.
        if self.rules.key(from).ok() == self.rules.key(to).ok() {
            change.reverse();
        }
        self.change(change);
    }

    fn change(&mut self, change: Change) {
        change.iter().for_each(|(path, file)| bind(self.rules, &mut self.names, path, *file));
        self.pending.push(change);
    }

    pub fn sync(&mut self, file: usize) {
        self.durable_files[file].clone_from(&self.files[file]);
    }

    /// Makes changes of names durable: those in the folder, and on Windows all that are in the
    /// journal.
    pub fn sync_folder(&mut self, folder: &Path) {
        let rules = self.rules;
        for change in &mut self.pending {
            let is_here =
                |(path, _): &mut (PathBuf, _)| rules.is_windows() || path.parent() == Some(folder);
            let here = change.extract_if(.., is_here);
            here.for_each(|(path, file)| bind(rules, &mut self.durable_names, &path, file));
        }
        self.pending.retain(|change| !change.is_empty());
    }

    /// Makes everything durable.
    pub fn settle(&mut self) {
        self.pending.clear();
        self.durable_names.clone_from(&self.names);
        self.durable_files.clone_from(&self.files);
    }

    /// Loses the power: none, some or all of the unsynced changes survive. On Windows names are in
    /// a journal, so the first changes survive.
    pub fn lose_power(&mut self, random: &mut Random) {
        let luck = match Luck::any(random) {
            Luck::Anything if self.rules.is_windows() => Luck::Beginning,
            luck => luck,
        };
        let first = random.below(self.pending.len() + 1);
        for (at, change) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            let survives = match luck {
                Luck::Nothing => 0,
                Luck::Beginning if at >= first => 0,
                Luck::Anything => random.below(change.len() + 1),
                _ => change.len(),
            };
            for (path, file) in &change[..survives] {
                bind(self.rules, &mut self.durable_names, path, *file);
            }
        }
        for (written, durable) in self.files.iter().zip(&mut self.durable_files) {
            if written != durable {
                tear(written, durable, random);
            }
        }
        self.names.clone_from(&self.durable_names);
        self.files.clone_from(&self.durable_files);
    }
}

fn bind(rules: Rules, names: &mut Names, path: &Path, file: Option<usize>) {
    let Ok(key) = rules.key(path) else { return };
    match file {
        Some(file) => names.insert(key, (rules.shown(path), file)),
        None => names.remove(&key),
    };
}

/// Which changes survive.
#[derive(Clone, Copy)]
enum Luck {
    Nothing,
    Beginning,
    Anything,
    All,
}

impl Luck {
    fn any(random: &mut Random) -> Luck {
        [Luck::Nothing, Luck::Beginning, Luck::Anything, Luck::All][random.below(4)]
    }
}

/// Leaves the part of a file that survives: any of its sectors, some of them in part. The length
/// may survive without the bytes, which are then zeros.
fn tear(written: &[u8], durable: &mut Vec<u8>, random: &mut Random) {
    let luck = Luck::any(random);
    let len = match luck {
        Luck::Nothing => durable.len(),
        Luck::All => written.len(),
        _ => random.below(written.len() + 1).max(durable.len().min(written.len())),
    };
    durable.resize(len, 0);
    let first = random.below(written.len() + 1);
    for start in (0..len).step_by(SECTOR) {
        let mut end = (start + SECTOR).min(len).min(written.len());
        let survives = match luck {
            Luck::Nothing => false,
            Luck::Beginning => start < first,
            Luck::Anything => random.one_in(2),
            Luck::All => true,
        };
        if survives && start < end {
            if random.one_in(16) && !matches!(luck, Luck::All) {
                end = start + random.below(end - start);
            }
            durable[start..end].copy_from_slice(&written[start..end]);
        }
    }
}
