//! Files that can be opened, and those that cannot.

use std::fs;
use std::path::Path;

use archive::store::storage::{Memory, Redb, Storage, export, export_path, recover};
use archive::{Error, ErrorKind};

use super::disk::{Disk, Faults, Random};
use super::{filled, put, rows};

fn error(path: &Path) -> Error {
    Redb::open(path).expect_err("no error")
}

#[track_caller]
fn assert_says(error: &Error, kind: ErrorKind, words: &[&str]) {
    assert_eq!(error.kind(), kind, "{error}");
    for words in words {
        assert!(error.message().contains(words), "{error} does not say {words}");
    }
}

#[test]
fn one_storage_has_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let storage = Redb::open(&path).unwrap();
    let words = ["campaign.store is open already, in this program or in another one"];
    assert_says(&error(&path), ErrorKind::Io, &words);
    assert_says(&Redb::open_read_only(&path).unwrap_err(), ErrorKind::Io, &words);
    put(&storage, b"a", b"1").unwrap();
    storage.close().unwrap();

    let readers = [Redb::open_read_only(&path).unwrap(), Redb::open_read_only(&path).unwrap()];
    assert_says(&error(&path), ErrorKind::Io, &words);
    for reader in &readers {
        assert_eq!(rows(reader).unwrap().len(), 1);
        reader.check().unwrap();
        let refused = [put(reader, b"a", b"2").unwrap_err(), reader.compact().unwrap_err()];
        for error in refused {
            assert_says(
                &error,
                ErrorKind::Io,
                &["campaign.store is open read-only", "`Redb::open`"],
            );
        }
        assert_eq!(rows(reader).unwrap().len(), 1);
    }
    drop(readers);
    assert_eq!(rows(&Redb::open(&path).unwrap()).unwrap().len(), 1);
}

#[test]
fn a_new_file_is_small_and_opening_it_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    drop(Redb::open(&path).unwrap());
    let new = fs::read(&path).unwrap();
    assert!(new.len() <= 80 << 10, "a new file has {} bytes", new.len());
    // redb records the free pages when it closes a file.
    for _ in 0..10 {
        drop(Redb::open(&path).unwrap());
    }
    let new = fs::read(&path).unwrap();
    assert!(new.len() <= 80 << 10, "a file that was opened often has {} bytes", new.len());
    drop(Redb::open_read_only(&path).unwrap());
    assert!(fs::read(&path).unwrap() == new, "reading changed the file");
}

#[test]
fn opening_writes_only_that_the_file_is_open() {
    let disk = Disk::default();
    filled(Redb::with_backend(disk.clone(), "campaign.store").unwrap(), 1000).close().unwrap();
    disk.set_faults(Faults::default());
    let storage = Redb::with_backend(disk.clone(), "campaign.store").unwrap();
    assert_eq!(rows(&storage).unwrap().len(), 1000);
    // The header, which says that the file is open, and syncs. A commit has more.
    assert!(disk.steps() <= 7, "{} writes and syncs", disk.steps());
}

#[test]
fn a_file_that_is_not_a_store_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    assert_says(&error(folder.path()), ErrorKind::Io, &["is a folder; a store is a file"]);
    let missing = folder.path().join("no/campaign.store");
    let words =
        format!("campaign.store: there is no folder {}", folder.path().join("no").display());
    assert_says(&error(&missing), ErrorKind::Io, &[&words]);
    assert_says(
        &Redb::open_read_only(&path).unwrap_err(),
        ErrorKind::Io,
        &["there is no file", "campaign.store"],
    );
    assert!(!path.exists(), "a file was created by reading it");

    for (contents, words) in [
        (
            &b"{\"hp\": 7, \"name\": \"Ann\", \"and so on\": true}"[..],
            "campaign.store is not a store: it looks like JSON",
        ),
        (b"\x8bARC\x02\0\0\0 and some more bytes", "it looks like a file of `archive::binary`"),
        (b"SQLite format 3\0 and some more bytes", "campaign.store is not a store"),
    ] {
        for contents in [contents.to_vec(), contents.repeat(1000)] {
            fs::write(&path, &contents).unwrap();
            assert_says(&error(&path), ErrorKind::Syntax, &[words]);
            assert!(fs::read(&path).unwrap() == contents, "the file was changed");
        }
    }
}

