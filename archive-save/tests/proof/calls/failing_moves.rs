//! Moves of slots, and autosaves, in which a call fails.

use archive::Format;
use archive::save::{FileSystem, Saves};

use super::super::files_of_a_save::{number, numbered, numbers_of};
use super::super::moves::Move;
use super::{Case, Place, Tally};
use crate::saved_worlds::World;

pub(super) const CASES: &[(&str, Case)] = &[
    ("a copy", |place, fault, tally| moves(place, Move::Copy, fault, tally)),
    ("another name", |place, fault, tally| moves(place, Move::Rename, fault, tally)),
    ("a deletion", |place, fault, tally| moves(place, Move::Delete, fault, tally)),
    ("a restoration", |place, fault, tally| moves(place, Move::Restore, fault, tally)),
    ("an autosave", autosaves),
];

fn saves_in(place: &Place) -> Saves {
    Saves::over(place.system.clone(), &place.folder).unwrap().backups(2).autosaves(2)
}

fn moves(
    place: &Place,
    step: Move,
    fault: (usize, i32),
    tally: &mut Tally,
) -> Result<bool, String> {
    place.save("a.sav", 3);
    let saves = saves_in(place);
    if step == Move::Restore {
        saves.delete("a").unwrap();
    }
    let names = || {
        let trash = place.system.list(&place.folder.join("trash")).unwrap_or_default();
        (place.names(""), trash)
    };
    let before = names();
    let (result, is_reached) = place.run(fault, tally, || step.run(&saves))?;
    // A copy has no backups.
    let expected = |place: &str| {
        if step == Move::Copy && place == "b.sav" { vec![3] } else { vec![3, 2, 1] }
    };
    let places = || -> Result<[bool; 2], String> {
        let mut found = [false; 2];
        for (found, name) in found.iter_mut().zip(step.places()) {
            let numbers = numbers_of(&place.shared(), &place.folder.join(name))?;
            *found = numbers == expected(name);
        }
        Ok(found)
    };
    let [was, goes] = places()?;
    if !step.is_right(result.is_ok(), was, goes) {
        return Err(format!("{was}, {goes} after {result:?}"));
    }
    // If nothing was moved, nothing is left, so that the move can be repeated.
    if !goes {
        if names() != before {
            return Err(format!("{:?} are left", names()));
        }
        step.run(&saves).map_err(|error| format!("again: {error}"))?;
        let [was, goes] = places()?;
        if !step.is_right(true, was, goes) {
            return Err(format!("{was}, {goes} after it was done again"));
        }
    }
    Ok(is_reached)
}

fn autosaves(place: &Place, fault: (usize, i32), tally: &mut Tally) -> Result<bool, String> {
    let saves = saves_in(place);
    let autosave = |tick| saves.autosave()?.save(&numbered(tick), Format::Binary);
    for tick in 1..4 {
        autosave(tick).unwrap();
    }
    let (result, is_reached) = place.run(fault, tally, || autosave(4))?;
    let newest = saves.list().map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for slot in newest {
        found.push(number(&slot.load::<World>().map_err(|error| error.to_string())?.value)?);
    }
    let expected = if found.contains(&4) { [4, 3] } else { [3, 2] };
    let is_there = expected.iter().all(|number| found.contains(number));
    if !is_there || (result.is_ok() && expected[0] != 4) {
        return Err(format!("{found:?} are there after {result:?}"));
    }
    // Old ones that could not be removed are removed by the next save.
    autosave(5).map_err(|error| format!("the next: {error}"))?;
    let count = saves.list().map_err(|error| error.to_string())?.len();
    if count == 2 { Ok(is_reached) } else { Err(format!("{count} autosaves")) }
}
