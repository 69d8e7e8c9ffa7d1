//! Copies of a store, and a damaged store that is replaced by one.

use std::fs;
use std::rc::Rc;

use archive::ErrorKind;
use archive::store::storage::{Memory, Redb, Storage, export, export_path, recover};

use super::{filled, put, rows};
use crate::failing_storage::Watched;

#[test]
fn an_export_has_all_rows_while_the_store_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("campaign.store"), folder.path().join("copy.store"));
    let storage = filled(Redb::open(&path).unwrap(), 20_000);
    put(&storage, &[0xff; 20], &vec![7; 5 << 20]).unwrap();
    put(&storage, &[], &[]).unwrap();
    // What an interrupted export left.
    fs::write(folder.path().join("copy.store.new"), [7; 5000]).unwrap();
    for _ in 0..2 {
        export(&storage, &copy).unwrap();
        let exported = Redb::open_read_only(&copy).unwrap();
        assert!(rows(&exported).unwrap() == rows(&storage).unwrap());
    }
    Redb::open(&copy).unwrap().check().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "files are left");

    let memory = filled(Memory::new(), 5);
    export(&memory, &copy).unwrap();
    assert!(rows(&Redb::open(&copy).unwrap()).unwrap() == rows(&memory).unwrap());
}

#[test]
fn an_export_over_an_open_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let storage = filled(Redb::open(&path).unwrap(), 10);
    let error = export(&storage, &path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.message().contains("a store is open at"), "{error}");
    assert_eq!(rows(&storage).unwrap().len(), 10);
    let error = export(&storage, folder.path().join("no/copy.store")).unwrap_err();
    assert!(error.message().contains("there is no folder"), "{error}");
    // The old export is kept if a new one fails.
    let copy = folder.path().join("copy.store");
    export(&storage, &copy).unwrap();
    let before = fs::read(&copy).unwrap();
    let failing = Watched::new(Rc::new(filled(Memory::new(), 10)));
    failing.fails_after.set(Some(3));
    assert_eq!(export(&failing, &copy).unwrap_err().message(), "the disk does not answer");
    assert!(fs::read(&copy).unwrap() == before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "files are left");
}

#[test]
fn a_damaged_store_is_replaced_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let message = |words: &str| {
        let error = recover(&path).unwrap_err();
        assert!(error.message().contains(words), "{error}");
    };
    let storage = filled(Redb::open(&path).unwrap(), 1000);
    message("is open already");
    let expected = rows(&storage).unwrap();
    storage.close().unwrap();
    message("campaign.store is not damaged");

    let damaged = b"redb, but no more of it".repeat(100);
    fs::write(&path, &damaged).unwrap();
    message("there is no file");
    assert!(fs::read(&path).unwrap() == damaged, "it was changed without an export");
    fs::write(export_path(&path), &damaged).unwrap();
    message("campaign.store.export is damaged");
    assert!(fs::read(&path).unwrap() == damaged, "it was changed for a damaged export");

    fs::remove_file(export_path(&path)).unwrap();
    export(&filled(Memory::new(), 1000), export_path(&path)).unwrap();
    for name in ["campaign.store.damaged", "campaign.store.damaged-2", "campaign.store.damaged-3"] {
        fs::write(&path, [&damaged, name.as_bytes()].concat()).unwrap();
        let recovered = recover(&path).unwrap();
        assert_eq!(recovered.aside, Some(folder.path().join(name)));
        assert_eq!(recovered.export, export_path(&path));
        assert!(fs::read(folder.path().join(name)).unwrap().ends_with(name.as_bytes()));
        assert!(rows(&Redb::open(&path).unwrap()).unwrap() == expected);
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(recover(&path).unwrap().aside, None);
    assert!(rows(&Redb::open(&path).unwrap()).unwrap() == expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "files are left");
}

#[test]
fn a_store_with_a_damaged_row_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let storage = filled(Redb::open(&path).unwrap(), 100);
    export(&storage, export_path(&path)).unwrap();
    storage.close().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(60).position(|window| window == [42; 60]).unwrap();
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();

    // A file that is only read is not fully verified.
    let reader = Redb::open_read_only(&path).unwrap();
    let error = reader.get(&42_u32.to_be_bytes(), &mut |_| Ok(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert!(
        error.message().contains(r"campaign.store is damaged: the row `\x00\x00\x00*`"),
        "{error}"
    );
    assert!(reader.get(&41_u32.to_be_bytes(), &mut |_| Ok(())).unwrap(), "the row beside it");
    assert!(reader.check().is_err());
    drop(reader);
    assert_eq!(Redb::open(&path).unwrap_err().kind(), ErrorKind::Syntax);
    recover(&path).unwrap();
    assert_eq!(rows(&Redb::open(&path).unwrap()).unwrap().len(), 100);
}

#[test]
fn an_export_does_not_replace_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thesis.txt");
    fs::write(&path, b"years of work").unwrap();
    let error = export(&filled(Memory::new(), 5), &path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(
        error.message().ends_with("is not an export of a store, so it is not replaced"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"years of work");
}

#[test]
fn a_missing_store_is_not_created_next_to_its_export() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let storage = filled(Redb::open(&path).unwrap(), 20);
    export(&storage, export_path(&path)).unwrap();
    let before = rows(&storage).unwrap();
    drop(storage);
    fs::remove_file(&path).unwrap();
    let error = Redb::open(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert!(error.message().contains("the file no longer exists; the export "), "{error}");
    assert!(!path.exists());
    recover(&path).unwrap();
    assert!(rows(&Redb::open(&path).unwrap()).unwrap() == before);
}
