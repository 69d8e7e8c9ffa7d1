//! What is on the disk of the double, and what would be there without power.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::random::Random;

/// What a disk writes at once. Of a write that the power interrupts any of these may be there.
const SECTOR: usize = 512;

/// Files, and their names. A file is known by its number, and stays when it has no name.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    names: BTreeMap<PathBuf, usize>,
    files: Vec<Vec<u8>>,
    durable_names: BTreeMap<PathBuf, usize>,
    durable_files: Vec<Vec<u8>>,
    /// Changes of names that are not synced: a name belongs to a file, or to none.
    pending: Vec<(PathBuf, Option<usize>)>,
}

fn absent() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl Disk {
    /// Returns the number of the file with that name.
    pub fn find(&self, path: &Path) -> io::Result<usize> {
        self.names.get(path).copied().ok_or_else(absent)
    }

    pub fn names(&self) -> impl Iterator<Item = &PathBuf> {
        self.names.keys()
    }

    pub fn file(&mut self, file: usize) -> &mut Vec<u8> {
        &mut self.files[file]
    }

    /// Makes a new file that is empty.
    pub fn create(&mut self, path: &Path) -> usize {
        self.files.push(Vec::new());
        self.durable_files.push(Vec::new());
        let file = self.files.len() - 1;
        self.bind(path, Some(file));
        file
    }

    /// Gives a name to a file, or to none.
    pub fn bind(&mut self, path: &Path, file: Option<usize>) {
        match file {
            Some(file) => self.names.insert(path.to_owned(), file),
            None => self.names.remove(path),
        };
        self.pending.push((path.to_owned(), file));
    }

    pub fn sync(&mut self, file: usize) {
        self.durable_files[file].clone_from(&self.files[file]);
    }

    pub fn sync_folder(&mut self, folder: &Path) {
        for (path, file) in std::mem::take(&mut self.pending) {
            if path.parent() == Some(folder) {
                self.survive(path, file);
            } else {
                self.pending.push((path, file));
            }
        }
    }

    fn survive(&mut self, path: PathBuf, file: Option<usize>) {
        match file {
            Some(file) => self.durable_names.insert(path, file),
            None => self.durable_names.remove(&path),
        };
    }

    /// Makes everything durable.
    pub fn settle(&mut self) {
        self.pending.clear();
        self.durable_names.clone_from(&self.names);
        self.durable_files.clone_from(&self.files);
    }

    /// Loses the power: of what was not synced nothing, some or all is there.
    pub fn lose_power(&mut self, random: &mut Random) {
        let luck = Luck::any(random);
        let first = random.below(self.pending.len() + 1);
        for (at, (path, file)) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            let survives = match luck {
                Luck::Nothing => false,
                Luck::Beginning => at < first,
                Luck::Anything => random.one_in(2),
                Luck::All => true,
            };
            if survives {
                self.survive(path, file);
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

/// What survives.
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

/// Leaves of a file what survives: any of its sectors, some of them in part. The length may survive
/// without the bytes, and then there are zeros.
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
