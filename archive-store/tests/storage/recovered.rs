//! Every damaged store names its last export, and `recover` puts that in its place.

use std::fs;
use std::path::Path;

use archive::store::storage::{Redb, export, export_path, recover};
use archive::{Error, ErrorKind};
use archive_test_support::search;

use super::disk::Random;
use super::{Rows, filled, rows};

/// The bytes that redb has at the beginning of a file: the header and the two commit slots.
const HEADER: usize = 320;

/// A store beside its export, both with the same rows.
struct Damaged {
    folder: tempfile::TempDir,
    good: Vec<u8>,
    expected: Rows,
    /// The faults, and the number of files that were not opened.
    wrong: Vec<String>,
    not_opened: u32,
}

impl Damaged {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.store");
        let storage = filled(Redb::open(&path).unwrap(), 40);
        export(&storage, export_path(&path)).unwrap();
        let expected = rows(&storage).unwrap();
        storage.close().unwrap();
        let good = fs::read(&path).unwrap();
        Damaged { folder, good, expected, wrong: Vec::new(), not_opened: 0 }
    }

    /// Checks a file with these bytes.
    fn try_out(&mut self, what: &str, bytes: &[u8]) {
        if let Err(wrong) = self.look_at(bytes) {
            self.wrong.push(format!("{what}: {wrong}"));
        }
    }

    /// Checks a file with some changed bytes.
    fn change(&mut self, what: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.good.clone();
        change(&mut bytes);
        self.try_out(what, &bytes);
    }

    fn look_at(&mut self, bytes: &[u8]) -> Result<(), String> {
        let path = self.folder.path().join("campaign.store");
        fs::write(&path, bytes).unwrap();
        match Redb::open_read_only(&path).and_then(|storage| rows(&storage)) {
            // A reader may see older rows, and leaves the repair to a writer.
            Ok(_) => {}
            Err(error) if error.message().contains("was not closed") => {}
            Err(error) => names_the_export(&error, &path)?,
        }
        let error = match Redb::open(&path) {
            Ok(storage) if rows(&storage).is_ok_and(|rows| rows == self.expected) => return Ok(()),
            Ok(_) => return Err("other rows".into()),
            Err(error) => error,
        };
        self.not_opened += 1;
        names_the_export(&error, &path)?;
        let found = fs::read(&path).unwrap();
        let recovered = recover(&path).map_err(|error| format!("`recover`: {error}"))?;
        let aside = recovered.aside.ok_or("it was not quarantined")?;
        if fs::read(&aside).unwrap() != found {
            return Err("the quarantined file was changed".into());
        }
        fs::remove_file(aside).unwrap();
        match Redb::open(&path).and_then(|storage| rows(&storage)) {
            Ok(rows) if rows == self.expected => Ok(()),
            _ => Err("the export is not in its place".into()),
        }
    }

    #[track_caller]
    fn finish(self) {
        self.wrong.iter().for_each(|wrong| println!("{wrong}"));
        assert!(self.wrong.is_empty(), "{} are wrong", self.wrong.len());
        assert!(self.not_opened > 0, "all files were opened");
    }
}

fn names_the_export(error: &Error, path: &Path) -> Result<(), String> {
    let export = export_path(path).display().to_string();
    let is_named = error.message().contains(&export) && error.message().contains("`recover`");
    if is_named && error.kind() == ErrorKind::Syntax {
        Ok(())
    } else {
        Err(format!("{:?}: {error}", error.kind()))
    }
}

#[test]
fn a_header_with_changed_bytes_is_recovered_from() {
    let mut damaged = Damaged::new();
    for case in search::some_of(HEADER * 10) {
        let at = case / 10;
        damaged.change(&format!("byte {at}, change {}", case % 10), |bytes| match case % 10 {
            bit @ 0..8 => bytes[at] ^= 1 << bit,
            8 => bytes[at] = 0,
            _ => bytes[at] = 0xff,
        });
    }
    // The bytes that identify the file.
    for at in [0, 8, 9, 64, 192] {
        for bit in 0..8 {
            damaged.change(&format!("bit {bit} of byte {at}"), |bytes| bytes[at] ^= 1 << bit);
        }
    }
    for version in 0..=u8::MAX {
        damaged.change(&format!("version {version}"), |bytes| {
            (bytes[64], bytes[192]) = (version, version);
            bytes[70] ^= 1;
            bytes[200] ^= 1;
        });
    }
    damaged.finish();
}