#[test]
fn files_of_other_programs_and_formats_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let theirs = redb::Database::create(&path).unwrap();
    let transaction = theirs.begin_write().unwrap();
    transaction.open_table(redb::TableDefinition::<u64, u64>::new("theirs")).unwrap();
    transaction.commit().unwrap();
    drop(theirs);
    let bytes = fs::read(&path).unwrap();
    let words = ["campaign.store is not a store: it is a redb file of another program"];
    assert_says(&error(&path), ErrorKind::Syntax, &words);
    assert_says(&Redb::open_read_only(&path).unwrap_err(), ErrorKind::Syntax, &words);
    assert!(fs::read(&path).unwrap() == bytes, "the file was changed");

    fs::remove_file(&path).unwrap();
    filled(Redb::open(&path).unwrap(), 10).close().unwrap();
    let good = fs::read(&path).unwrap();
    for (version, words) in
        [(2, "has version 2 of the file format of redb"), (4, "has a newer file format")]
    {
        let mut other = good.clone();
        // The two commit slots, each with a checksum of its own.
        for slot in [64, 192] {
            other[slot] = version;
            let sum = xxhash_rust::xxh3::xxh3_128(&other[slot..slot + 112]);
            other[slot + 112..slot + 128].copy_from_slice(&sum.to_le_bytes());
        }
        fs::write(&path, other).unwrap();
        assert_says(&error(&path), ErrorKind::Unsupported, &["campaign.store", words]);
    }
}

#[test]
fn an_unfinished_file_is_begun_again() {
    for cut_at in 1.. {
        let disk = Disk::default();
        disk.set_faults(Faults { cut_at: Some(cut_at), ..Faults::default() });
        let created = Redb::with_backend(disk.clone(), "campaign.store");
        if !disk.is_off() {
            assert!(cut_at > 5, "there are few steps");
            break;
        }
        drop(created);
        disk.lose_power(&mut Random(cut_at));
        let storage = Redb::with_backend(disk, "campaign.store").unwrap();
        assert_eq!(rows(&filled(storage, 10)).unwrap().len(), 10);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    // All zeros, where a store was.
    fs::write(&path, vec![0; 1 << 20]).unwrap();
    assert_says(&error(&path), ErrorKind::Syntax, &["campaign.store is damaged"]);
    for len in [0, 72 << 10] {
        fs::write(&path, vec![0; len]).unwrap();
        drop(Redb::open(&path).unwrap());
        // A store that was exported was not empty.
        export(&filled(Memory::new(), 10), export_path(&path)).unwrap();
        fs::write(&path, vec![0; len]).unwrap();
        let words = ["campaign.store is damaged: ", "can replace it"];
        assert_says(&error(&path), ErrorKind::Syntax, &words);
        recover(&path).unwrap();
        assert_eq!(rows(&Redb::open(&path).unwrap()).unwrap().len(), 10);
        fs::remove_file(export_path(&path)).unwrap();
    }
}

#[test]
fn a_damaged_file_names_the_export() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let storage = filled(Redb::open(&path).unwrap(), 1000);
    let cut = |storage: Redb| {
        storage.close().unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        bytes
    };
    let bytes = cut(storage);
    assert_says(
        &error(&path),
        ErrorKind::Syntax,
        &["campaign.store is damaged: ", "; there is no export "],
    );

    fs::write(&path, &bytes).unwrap();
    let storage = Redb::open(&path).unwrap();
    export(&storage, export_path(&path)).unwrap();
    cut(storage);
    let words = [
        "campaign.store is damaged: ",
        "campaign.store.export of 20",
        " UTC can replace it (`recover`)",
    ];
    assert_says(&error(&path), ErrorKind::Syntax, &words);
}

/// Whether files without permission are refused here: root may open them.
#[cfg(unix)]
#[test]
fn files_without_permission_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    filled(Redb::open(&path).unwrap(), 10).close().unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&path).is_ok() {
        return;
    }
    let words = ["campaign.store cannot be opened for writing: the file is write-protected"];
    assert_says(&error(&path), ErrorKind::Io, &words);
    assert_eq!(rows(&Redb::open_read_only(&path).unwrap()).unwrap().len(), 10);
}
