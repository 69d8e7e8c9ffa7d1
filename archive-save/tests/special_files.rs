//! Paths that are not regular files, and files that are longer than the memory.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use archive::save::{SaveFile, Saves, SlotState};
use archive::{ErrorKind, Format};
use xxhash_rust::xxh3::xxh3_64_with_seed;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_pipe_is_a_slot_that_cannot_be_read() {
    let folder = folder();
    pipe(&folder.path().join("a.sav"));
    let saves = Saves::in_folder(folder.path()).unwrap();
    let listed = saves.list().unwrap();
    assert_eq!(listed[0].state(), SlotState::Unreadable);
    assert!(listed[0].error().unwrap().message().ends_with("not a regular file"));
    assert_eq!(listed[0].load::<i32>().unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn the_lock_does_not_follow_links_or_open_pipes() {
    let (folder, other) = (folder(), folder());
    let (lock, target) = (folder.path().join(".archive-lock"), other.path().join("created"));
    let file = SaveFile::new(folder.path().join("a.sav"));
    symlink(&target, &lock).unwrap();
    assert_eq!(file.save(&1, Format::Json).unwrap_err().kind(), ErrorKind::Io);
    assert!(!target.exists());
    fs::remove_file(&lock).unwrap();
    pipe(&lock);
    assert_eq!(file.save(&1, Format::Json).unwrap_err().kind(), ErrorKind::Io);
}

/// 8 TB that take no space on the drive.
#[test]
fn a_hole_is_an_error() {
    let folder = folder();
    let file = SaveFile::new(folder.path().join("a.sav"));
    File::create(file.path()).unwrap().set_len(8 << 40).unwrap();
    let used = allocation_counter::measure(|| _ = file.load::<i32>().unwrap_err());
    assert!(used.bytes_max < 1 << 20, "{} bytes", used.bytes_max);
}

/// Head and tail are valid and announce 2 TB. The rest is a hole.
#[test]
fn a_forged_file_takes_no_memory_before_its_frames_are_verified() {
    let folder = folder();
    let file = SaveFile::new(folder.path().join("a.sav"));
    file.save(&1, Format::Json).unwrap();
    let bytes = fs::read(file.path()).unwrap();
    let len = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let head = 32 + len(12) + len(16) + len(20) + 8;
    let seed = u64::from_le_bytes(bytes[head - 8..head].try_into().unwrap());
    let total = 2_u64 << 40;
    let mut tail = u64::MAX.to_le_bytes().to_vec();
    tail.extend(total.to_le_bytes());
    tail.extend(1_u32.to_le_bytes());
    tail.extend(b"VAS\xc1");
    tail.extend(xxh3_64_with_seed(&tail, seed).to_le_bytes());
    let forged = File::create(file.path()).unwrap();
    forged.set_len(total).unwrap();
    forged.write_all_at(&bytes[..head], 0).unwrap();
    forged.write_all_at(&tail, total - 32).unwrap();
    let used = allocation_counter::measure(|| {
        assert_eq!(file.load::<i32>().unwrap_err().kind(), ErrorKind::Syntax);
    });
    assert!(used.bytes_max < 4 << 20, "{} bytes", used.bytes_max);

    // The first frame is valid, and the announced body is 255 times as long as the file.
    forged.write_all_at(&bytes[head..bytes.len() - 32], head as u64).unwrap();
    assert_ne!(file.load::<i32>().unwrap_err().kind(), ErrorKind::Io);
}

/// The backups of a slot that is a link are next to its target.
#[test]
fn a_slot_that_is_a_link_has_one_family() {
    let folder = folder();
    fs::create_dir(folder.path().join("real")).unwrap();
    symlink("real/a.sav", folder.path().join("a.sav")).unwrap();
    let saves = Saves::in_folder(folder.path()).unwrap();
    saves.slot("a").unwrap().save(&1, Format::Json).unwrap();
    saves.slot("a").unwrap().save(&2, Format::Json).unwrap();
    fs::write(folder.path().join("real/a.sav"), "damaged").unwrap();
    assert_eq!(saves.list().unwrap()[0].falls_back(), Some(1));
    let slot = saves.slot("a").unwrap();
    assert_eq!(slot.falls_back(), Some(1));
    assert_eq!(slot.load::<i32>().unwrap().fell_back, Some(1));
}

/// The folders of two slots that are links are one, written in two ways, and a third is another one.
#[test]
fn damaged_slots_in_several_folders_are_quarantined() {
    let folder = folder();
    for real in ["one", "two"] {
        fs::create_dir(folder.path().join(real)).unwrap();
    }
    let saves = Saves::in_folder(folder.path()).unwrap();
    saves.slot("good").unwrap().save(&1, Format::Json).unwrap();
    let links = [("a", "one/a.sav"), ("b", "two/../one/b.sav"), ("c", "two/c.sav")];
    for (name, target) in links {
        symlink(target, folder.path().join(format!("{name}.sav"))).unwrap();
        fs::write(folder.path().join(target), "damaged").unwrap();
    }
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.damaged.len()), (1, 3));
    assert!(loaded.damaged.iter().all(|damaged| damaged.aside.is_some()), "{loaded:?}");
    // The locks are released.
    for (name, _) in links {
        saves.slot(name).unwrap().save(&2, Format::Json).unwrap();
    }
}

