//! Commits that fail change nothing.

use archive::ErrorKind;
use archive::store::storage::{Changes, Storage};
use archive_store_sqlite::Sqlite;

#[test]
fn a_commit_inside_of_a_read_is_refused() {
    let storage = Sqlite::in_memory().unwrap();
    let mut changes = Changes::new();
    changes.put(b"a", b"1");
    storage.commit(&changes).unwrap();
    let refused = || {
        assert_eq!(storage.commit(&changes).unwrap_err().kind(), ErrorKind::Borrowed);
        Ok(true)
    };
    storage.get(b"a", &mut |_| refused().map(drop)).unwrap();
    storage.scan(b"", b"", &mut |_, _| refused()).unwrap();
    storage.keys(b"", b"", &mut |_| refused()).unwrap();
    storage.commit(&changes).unwrap();
}

/// Runs the test with a folder in a file system of 4 MB, which only `root` can mount.
#[cfg(target_os = "linux")]
fn small_disk(run: impl FnOnce(&std::path::Path)) {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=4m", "small"]).arg(folder.path());
    if !mount.status().is_ok_and(|status| status.success()) {
        println!("skipped: a small disk cannot be mounted");
        return;
    }
    /// Removes the file system, also after a failure.
    struct Mounted<'a>(&'a std::path::Path);
    impl Drop for Mounted<'_> {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(self.0).status();
        }
    }
    let _mounted = Mounted(folder.path());
    run(folder.path());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_changes_nothing_and_the_next_commit_works() {
    small_disk(|folder| {
        let storage = Sqlite::open(folder.join("campaign.sqlite")).unwrap();
        let large = |number: u8| {
            let mut changes = Changes::new();
            (0..20).for_each(|part| changes.put(&[number, part], &[number; 50_000]));
            changes
        };
        let filler = folder.join("filler");
        std::fs::write(&filler, vec![0; 1_500_000]).unwrap();
        let mut commits = 0;
        let error = loop {
            match storage.commit(&large(commits)) {
                Ok(()) => commits += 1,
                Err(error) => break error,
            }
        };
        assert!(commits > 0 && error.kind() == ErrorKind::Io, "{commits} {error}");
        assert!(error.message().contains("disk is full"), "{error}");
        let count = |storage: &Sqlite| {
            let mut count = 0;
            storage
                .scan(b"", b"", &mut |key, value| {
                    assert_eq!(value, [key[0]; 50_000]);
                    count += 1;
                    Ok(true)
                })
                .unwrap();
            count
        };
        assert_eq!(count(&storage), 20 * usize::from(commits));
        std::fs::remove_file(filler).unwrap();
        storage.commit(&large(commits)).unwrap();
        drop(storage);
        let storage = Sqlite::open(folder.join("campaign.sqlite")).unwrap();
        assert_eq!(count(&storage), 20 * usize::from(commits + 1));
        storage.check().unwrap();
    });
}
