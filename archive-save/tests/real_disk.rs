//! The file system of the operating system.

use std::fs;
use std::path::Path;

use archive::save::{SaveFile, Saves, SlotState};
use archive::{ErrorKind, Format};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_save_and_its_backups() {
    let folder = folder();
    let file = SaveFile::new(folder.path().join("a.sav")).backups(2);
    for number in 0..4 {
        file.save(&number, Format::Binary).unwrap();
    }
    assert_eq!(names(folder.path()), [".archive-lock", "a.sav", "a.sav.1", "a.sav.2"]);
    assert_eq!(file.load::<i32>().unwrap().value, 3);
    // The remains of a crash are removed, by a load and by a save.
    for number in 4..6 {
        fs::write(folder.path().join("a.sav.new"), "half").unwrap();
        if number == 4 {
            file.load::<i32>().unwrap();
            assert_eq!(names(folder.path()).len(), 4);
        } else {
            file.save(&number, Format::Binary).unwrap();
        }
    }
    assert_eq!(names(folder.path()).len(), 4);
    // A cut file.
    let bytes = fs::read(file.path()).unwrap();
    fs::write(file.path(), &bytes[..bytes.len() - 1]).unwrap();
    let loaded = file.load::<i32>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (3, Some(1)));
    assert_eq!(names(folder.path()), [".archive-lock", "a.sav.1", "a.sav.2", "a.sav.damaged"]);
}

/// A save that ends between its last two calls leaves the file and its newest backup as one file.
/// After two of them, two backups are that file. A rename between two names of one file does
/// nothing.
#[test]
fn saves_that_ended_before_the_last_call() {
    let folder = folder();
    let [main, first, second] =
        ["a.sav", "a.sav.1", "a.sav.2"].map(|name| folder.path().join(name));
    let file = SaveFile::new(&main).backups(2);
    file.save(&1, Format::Binary).unwrap();
    fs::hard_link(&main, &first).unwrap();
    fs::hard_link(&main, &second).unwrap();
    for number in 2..5 {
        file.save(&number, Format::Binary).unwrap();
    }
    let load = |path| SaveFile::new(path).load::<i32>().unwrap().value;
    assert_eq!([&main, &first, &second].map(load), [4, 3, 2]);
}

/// The limit of 260 units that Windows has for the paths of old programs does not apply.
#[test]
fn a_path_works_or_is_an_error_that_says_how_long_it_is() {
    let folder = folder();
    let mut path = folder.path().to_owned();
    for depth in 1.. {
        path.push("f".repeat(50));
        let saves = Saves::in_folder(&path).unwrap().backups(1);
        let saved = saves.slot("a").and_then(|slot| {
            slot.save(&1, Format::Json)?;
            slot.save(&2, Format::Json)
        });
        if let Err(error) = saved {
            let (_, length) = error.message().split_once(": the path has ").unwrap();
            let (length, _) = length.split_once(" bytes, and the longest name in it ").unwrap();
            assert!(length.parse::<usize>().unwrap() >= path.as_os_str().len(), "{length}");
            assert_eq!(error.kind(), ErrorKind::Io);
            let load = SaveFile::new(path.join("a.sav")).load::<i32>();
            assert_eq!(load.unwrap_err().kind(), ErrorKind::Io);
            assert!(depth > 12, "{depth}");
            break;
        }
        if depth <= 12 {
            assert_eq!(saves.list().unwrap()[0].load::<i32>().unwrap().value, 2);
            saves.rename("a", "b").unwrap();
            saves.delete("b").unwrap();
            assert_eq!(saves.restore("b").unwrap().load::<i32>().unwrap().value, 2);
        } else if cfg!(windows) {
            // Wine has the limit of the system below it, and no message for it.
            break;
        }
    }
}