/// Where the group of the old file cannot be set, the bits of a group are not given to another one.
#[test]
fn another_group_gets_no_rights() {
    let folder = folder();
    let file = SaveFile::new(folder.path().join("a.sav"));
    file.save(&1, Format::Json).unwrap();
    if chown(file.path(), Some(65_534), Some(1_234)).is_err() {
        println!("skipped, since this user may not give a file to another one");
        return;
    }
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o660)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", "special_files::over_a_file_of_another_group", "--ignored"]);
    let output = test.env("FOLDER", folder.path()).uid(65_534).gid(65_534).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let found = fs::metadata(file.path()).unwrap();
    assert_eq!((found.gid(), found.mode() & 0o777), (65_534, 0o600));
}

#[test]
#[ignore = "a part of the test before"]
fn over_a_file_of_another_group() {
    let folder = std::env::var_os("FOLDER").unwrap();
    SaveFile::new(Path::new(&folder).join("a.sav")).backups(0).save(&2, Format::Json).unwrap();
}

/// It is not a slot, and nothing says that it was moved.
#[test]
fn a_folder_that_is_named_like_a_save_is_not_moved() {
    let folder = folder();
    fs::create_dir(folder.path().join("a.sav")).unwrap();
    let saves = Saves::in_folder(folder.path()).unwrap();
    assert!(saves.list().unwrap().is_empty());
    assert_eq!(saves.slot("a").unwrap().state(), SlotState::Unreadable);
    for error in [saves.rename("a", "b").unwrap_err(), saves.delete("a").unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().ends_with("a.sav: not a regular file"), "{error}");
    }
    assert_eq!(saves.copy("a", "b").unwrap_err().kind(), ErrorKind::Io);
    let error = saves.slot("a").unwrap().save(&1, Format::Json).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    // Autosaves skip it.
    fs::create_dir(folder.path().join("autosave 1.sav")).unwrap();
    let slot = saves.autosave().unwrap();
    slot.save(&1, Format::Json).unwrap();
    assert_eq!(slot.name(), "autosave 2");
}

#[test]
fn a_dangling_link_is_an_empty_slot() {
    let folder = folder();
    symlink("nowhere/a.sav", folder.path().join("a.sav")).unwrap();
    let saves = Saves::in_folder(folder.path()).unwrap();
    let slot = saves.slot("a").unwrap();
    assert_eq!(slot.state(), SlotState::Empty);
    assert_eq!(slot.load::<i32>().unwrap_err().kind(), ErrorKind::Io);
    assert!(saves.load_newest::<i32>().unwrap().is_none());
    saves.slot("b").unwrap().save(&1, Format::Json).unwrap();
    for error in [saves.copy("b", "a"), saves.rename("b", "a"), saves.copy("a", "c")] {
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Io);
    }
    assert_eq!(saves.delete("a").unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(slot.save(&1, Format::Json).unwrap_err().kind(), ErrorKind::Io);
    fs::create_dir(folder.path().join("nowhere")).unwrap();
    slot.save(&2, Format::Json).unwrap();
    assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 2);
}

/// The path of the link is relative to the folder that it was in.
#[test]
fn a_slot_that_is_a_link_is_restored() {
    let folder = folder();
    fs::create_dir(folder.path().join("real")).unwrap();
    symlink("real/a.sav", folder.path().join("a.sav")).unwrap();
    let saves = Saves::in_folder(folder.path()).unwrap();
    for number in [1, 2] {
        saves.slot("a").unwrap().save(&number, Format::Json).unwrap();
    }
    saves.rename("a", "b").unwrap();
    assert!(folder.path().join("b.sav").is_symlink());
    saves.delete("b").unwrap();
    assert_eq!(saves.trash().unwrap().slot("b").unwrap().state(), SlotState::Good);
    assert_eq!(saves.restore("b").unwrap().load::<i32>().unwrap().value, 2);
}

/// A dangling link does not hide the other slots.
#[test]
fn a_link_without_an_end_is_a_slot_that_cannot_be_read() {
    let folder = folder();
    let saves = Saves::in_folder(folder.path()).unwrap();
    saves.slot("good").unwrap().save(&1, Format::Json).unwrap();
    symlink("a.sav", folder.path().join("a.sav")).unwrap();
    symlink("good.sav/b.sav", folder.path().join("b.sav")).unwrap();
    let listed = saves.list().unwrap();
    let listed: Vec<_> = listed.iter().map(|slot| (slot.name(), slot.state())).collect();
    let unreadable = SlotState::Unreadable;
    assert_eq!(listed, [("a", unreadable), ("b", unreadable), ("good", SlotState::Good)]);
    for name in ["a", "b"] {
        let slot = saves.slot(name).unwrap();
        assert_eq!(slot.error().unwrap().kind(), ErrorKind::Io);
        assert_eq!(slot.load::<i32>().unwrap_err().kind(), ErrorKind::Io);
        assert_eq!(slot.save(&1, Format::Json).unwrap_err().kind(), ErrorKind::Io);
    }
    // It may be the newest.
    assert_eq!(saves.load_newest::<i32>().unwrap_err().kind(), ErrorKind::Io);
}
