//! Damaged files: a read returns the right value, or an error names the damage.

use archive::store::storage::{Redb, Storage};
use archive::{Error, ErrorKind};
use archive_test_support::search;

use super::disk::{Disk, Random};
use super::{Rows, filled, put, rows};

const NAME: &str = "campaign.store";

/// Returns a file of a few hundred rows of several sizes, and its rows. It has a history: pages of
/// older commits.
fn file() -> (Vec<u8>, Rows) {
    let disk = Disk::default();
    let storage = filled(Redb::with_backend(disk.clone(), NAME).unwrap(), 400);
    put(&storage, b"large", &[9; 20_000]).unwrap();
    for number in 0..40_u32 {
        put(&storage, &(number * 9).to_be_bytes(), &[number as u8; 80]).unwrap();
    }
    let expected = rows(&storage).unwrap();
    storage.close().unwrap();
    (disk.bytes(), expected)
}

/// The results of opening damaged files.
#[derive(Debug, Default)]
struct Outcomes {
    /// They were not opened for writing.
    not_opened: u32,
    /// Nor read-only.
    not_opened_to_read: u32,
    /// There was an error when they were read.
    not_read: u32,
    /// Only opening it for writing found the damage: rows seemed to be missing or older.
    missing: u32,
    /// The damage was in an unused place.
    same: u32,
}

/// Opens a file in both ways. Reads of a file with one fault must be right, or return an error. For
/// others, at least opening it for writing must find the fault.
fn look_at(
    bytes: &[u8],
    expected: &Rows,
    has_one_fault: bool,
    seen: &mut Outcomes,
) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    std::fs::write(&path, bytes).unwrap();
    let (mut errors, mut is_missing) = (Vec::new(), false);
    match Redb::open_read_only(&path) {
        Ok(reader) => read(&reader, expected, &mut errors, &mut is_missing),
        // A file that was not closed is repaired by the one who opens it for writing.
        Err(error) if error.message().contains("was not closed") => {}
        Err(error) => {
            seen.not_opened_to_read += 1;
            errors.push(error);
        }
    }
    seen.not_read += u32::from(!errors.is_empty());
    if is_missing && has_one_fault && errors.is_empty() {
        return Err("other rows, or fewer".into());
    }
    let is_read = errors.is_empty() && !is_missing;

    let disk = Disk::of(bytes.to_vec());
    match Redb::with_backend(disk.clone(), NAME) {
        Err(error) => {
            seen.not_opened += 1;
            seen.missing += u32::from(is_missing);
            errors.push(error);
        }
        Ok(_) if is_missing => return Err("`open` did not find what is wrong".into()),
        Ok(storage) => {
            seen.same += u32::from(is_read);
            if rows(&storage).map_err(|error| error.to_string())? != *expected {
                return Err("other rows".into());
            }
            let done = storage.check().and_then(|()| put(&storage, b"new", b"value"));
            done.and_then(|()| storage.compact()).map_err(|error| error.to_string())?;
        }
    }
    // A length in the file is not trusted.
    if disk.beyond() > 64 << 20 {
        return Err(format!("{} bytes of memory for a read", disk.beyond()));
    }
    errors.iter().try_for_each(|error| {
        let is_typed = matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Unsupported);
        if is_typed && error.message().contains(NAME) { Ok(()) } else { Err(error.to_string()) }
    })
}

/// Reads a file by a scan, and each row by its key.
fn read(storage: &Redb, expected: &Rows, errors: &mut Vec<Error>, is_missing: &mut bool) {
    let mut seen = 0;
    let scanned = storage.scan(&[], &[], &mut |key, value| {
        seen += 1;
        *is_missing |= expected.get(key).is_none_or(|expected| expected != value);
        Ok(true)
    });
    match scanned {
        Ok(()) => *is_missing |= seen < expected.len(),
        Err(error) => errors.push(error),
    }
    for (key, value) in expected {
        let mut is_same = false;
        let is_there = storage.get(key, &mut |found| {
            is_same = found == value;
            Ok(())
        });
        match is_there {
            Ok(is_there) => *is_missing |= !is_there || !is_same,
            Err(error) => errors.push(error),
        }
    }
}

/// Prints the faults, and fails if there are any.
fn assert_none(wrong: &[String], seen: &Outcomes) {
    println!("{seen:?}");
    wrong.iter().for_each(|wrong| println!("{wrong}"));
    assert!(wrong.is_empty(), "{} are wrong", wrong.len());
}

#[test]
fn a_bit_is_flipped_in_each_page() {
    const PAGE: usize = 4096;
    let (bytes, expected) = file();
    let mut random = Random(search::seed());
    let (mut seen, mut wrong) = (Outcomes::default(), Vec::new());
    for page in 0..bytes.len() / PAGE {
        for _ in 0..search::cases(100) {
            let bit = page * PAGE * 8 + random.below(PAGE * 8);
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Err(error) = look_at(&flipped, &expected, true, &mut seen) {
                wrong.push(format!("bit {bit} in page {page}: {error}"));
            }
        }
    }
    assert_none(&wrong, &seen);
    assert!(seen.not_read > 0, "{seen:?}");
}

#[test]
fn a_file_is_cut_at_each_length() {
    let (bytes, expected) = file();
    let (mut seen, mut wrong) = (Outcomes::default(), Vec::new());
    let step = bytes.len() / search::cases(1000) as usize;
    // An empty file is a new one.
    for len in (1..400).step_by(7).chain((400..bytes.len()).step_by(step)) {
        if let Err(error) = look_at(&bytes[..len], &expected, true, &mut seen) {
            wrong.push(format!("{len} bytes: {error}"));
        }
    }
    assert_none(&wrong, &seen);
}

#[test]
fn each_byte_of_the_header_is_changed() {
    const HEADER: usize = 320;
    let (bytes, expected) = file();
    let (mut seen, mut wrong) = (Outcomes::default(), Vec::new());
    for at in 0..HEADER {
        for value in [0, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x10] {
            let mut changed = bytes.clone();
            changed[at] = value;
            if let Err(error) = look_at(&changed, &expected, true, &mut seen) {
                wrong.push(format!("{value} at {at}: {error}"));
            }
        }
    }
    assert_none(&wrong, &seen);
}

#[test]
fn hostile_files_are_errors() {
    let (bytes, expected) = file();
    let mut random = Random(search::seed());
    let (mut seen, mut wrong) = (Outcomes::default(), Vec::new());
    for round in 0..search::cases(3000) {
        let mut hostile = bytes.clone();
        match round % 3 {
            // Random bytes after the first ones.
            0 => {
                hostile.truncate(random.below(40_000) + 9);
                hostile[9..].iter_mut().for_each(|byte| *byte = random.next() as u8);
            }
            // Random bytes at several places.
            1 => (0..random.below(40) + 1).for_each(|_| {
                let at = random.below(bytes.len());
                hostile[at] = random.next() as u8;
            }),
            // A page in the place of another one.
            _ => {
                let (from, to) =
                    (random.below(bytes.len() / 4096), random.below(bytes.len() / 4096));
                hostile.copy_within(from * 4096..(from + 1) * 4096, to * 4096);
            }
        }
        if let Err(error) = look_at(&hostile, &expected, false, &mut seen) {
            wrong.push(format!("round {round}: {error}"));
        }
    }
    assert_none(&wrong, &seen);
}
