//! A process that commits generations of rows and is killed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use archive::store::storage::{Changes, Redb, Storage};

use super::disk::Random;

/// The text that a process prints before it commits.
const BEGUN: &str = "begun";

/// Commits one generation after the other, and prints each that is committed. It never ends.
pub(crate) fn commit_until_killed(path: &Path) -> ! {
    println!("{BEGUN}");
    let storage = Redb::open(path).unwrap();
    let mut random = Random(u64::from(std::process::id()));
    for generation in last(&storage).unwrap() + 1.. {
        let mut changes = Changes::new();
        // Each row, of another length, so that pages are split and joined.
        for number in 0..40_u8 {
            changes.delete(&[number, 1]);
            let value = [&generation.to_be_bytes()[..], &vec![0; random.below(500)]].concat();
            changes.put(&[number, 0], &value);
        }
        for number in 0..(generation % 40) as u8 {
            changes.put(&[number, 1], &generation.to_be_bytes());
        }
        storage.commit(&changes).unwrap();
        println!("{generation}");
        std::io::stdout().flush().unwrap();
    }
    unreachable!("numbers do not end")
}

/// Returns the generation of all rows. Rows of two generations are an error.
fn last(storage: &Redb) -> Result<u64, String> {
    let (mut generations, mut count) = (Vec::new(), 0);
    let read = storage.scan(&[], &[], &mut |_, value| {
        generations.push(u64::from_be_bytes(*value.first_chunk().expect("a generation")));
        count += 1;
        Ok(true)
    });
    read.map_err(|error| error.to_string())?;
    generations.dedup();
    match *generations {
        [] => Ok(0),
        [generation] if count == 40 + generation % 40 => Ok(generation),
        _ => Err(format!("{count} rows of the generations {generations:?}")),
    }
}

/// Starts a process that [commits until it is killed](commit_until_killed), kills it after a random time, and
/// checks the file, which was at `before`. Returns the generation at which it is now.
pub(crate) fn kill_once(
    child: &mut Command,
    path: &Path,
    before: u64,
    random: &mut Random,
) -> Result<u64, String> {
    let mut child = child.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    // How long a process takes to start differs between systems.
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    _ = lines.find(|line| line.as_ref().is_ok_and(|line| line.ends_with(BEGUN)));
    std::thread::sleep(Duration::from_micros(random.below(40_000) as u64));
    child.kill().map_err(|error| error.to_string())?;
    child.wait().map_err(|error| error.to_string())?;
    let numbers = lines.filter_map(|line| line.ok()?.parse::<u64>().ok());
    let printed = numbers.last().unwrap_or(before);

    let storage = Redb::open(path).map_err(|error| error.to_string())?;
    let found = last(&storage)?;
    if random.below(10) == 0 {
        storage.check().map_err(|error| error.to_string())?;
    }
    // The next generation may be there, if the process was killed before it printed that.
    if found == printed || found == printed + 1 {
        Ok(found)
    } else {
        Err(format!("the generation {found} where {printed} was committed"))
    }
}
