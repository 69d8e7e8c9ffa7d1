//! Histories of commits on a disk that loses its power repeatedly, compared with a plain map.

use archive::store::storage::{Changes, Redb, Storage};

use super::Rows;
use super::disk::{Disk, Faults, Random};
use super::rows;

/// The events in histories.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) commits: u64,
    pub(crate) losses: u64,
    /// Losses while the file was opened, after another one.
    pub(crate) losses_in_open: u64,
    /// Losses after which the interrupted commit was complete.
    pub(crate) in_flight: u64,
    /// Failed syncs after which the program continued.
    pub(crate) failed_syncs: u64,
}

/// How often the power is lost in one history.
const LOSSES: usize = 4;

/// Runs one history. Returns the faults.
pub(crate) fn run(seed: u64, faults: Faults, seen: &mut Seen) -> Result<(), String> {
    let mut random = Random(seed);
    let disk = Disk::default();
    let mut committed = Rows::new();
    let mut in_flight = None;
    for _ in 0..LOSSES {
        let cut_at = if random.below(3) == 0 { random.below(8) } else { random.below(90) };
        let fails = random.below(4) == 0;
        disk.set_faults(Faults {
            cut_at: Some(cut_at as u64 + 1),
            sync_fails_at: fails.then(|| random.below(30) as u64),
            ..faults
        });
        match life(&disk, &mut committed, &mut in_flight, &mut random, seen) {
            Ok(()) => {}
            Err(_) if disk.is_off() => {}
            Err(error) => return Err(error),
        }
        disk.lose_power(&mut random);
        seen.losses += 1;
    }
    // While the power is on, everything works.
    match life_begins(&disk, &mut committed, &mut in_flight, seen) {
        Ok(storage) => storage.check().map_err(|error| error.to_string()),
        Err(error) => Err(error),
    }
}

/// Opens the file, and checks that it has one of the two states that it may have.
fn life_begins(
    disk: &Disk,
    committed: &mut Rows,
    in_flight: &mut Option<Rows>,
    seen: &mut Seen,
) -> Result<Redb, String> {
    let open = || Redb::with_backend(disk.clone(), "campaign.store");
    let opened = match open() {
        Err(error) if error.message().contains("the disk failed") => open(),
        opened => opened,
    };
    if disk.is_off() {
        seen.losses_in_open += 1;
    }
    let storage = opened.map_err(|error| error.to_string())?;
    let found = rows(&storage).map_err(|error| error.to_string())?;
    match in_flight.take() {
        Some(new) if found == new => {
            seen.in_flight += u64::from(new != *committed);
            *committed = new;
        }
        _ if found == *committed => {}
        _ => return Err(format!("{} rows of no commit", found.len())),
    }
    Ok(storage)
}

/// Commits until the power is cut.
fn life(
    disk: &Disk,
    committed: &mut Rows,
    in_flight: &mut Option<Rows>,
    random: &mut Random,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut storage = life_begins(disk, committed, in_flight, seen)?;
    loop {
        let (changes, new) = changes(committed, random);
        match storage.commit(&changes) {
            Ok(()) => {
                seen.commits += 1;
                *committed = new;
            }
            Err(_) if disk.is_off() => {
                *in_flight = Some(new);
                return Ok(());
            }
            Err(error) if error.message().contains("the disk failed") => {
                seen.failed_syncs += 1;
                if rows(&storage).map_err(|error| error.to_string())? != *committed {
                    return Err("a commit that failed is there".into());
                }
            }
            Err(error) => return Err(error.to_string()),
        }
        match random.below(24) {
            0 => drop(storage.compact()),
            1 => {
                drop(storage);
                storage = life_begins(disk, committed, in_flight, seen)?;
            }
            _ => {}
        }
    }
}

/// Makes some changes, and returns the new rows.
fn changes(rows: &Rows, random: &mut Random) -> (Changes, Rows) {
    let (mut changes, mut rows) = (Changes::new(), rows.clone());
    let large = random.below(10) == 0;
    for _ in 0..=random.below(12) {
        let key = (random.below(60) as u16).to_be_bytes();
        if random.below(4) == 0 {
            changes.delete(&key);
            rows.remove(&key[..]);
        } else {
            let len = random.below(if large { 9000 } else { 200 });
            let value = vec![random.next() as u8; len];
            changes.put(&key, &value);
            rows.insert(key.to_vec(), value);
        }
    }
    (changes, rows)
}
