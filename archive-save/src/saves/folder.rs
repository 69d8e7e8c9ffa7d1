//! [`Folder`]: the files of slots, and the unique name of each slot.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use archive_core::{Error, Result};

use super::name;
use crate::fault;
use crate::save_file::{Family, Others, is_save, names_in};
use crate::system::FileSystem;

/// Returns the name of a slot from that of its file without the ending.
type Rule<'r> = dyn Fn(&str) -> Option<String> + 'r;

/// The files of the slots in a folder, from one listing.
pub(super) struct Folder {
    path: PathBuf,
    /// The endings of the files of each slot, by the name of the slot's own file without its
    /// ending.
    endings: BTreeMap<String, Vec<String>>,
    /// The file of each slot, by the name of the slot. The file names have no endings.
    names: BTreeMap<String, String>,
    /// The files in the folders to which symbolic links lead.
    others: Others,
    is_trash: bool,
}

impl Folder {
    /// Lists a folder, which need not exist. In the trash `a@2` is an older deleted slot `a`.
    pub fn read(system: &dyn FileSystem, path: &Path, is_trash: bool) -> Result<Folder> {
        let files = names_in(system, path)?;
        let mut endings = BTreeMap::<_, Vec<_>>::new();
        for (stem, ending) in files.iter().filter_map(|file| name::split(file)) {
            endings.entry(stem.to_owned()).or_default().push(ending.to_owned());
        }
        // The newest save comes first: its ending is empty.
        endings.values_mut().for_each(|endings| endings.sort_unstable());
        let names = BTreeMap::new();
        let others = Others::default();
        let mut folder = Folder { path: path.to_owned(), endings, names, others, is_trash };
        folder.give_names();
        Ok(folder)
    }

    /// Gives each slot a unique name. The files of this library come first, then those whose names
    /// a file system has stored in another form, or that a player has put there. If the name of
    /// such a file is taken, the slot gets the name with its ending.
    fn give_names(&mut self) {
        let mut rest: Vec<&String> =
            self.endings.keys().filter(|stem| self.is_slot(stem)).collect();
        let mut names = BTreeMap::new();
        let rules: [&Rule<'_>; 5] = [
            &|stem| name::decode(stem).filter(|name| name::is_encoded(name, stem)),
            &|stem| name::decode(stem),
            &|stem| self.deleted(stem),
            &|stem| Some(name::tidy(stem)),
            &|stem| Some(name::tidy(&format!("{stem}{}", name::ENDING))),
        ];
        for rule in rules {
            rest.retain(|stem| match rule(stem).filter(|name| !name.is_empty()) {
                Some(name) if !names.contains_key(&name) => {
                    names.insert(name, (*stem).clone());
                    false
                }
                _ => true,
            });
        }
        self.names = names;
    }

    /// Returns the name of a slot in the trash that is not the last deleted one of its name.
    fn deleted(&self, stem: &str) -> Option<String> {
        let (stem, number) = self.numbered(stem)?;
        let name = name::decode(stem).unwrap_or_else(|| name::tidy(stem));
        Some(format!("{name} {number}"))
    }

    fn numbered<'s>(&self, stem: &'s str) -> Option<(&'s str, u64)> {
        let (stem, digits) = stem.rsplit_once('@').filter(|_| self.is_trash)?;
        Some((stem, name::number(digits)?))
    }

    /// Returns the numbers of the older deleted slots with that file name.
    pub fn older(&self, stem: &str) -> impl Iterator<Item = u64> {
        let from = self.endings.range(format!("{stem}@")..).map(|(stem, _)| &**stem);
        let here = from.take_while(move |other| {
            other.strip_prefix(stem).is_some_and(|rest| rest.starts_with('@'))
        });
        here.filter_map(move |other| self.numbered(other))
            .filter(move |(other, _)| *other == stem)
            .map(|(_, number)| number)
    }

    /// Returns whether there are saves, and not only damaged files.
    pub fn is_slot(&self, stem: &str) -> bool {
        self.endings(stem).iter().any(|ending| is_save(ending))
    }

    /// Returns the names of the slots, each with that of its file without its ending.
    pub fn slots(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().map(|(name, stem)| (&**name, &**stem))
    }

    /// Returns the names of all files without their endings, including those with damaged files
    /// only.
    pub fn stems(&self) -> impl Iterator<Item = &str> {
        self.endings.keys().map(|stem| &**stem)
    }

    /// Returns the file of the slot with a [tidy](name::tidy) name, without its ending. In the
    /// trash, of several slots with one name the one that was deleted last has the name itself.
    pub fn find(&self, name: &str) -> Option<String> {
        let find_older = || {
            let stem = name::encode(name).ok().filter(|_| self.is_trash)?;
            let last = self
                .older(&stem)
                .filter(|number| self.is_slot(&format!("{stem}@{number}")))
                .max()?;
            Some(format!("{stem}@{last}"))
        };
        self.names.get(name).cloned().or_else(find_older)
    }

    /// Returns the file that has that name on a file system that ignores case, or how letters are
    /// composed.
    pub fn find_folded(&self, stem: &str) -> Option<&str> {
        let key = name::fold(stem);
        self.stems().find(|other| self.is_slot(other) && name::fold(other) == key)
    }

    /// Returns the endings of a slot's files, the newest save first.
    pub fn endings(&self, stem: &str) -> &[String] {
        self.endings.get(stem).map_or(&[], Vec::as_slice)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a slot's file.
    pub fn path_of(&self, stem: &str) -> PathBuf {
        self.file(stem, "")
    }

    /// Returns the path of a file that belongs to a slot.
    pub fn file(&self, stem: &str, ending: &str) -> PathBuf {
        self.path.join(format!("{stem}{}{ending}", name::ENDING))
    }

    /// Returns the saves of a slot.
    pub fn family(&self, system: &dyn FileSystem, stem: &str) -> Result<Family> {
        let endings = self.endings(stem).iter().map(|ending| &**ending);
        Family::listed(system, &self.path_of(stem), endings, &self.others)
    }

    /// Removes all files of a slot, the newest save last. Continues after an error.
    ///
    /// # Errors
    /// The first one of the system.
    pub fn remove(&self, system: &dyn FileSystem, stem: &str) -> Result {
        let mut first: Option<Error> = None;
        for ending in self.endings(stem).iter().rev() {
            let path = self.file(stem, ending);
            match system.remove(&path).map_err(|error| fault::io("remove", &path, error)) {
                Err(error) if !fault::is_absent(&error) => _ = first.get_or_insert(error),
                _ => {}
            }
        }
        first.map_or(Ok(()), Err)
    }
}
