//! Saves in which a call fails.

use super::super::files_of_a_save::{number, numbered, numbers_of};
use super::{BAD_SECTOR, Case, Place, Tally, format_of};
use crate::saved_worlds::World;

pub(super) const CASES: &[(&str, Case)] = &[
    ("the first save", |place, fault, tally| saves(place, "a.sav", 0, false, fault, tally)),
    ("the second save", |place, fault, tally| saves(place, "a.sav", 1, false, fault, tally)),
    ("a save", |place, fault, tally| saves(place, "a.sav", 4, false, fault, tally)),
    ("a save over a damaged one", |place, fault, tally| {
        saves(place, "a.sav", 4, true, fault, tally)
    }),
    ("a save as plain text", |place, fault, tally| saves(place, "a.json", 4, false, fault, tally)),
];

/// Saves three times; each time the same call fails. Then it saves once more: the backups are the
/// three saves before.
fn saves(
    place: &Place,
    name: &str,
    before: u64,
    is_damaged: bool,
    fault: (usize, i32),
    tally: &mut Tally,
) -> Result<bool, String> {
    place.save(name, before);
    let mut good: Vec<u64> = (1..=before).collect();
    if is_damaged {
        place.put(name);
        good.pop();
    }
    let file = place.file(name);
    let mut was_reached = false;
    for tick in 10..13 {
        let run = || file.save(&numbered(tick), format_of(name));
        let (result, is_reached) = place.run(fault, tally, run)?;
        was_reached |= is_reached;
        let found = match file.load::<World>() {
            Ok(loaded) => number(&loaded.value)?,
            Err(_) if good.is_empty() && result.is_err() => continue,
            Err(error) => return Err(format!("after {result:?}: {error}")),
        };
        if found == tick {
            good.push(tick);
        } else if result.is_ok() || good.last() != Some(&found) {
            return Err(format!("{found} is there after {good:?} and {result:?}"));
        }
        if !place.names(&format!("{name}.new")).is_empty() {
            return Err("the new file is left".into());
        }
    }
    file.save(&numbered(21), format_of(name)).map_err(|error| format!("the next: {error}"))?;
    good.push(21);
    let expected: Vec<u64> = good.iter().rev().take(3).copied().collect();
    let found = numbers_of(&place.shared(), file.path())?;
    let is_right = if fault.1 == BAD_SECTOR {
        // Files that could not be read are in quarantine.
        let all = place.all_numbers(name);
        found[0] == 21 && expected.iter().all(|number| all.contains(number))
    } else {
        found == expected
    };
    if is_right { Ok(was_reached) } else { Err(format!("{found:?} are there of {good:?}")) }
}