/// A partial copy of a file is removed.
#[cfg(target_os = "linux")]
#[test]
fn a_copy_that_fails_is_removed() {
    use archive::save::{FileSystem, System};

    let folder = folder();
    let copy = folder.path().join("copy");
    // It is on another file system, so it can have no second name here, and its first bytes cannot be read.
    System.link(Path::new("/proc/self/mem"), &copy).unwrap_err();
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_folder_is_made_by_the_first_save() {
    let folder = folder();
    let path = folder.path().join("of/the/game");
    let saves = Saves::in_folder(&path).unwrap();
    assert_eq!(saves.slot("a").unwrap().state(), SlotState::Empty);
    assert!(saves.list().unwrap().is_empty() && saves.load_newest::<i32>().unwrap().is_none());
    assert!(saves.trash().unwrap().list().unwrap().is_empty());
    saves.empty_trash().unwrap();
    saves.copy("a", "b").unwrap_err();
    saves.delete("a").unwrap_err();
    saves.restore("a").unwrap_err();
    let error = saves.slot("a").unwrap().load::<i32>().unwrap_err();
    let file = path.join("a.sav");
    assert_eq!(error.message(), format!("there is no save {}", file.display()));
    assert!(!file.exists() && names(folder.path()).is_empty());
    let slot = saves.autosave().unwrap();
    assert!(names(folder.path()).is_empty());
    slot.save_in_background(&1, Format::Json).unwrap().wait().unwrap();
    assert_eq!(names(&path), [".archive-lock", "autosave 1.sav"]);
}

#[test]
fn a_file_in_the_place_of_the_folder() {
    let folder = folder();
    let path = folder.path().join("file");
    let saves = Saves::in_folder(&path).unwrap();
    let (slot, says) = (saves.slot("a").unwrap(), "a file is in the place of the folder");
    fs::write(&path, "no folder").unwrap();
    let errors = [
        (slot.save(&1, Format::Json).unwrap_err(), "create"),
        (saves.list().unwrap_err(), "list"),
        (saves.slot("a").unwrap_err(), "list"),
        (Saves::in_folder(&path).unwrap_err(), "list"),
    ];
    for (error, action) in errors {
        assert_eq!(error.message(), format!("cannot {action} {}: {says}", path.display()));
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}

#[test]
fn slots_in_a_folder_that_is_made() {
    let folder = folder();
    let path = folder.path().join("of/the/game");
    let saves = Saves::in_folder(&path).unwrap();
    saves.slot("Ann: part 2").unwrap().save(&1, Format::Json).unwrap();
    assert_eq!(names(&path), ["+ann%3a part 2.sav", ".archive-lock"]);
    saves.delete("Ann: part 2").unwrap();
    assert_eq!(names(&path.join("trash")), ["+ann%3a part 2.sav"]);
    assert_eq!(saves.slot("Ann: part 2").unwrap().state(), SlotState::Empty);
    saves.restore("Ann: part 2").unwrap();
    saves.copy("Ann: part 2", "b").unwrap();
    assert_eq!(saves.list().unwrap().len(), 2);
}

#[test]
fn errors_name_the_file_and_the_cause() {
    let folder = folder();
    let path = folder.path().join("missing/a.sav");
    let file = SaveFile::new(&path);
    for error in [file.save(&1, Format::Json).unwrap_err(), file.load::<i32>().unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().contains("missing"), "{error}");
    }
    assert!(!file.exists().unwrap());
    // A folder in the place of the file.
    let path = folder.path().join("folder.sav");
    fs::create_dir(&path).unwrap();
    assert_eq!(SaveFile::new(&path).save(&1, Format::Json).unwrap_err().kind(), ErrorKind::Io);
    assert!(path.is_dir());
}

/// Several threads save to one file through handles of their own, as processes do.
#[test]
fn saves_at_the_same_time_do_not_mix() {
    let folder = folder();
    let path = folder.path().join("a.sav");
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let path = &path;
            scope.spawn(move || {
                let file = SaveFile::new(path).backups(2);
                for number in 0..5 {
                    file.save(&vec![thread * 10 + number; 50_000], Format::Binary).unwrap();
                    let loaded = file.load::<Vec<u64>>().unwrap();
                    assert!(loaded.is_newest() && loaded.damaged.is_empty());
                    assert!(loaded.value.iter().all(|number| *number == loaded.value[0]));
                }
            });
        }
    });
    assert_eq!(names(folder.path()), [".archive-lock", "a.sav", "a.sav.1", "a.sav.2"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn mode_and_owner_are_kept() {
        let folder = folder();
        let path = folder.path().join("a.sav");
        let file = SaveFile::new(&path);
        file.save(&1, Format::Json).unwrap();
        for expected in [0o600, 0o644, 0o440] {
            fs::set_permissions(&path, fs::Permissions::from_mode(expected)).unwrap();
            file.save(&2, Format::Json).unwrap();
            assert_eq!(mode(&path), expected);
        }
        // Only the system's own user may give files to others.
        if std::os::unix::fs::chown(&path, Some(65_534), Some(65_534)).is_ok() {
            file.save(&3, Format::Json).unwrap();
            let metadata = fs::metadata(&path).unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (65_534, 65_534));
            assert_eq!(mode(&path), 0o440);
        }
    }

    #[test]
    fn the_target_of_a_symbolic_link_is_replaced() {
        let folder = folder();
        fs::create_dir_all(folder.path().join("real")).unwrap();
        symlink("real/a.sav", folder.path().join("first.sav")).unwrap();
        symlink("first.sav", folder.path().join("link.sav")).unwrap();
        let file = SaveFile::new(folder.path().join("link.sav"));
        // At first its target does not exist.
        assert!(!file.exists().unwrap());
        file.save(&1, Format::Json).unwrap();
        file.save(&2, Format::Json).unwrap();
        assert!(fs::symlink_metadata(file.path()).unwrap().is_symlink());
        assert_eq!(names(&folder.path().join("real")), [".archive-lock", "a.sav", "a.sav.1"]);
        assert_eq!(file.load::<i32>().unwrap().value, 2);
        assert!(file.exists().unwrap());

        symlink("loop.sav", folder.path().join("loop.sav")).unwrap();
        let file = SaveFile::new(folder.path().join("loop.sav"));
        assert_eq!(file.save(&1, Format::Json).unwrap_err().kind(), ErrorKind::Io);
    }

    /// A link in the place of the new file is replaced, not its target.
    #[test]
    fn a_link_in_the_place_of_the_new_file() {
        let folder = folder();
        let other = folder.path().join("other");
        fs::write(&other, "untouched").unwrap();
        symlink(&other, folder.path().join("a.sav.new")).unwrap();
        SaveFile::new(folder.path().join("a.sav")).save(&1, Format::Json).unwrap();
        assert_eq!(fs::read_to_string(other).unwrap(), "untouched");
    }

    /// Runs a test as another user, because root may write everywhere.
    fn run_as_another(test: &str, folder: &Path) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--ignored"]).env("FOLDER", folder);
        // Without the right to change the user, the user is another one already.
        let is_root = fs::metadata(folder).unwrap().uid() == 0;
        if is_root {
            command.uid(65_534).gid(65_534);
        }
        match command.output() {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(output.status.success() && text.contains("1 passed"), "{text}");
            }
            Err(error) => println!("skipped, since no other user may run this: {error}"),
        }
    }

    #[test]
    fn a_save_of_another_user() {
        let folder = folder();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let file = SaveFile::new(folder.path().join("a.sav"));
        file.save(&1, Format::Json).unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o444)).unwrap();
        run_as_another("real_disk::unix::over_a_save_of_another_user", folder.path());
        assert_eq!(file.load::<i32>().unwrap().value, 2);
    }

    /// Linux gives such a file no second name (`fs.protected_hardlinks`), so that the backup is a copy.
    #[test]
    #[ignore = "a part of the test before"]
    fn over_a_save_of_another_user() {
        let folder = std::env::var_os("FOLDER").unwrap();
        let file = SaveFile::new(Path::new(&folder).join("a.sav"));
        file.save(&2, Format::Json).unwrap();
        let backup = SaveFile::new(Path::new(&folder).join("a.sav.1"));
        assert_eq!(backup.load::<i32>().unwrap().value, 1);
    }

    #[test]
    fn a_folder_that_is_read_only() {
        let folder = folder();
        let file = SaveFile::new(folder.path().join("a.sav"));
        file.save(&1, Format::Json).unwrap();
        file.save(&2, Format::Json).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        run_as_another("real_disk::unix::in_a_folder_that_is_read_only", folder.path());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(names(folder.path()), [".archive-lock", "a.sav", "a.sav.1"]);
        assert_eq!(file.load::<i32>().unwrap().value, 2);
    }

    #[test]
    #[ignore = "a part of the test before"]
    fn in_a_folder_that_is_read_only() {
        let folder = std::env::var_os("FOLDER").unwrap();
        let file = SaveFile::new(Path::new(&folder).join("a.sav"));
        let error = file.save(&3, Format::Json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().contains("a.sav.new"), "{error}");
        assert_eq!(file.load::<i32>().unwrap().value, 2);
        let saves = Saves::in_folder(&folder).unwrap();
        assert_eq!(saves.list().unwrap()[0].state(), SlotState::Good);
    }
}
