//! Files that are open, foreign, newer or damaged.

use std::path::Path;

use archive::ErrorKind;
use archive::store::storage::{Changes, Storage};
use archive_store_sqlite::Sqlite;
use rusqlite::Connection;

fn put(storage: &Sqlite, key: &[u8], value: &[u8]) -> archive::Result {
    let mut changes = Changes::new();
    changes.put(key, value);
    storage.commit(&changes)
}

fn error_of(path: &Path) -> (ErrorKind, String) {
    let error = Sqlite::open(path).unwrap_err();
    let folder = path.parent().unwrap().display().to_string();
    (error.kind(), error.message().replace(&folder, "F"))
}

#[test]
fn other_tools_read_a_closed_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.sqlite");
    put(&Sqlite::open(&path).unwrap(), b"key", b"abc").unwrap();
    let names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["campaign.sqlite"], "a closed store is one file");
    let other = Connection::open(&path).unwrap();
    let row = other.query_row("select key, value, checksum from rows", [], |row| {
        Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, i64>(2)?))
    });
    assert_eq!(row.unwrap(), (b"key".to_vec(), b"abc".to_vec(), 0xfa0c_9796));
}

#[test]
fn other_tools_may_add_tables_but_not_change_that_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.sqlite");
    put(&Sqlite::open(&path).unwrap(), b"key", b"abc").unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("analyze; create view names as select key from rows").unwrap();
    drop(other);
    assert!(Sqlite::open(&path).unwrap().get(b"key", &mut |_| Ok(())).unwrap());
    let change = |text: &str| Connection::open(&path).unwrap().execute_batch(text).unwrap();
    change("update rows set value = x'01'");
    let (kind, message) = error_of(&path);
    assert_eq!(kind, ErrorKind::Syntax);
    assert_eq!(message, "F/campaign.sqlite is damaged: a row differs from its checksum");
    change("drop view names; alter table rows add column more any");
    assert_eq!(error_of(&path).1, "F/campaign.sqlite is damaged: it has another table of rows");
}

#[test]
fn the_file_gets_smaller() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.sqlite");
    let storage = Sqlite::open(&path).unwrap();
    let (mut puts, mut deletes) = (Changes::new(), Changes::new());
    for number in 0..20_000_u32 {
        puts.put(&number.to_be_bytes(), &[7; 400]);
        deletes.delete(&number.to_be_bytes());
    }
    storage.commit(&puts).unwrap();
    storage.commit(&deletes).unwrap();
    storage.compact().unwrap();
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap();
        let len = file.metadata().unwrap().len();
        assert!(len < 100_000, "{} has {len} bytes", file.path().display());
    }
}

#[test]
fn a_file_is_open_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.sqlite");
    let first = Sqlite::open(&path).unwrap();
    let (kind, message) = error_of(&path);
    assert_eq!(kind, ErrorKind::Io);
    assert_eq!(message, "F/campaign.sqlite is open already, in this program or in another one");
    put(&first, b"a", b"1").unwrap();
    let other = Connection::open(&path).unwrap();
    let read = other.query_row("select count(*) from rows", [], |row| row.get::<_, i64>(0));
    assert!(read.is_err(), "another program reads an open store");
    drop((first, other));
    assert!(Sqlite::open(&path).unwrap().get(b"a", &mut |_| Ok(())).unwrap());
}

// Windows has no such names.
#[cfg(not(windows))]
#[test]
fn every_name_is_that_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    // All other tests use absolute paths.
    std::env::set_current_dir(&folder).unwrap();
    for name in [":memory:", "file:a?mode=memory", "file:b"] {
        put(&Sqlite::open(name).unwrap(), b"a", b"1").unwrap();
        assert!(folder.path().join(name).is_file(), "{name}");
        assert!(Sqlite::open(name).unwrap().get(b"a", &mut |_| Ok(())).unwrap());
    }
    assert_eq!(Sqlite::open("").unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn foreign_and_newer_files_are_refused_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("text"), "these are more than sixteen letters of a text".repeat(40)).unwrap();
    Connection::open(at("foreign")).unwrap().execute("create table rows (a)", []).unwrap();
    drop(Sqlite::open(at("newer")).unwrap());
    Connection::open(at("newer")).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let before: Vec<_> =
        ["text", "foreign", "newer"].map(|name| std::fs::read(at(name)).unwrap()).into();
    let expected = [
        (ErrorKind::Syntax, "F/text is not a store: it is not a SQLite file"),
        (ErrorKind::Syntax, "F/foreign is not a store: it is a SQLite file of another program"),
        (
            ErrorKind::Unsupported,
            "F/newer has version 2 of the table of rows; this program reads version 1",
        ),
    ];
    for ((name, before), (kind, message)) in
        ["text", "foreign", "newer"].iter().zip(before).zip(expected)
    {
        assert_eq!(error_of(&at(name)), (kind, message.to_owned()));
        assert!(std::fs::read(at(name)).unwrap() == before, "{name} was changed");
    }
    assert_eq!(
        error_of(folder.path()).1,
        format!(
            "F/{} is a folder; a store is a file",
            folder.path().file_name().unwrap().display()
        )
    );
    let (kind, message) = error_of(&folder.path().join("absent/a.sqlite"));
    assert_eq!((kind, message), (ErrorKind::Io, "F/a.sqlite: there is no folder F".to_owned()));
}

#[test]
fn each_damaged_byte_is_an_error_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole");
    let storage = Sqlite::open(&path).unwrap();
    for number in 0..200_u8 {
        put(&storage, &[number], &[number; 40]).unwrap();
    }
    drop(storage);
    let whole = std::fs::read(&path).unwrap();
    let (mut refused, mut equal) = (0, 0);
    // Not a divisor of the size of a page, so that all parts of pages have their turn.
    for at in (0..whole.len()).step_by(41) {
        for flip in [1, 0x80] {
            let path = folder.path().join("damaged");
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            std::fs::write(&path, bytes).unwrap();
            let mut rows = 0;
            let read = Sqlite::open(&path).and_then(|storage| {
                storage.scan(b"", b"", &mut |key, value| {
                    assert_eq!(value, [key[0]; 40], "byte {at}");
                    rows += 1;
                    Ok(true)
                })?;
                for number in 0..200_u8 {
                    let mut value = Vec::new();
                    let is_there = storage.get(&[number], &mut |found| {
                        value.extend_from_slice(found);
                        Ok(())
                    })?;
                    assert!(is_there && value == [number; 40], "byte {at} lost row {number}");
                }
                storage.check()
            });
            match read {
                Ok(()) => {
                    // What is not verified is not data: the version of SQLite, unused space.
                    assert_eq!(rows, 200, "byte {at} lost rows silently");
                    equal += 1;
                }
                Err(error) => {
                    assert!(
                        [ErrorKind::Syntax, ErrorKind::Unsupported].contains(&error.kind()),
                        "byte {at}: {error}"
                    );
                    refused += 1;
                }
            }
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(refused > equal && equal > 0, "{refused} {equal}");
}
