//! Something else has a name that a save uses: each save succeeds, or each fails with an error that
//! names the obstacle.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use archive::save::{SaveFile, Saves};
use archive::{Error, ErrorKind, Format};
use archive_test_support::search;

const NAMES: [&str; 11] = [
    "a.sav",
    "a.sav.new",
    "a.sav.old",
    "a.sav.1",
    "a.sav.2",
    "a.sav.3",
    "a.sav.damaged",
    "a.sav.damaged-2",
    "a.sav.1.damaged",
    ".archive-lock",
    "trash",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Obstacle {
    Folder,
    FullFolder,
    Pipe,
    LinkToFile,
    LinkToFolder,
    LinkToNothing,
    LinkToItself,
    ReadOnlyFile,
}
use Obstacle::*;

const OBSTACLES: [Obstacle; 8] =
    [Folder, FullFolder, Pipe, LinkToFile, LinkToFolder, LinkToNothing, LinkToItself, ReadOnlyFile];

impl Obstacle {
    /// Creates the obstacle in the place of a file.
    fn put(self, path: &Path, elsewhere: &Path) {
        _ = fs::remove_file(path);
        match self {
            Folder | FullFolder => {
                fs::create_dir(path).unwrap();
                if self == FullFolder {
                    fs::write(path.join("thesis"), "years of work").unwrap();
                }
            }
            Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            LinkToFile => symlink(elsewhere.join("thesis"), path).unwrap(),
            LinkToFolder => symlink(elsewhere, path).unwrap(),
            LinkToNothing => symlink(elsewhere.join("nothing"), path).unwrap(),
            LinkToItself => symlink(path, path).unwrap(),
            ReadOnlyFile => {
                fs::write(path, "years of work").unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
            }
        }
    }

    /// Returns whether the obstacle is unchanged, if only files are moved or replaced.
    fn is_there(self, path: &Path) -> bool {
        match self {
            Folder => path.is_dir() && !path.is_symlink(),
            FullFolder => fs::read(path.join("thesis")).is_ok_and(|text| text == b"years of work"),
            Pipe => fs::symlink_metadata(path).is_ok_and(|is| !is.is_file() && !is.is_symlink()),
            LinkToFolder => path.is_dir(),
            LinkToFile | LinkToNothing | LinkToItself | ReadOnlyFile => true,
        }
    }
}

struct Case {
    name: &'static str,
    obstacle: Obstacle,
    backups: usize,
    /// How many saves there are before the obstacle.
    before: i32,
    /// Whether each save is damaged before the next one.
    is_damaged: bool,
}

/// Returns the values of the backups, the newest first.
fn backups(file: &SaveFile) -> Vec<i32> {
    let path = |number: usize| PathBuf::from(format!("{}.{number}", file.path().display()));
    let read = |number| {
        let path = Some(path(number)).filter(|path| path.is_file())?;
        SaveFile::new(path).load::<i32>().ok().map(|loaded| loaded.value)
    };
    (1..12).filter_map(read).collect()
}

impl Case {
    /// # Errors
    /// A description of the fault.
    fn run(&self) -> Result<bool, String> {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(elsewhere.path().join("thesis"), "years of work").unwrap();
        let obstacle = folder.path().join(self.name);
        let path = folder.path().join("a.sav");
        let file = SaveFile::new(&path).backups(self.backups);
        let save = |number: i32| {
            let saved = file.save(&number, Format::Binary);
            if self.is_damaged && saved.is_ok() {
                let mut bytes = fs::read(&path).unwrap();
                let at = bytes.len() - 36;
                bytes[at] ^= 1;
                fs::write(&path, bytes).unwrap();
            }
            saved.map(drop)
        };
        (0..self.before).try_for_each(&save).map_err(|error| error.to_string())?;
        self.obstacle.put(&obstacle, elsewhere.path());
        let results: Vec<_> = (self.before..self.before + 9).map(save).collect();
        let first: Option<&Error> = results.iter().find_map(|result| result.as_ref().err());
        if results.iter().any(|result| result.is_ok() != first.is_none()) {
            let results = results.iter().map(|result| result.as_ref().err().map(Error::message));
            return Err(format!("some work and some do not: {:?}", results.collect::<Vec<_>>()));
        }
        // A file that is being written has that name, so its remains are removed.
        let is_left = self.name == "a.sav.new" && !matches!(self.obstacle, Folder | FullFolder);
        if !is_left && !self.obstacle.is_there(&obstacle) {
            return Err("it was moved or changed".into());
        }
        let is_replaced = self.name == "a.sav" && self.obstacle == LinkToFile;
        if !is_replaced && fs::read(elsewhere.path().join("thesis")).unwrap() != b"years of work" {
            return Err("what the link leads to was changed".into());
        }
        if let Some(error) = first {
            let is_named = error.message().contains(self.name);
            let is_typed = error.kind() == ErrorKind::Io && is_named;
            return if is_typed { Ok(false) } else { Err(error.to_string()) };
        }
        if self.is_damaged {
            return Ok(true);
        }
        let loaded = file.load::<i32>().map_err(|error| error.to_string())?;
        let last = self.before + 8;
        if loaded.value != last || loaded.fell_back.is_some() {
            return Err(format!("{} was loaded", loaded.value));
        }
        // The backups of a link are beside what it leads to.
        let target = fs::canonicalize(&path).map_err(|error| error.to_string())?;
        let kept = backups(&SaveFile::new(target));
        let expected: Vec<i32> = (0..last).rev().take(self.backups).collect();
        if kept == expected { Ok(true) } else { Err(format!("the backups are {kept:?}")) }
    }
}

#[test]
fn saves_work_or_name_the_obstacle() {
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    let searched: BTreeSet<usize> = search::some_of(NAMES.len() * OBSTACLES.len() * 24).collect();
    for at in 0..NAMES.len() * OBSTACLES.len() * 24 {
        let (number, case) = (at / 24, at % 24);
        // One of each, and of the others those of the search.
        if case != 9 && !searched.contains(&at) {
            continue;
        }
        let (name, obstacle) =
            (NAMES[number / OBSTACLES.len()], OBSTACLES[number % OBSTACLES.len()]);
        let (backups, is_damaged) = (case % 4, case / 4 % 2 == 1);
        let before = [0, 2, 6][case / 8];
        let case = Case { name, obstacle, backups, before, is_damaged };
        let what = format!("{obstacle:?} at {name}");
        match case.run() {
            Ok(true) => {}
            Ok(false) => refused.push(what),
            Err(error) => wrong.push(format!(
                "{what}, {backups} backups, {before} saves before, damaged: {is_damaged}: {error}"
            )),
        }
    }
    wrong.iter().for_each(|wrong| println!("{wrong}"));
    assert!(wrong.is_empty(), "{} are wrong", wrong.len());
    refused.dedup();
    // The names without which a save fails.
    let expected = [
        "Folder at a.sav",
        "FullFolder at a.sav",
        "Pipe at a.sav",
        "LinkToFolder at a.sav",
        "LinkToItself at a.sav",
        "Folder at a.sav.new",
        "FullFolder at a.sav.new",
        "Folder at a.sav.old",
        "FullFolder at a.sav.old",
        "Pipe at a.sav.old",
        "LinkToFolder at a.sav.old",
        "LinkToItself at a.sav.old",
        "Folder at .archive-lock",
        "FullFolder at .archive-lock",
        "Pipe at .archive-lock",
        "LinkToFile at .archive-lock",
        "LinkToFolder at .archive-lock",
        "LinkToNothing at .archive-lock",
        "LinkToItself at .archive-lock",
    ];
    assert_eq!(refused, expected);
}

/// The trash is only for deleted slots.
#[test]
fn a_trash_that_is_not_a_folder_does_not_stop_a_save() {
    for obstacle in OBSTACLES {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        obstacle.put(&folder.path().join("trash"), elsewhere.path());
        let saves = Saves::in_folder(folder.path()).unwrap();
        for number in 0..9 {
            saves.autosave().unwrap().save(&number, Format::Binary).unwrap();
        }
        assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 8);
        let deleted = saves.delete("autosave 9");
        match obstacle {
            Folder | FullFolder | LinkToFolder => deleted.unwrap(),
            _ => {
                let error = deleted.unwrap_err();
                assert!(error.message().contains("trash"), "{obstacle:?}: {error}");
                assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 8);
            }
        }
    }
}
