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
    /// Changes of names that are not synced.
    pending: Vec<Change>,
}

/// A change of one name or of two: a name belongs to a file, or to none. A loss of power may leave
/// the first of two alone.
type Change = Vec<(PathBuf, Option<usize>)>;

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
        self.change(vec![(path.to_owned(), file)]);
    }

    /// Gives a file a new name in the place of its old one.
    pub fn rename(&mut self, file: usize, from: &Path, to: &Path) {
        self.change(vec![(to.to_owned(), Some(file)), (from.to_owned(), None)]);
    }

    fn change(&mut self, change: Change) {
        change.iter().for_each(|(path, file)| bind(&mut self.names, path, *file));
        self.pending.push(change);
    }

    pub fn sync(&mut self, file: usize) {
        self.durable_files[file].clone_from(&self.files[file]);
    }

    pub fn sync_folder(&mut self, folder: &Path) {
        for change in &mut self.pending {
            let is_here = |(path, _): &mut (PathBuf, _)| path.parent() == Some(folder);
            let here = change.extract_if(.., is_here);
            here.for_each(|(path, file)| bind(&mut self.durable_names, &path, file));
        }
        self.pending.retain(|change| !change.is_empty());
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
        for (at, change) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            let survives = match luck {
                Luck::Nothing => 0,
                Luck::Beginning if at >= first => 0,
                Luck::Anything => random.below(change.len() + 1),
                _ => change.len(),
            };
            for (path, file) in &change[..survives] {
                bind(&mut self.durable_names, path, *file);
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

fn bind(names: &mut BTreeMap<PathBuf, usize>, path: &Path, file: Option<usize>) {
    match file {
        Some(file) => names.insert(path.to_owned(), file),
        None => names.remove(path),
    };
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