#[test]
fn a_region_that_is_overwritten_is_recovered_from() {
    let mut damaged = Damaged::new();
    let (len, mut random) = (damaged.good.len(), Random(search::seed()));
    for round in 0..search::cases(400) {
        // Half of them at the beginning, where the header and the first pages are.
        let from = random.below(if round % 2 == 0 { 400 } else { len });
        let most = [8, 64, 600, 5000, len][random.below(5)];
        let count = random.below(most) + 1;
        let with = random.below(4);
        damaged.change(&format!("{count} bytes at {from}, by {with}"), |bytes| {
            for byte in bytes.iter_mut().skip(from).take(count) {
                *byte = match with {
                    0 => 0,
                    1 => 0xff,
                    2 => b' ',
                    _ => random.next() as u8,
                };
            }
        });
    }
    damaged.finish();
}

#[test]
fn a_file_of_another_length_is_recovered_from() {
    let mut damaged = Damaged::new();
    let len = damaged.good.len();
    let lengths = (0..HEADER + 8).chain((HEADER..len).step_by(997));
    for len in lengths.enumerate().filter(|(at, _)| at % 7 == 0).map(|(_, len)| len) {
        damaged.change(&format!("{len} bytes"), |bytes| bytes.truncate(len));
    }
    for more in [1, 100, 4095, 4096, 5000, len] {
        damaged.change(&format!("{more} more bytes"), |bytes| bytes.resize(len + more, 0));
    }
    damaged.finish();
}

#[test]
fn a_file_that_was_replaced_is_recovered_from() {
    let mut damaged = Damaged::new();
    let long = b"{\"hp\": 7, \"name\": \"Ann\", \"and so on\": true}".repeat(300);
    let texts: [&[u8]; 6] =
        [b"{}", b"\x8bARC\x02\0\0\0 and some more bytes", b"r", b"redb", b"\0", &long];
    for text in texts {
        damaged.try_out(&String::from_utf8_lossy(&text[..text.len().min(30)]), text);
    }
    damaged.finish();
}

/// A file in a newer format, which this program cannot read, is not damaged.
#[test]
fn a_newer_file_format_of_redb_is_not_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let storage = filled(Redb::open(&path).unwrap(), 10);
    export(&storage, export_path(&path)).unwrap();
    storage.close().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    for slot in [64, 192] {
        bytes[slot] = 4;
        let sum = xxhash_rust::xxh3::xxh3_128(&bytes[slot..slot + 112]);
        bytes[slot + 112..slot + 128].copy_from_slice(&sum.to_le_bytes());
    }
    fs::write(&path, &bytes).unwrap();
    for error in [Redb::open(&path).unwrap_err(), recover(&path).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.message().contains("a newer file format of redb"), "{error}");
    }
    assert!(fs::read(&path).unwrap() == bytes);
}

/// Files with the names that a recovery uses are neither followed nor replaced.
#[cfg(unix)]
#[test]
fn other_files_next_to_a_store_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let thesis = folder.path().join("thesis");
    fs::write(&thesis, b"years of work").unwrap();
    // A folder in the place of the export is not an export.
    fs::write(&path, b"redb, but no more").unwrap();
    fs::create_dir(export_path(&path)).unwrap();
    let error = Redb::open(&path).unwrap_err();
    assert!(error.message().contains("there is no export"), "{error}");
    assert!(recover(&path).is_err());
    fs::remove_dir(export_path(&path)).unwrap();

    fs::remove_file(&path).unwrap();
    let storage = filled(Redb::open(&path).unwrap(), 10);
    export(&storage, export_path(&path)).unwrap();
    drop(storage);
    fs::write(&path, b"redb, but no more").unwrap();
    std::os::unix::fs::symlink(&thesis, folder.path().join("campaign.store.new")).unwrap();
    fs::create_dir(folder.path().join("campaign.store.damaged")).unwrap();
    let recovered = recover(&path).unwrap();
    assert_eq!(recovered.aside, Some(folder.path().join("campaign.store.damaged-2")));
    assert_eq!(rows(&Redb::open(&path).unwrap()).unwrap().len(), 10);
    assert_eq!(fs::read(&thesis).unwrap(), b"years of work");
}
