//! Loads and lists in which a call fails.

use archive::save::{Saves, SlotState};

use super::super::files_of_a_save::number;
use super::{BAD_SECTOR, Case, Place, Tally};
use crate::saved_worlds::World;

pub(super) const CASES: &[(&str, Case)] = &[
    ("a load", |place, fault, tally| loads(place, false, fault, tally)),
    ("a load that falls back", |place, fault, tally| loads(place, true, fault, tally)),
    ("a list", lists),
];

fn loads(
    place: &Place,
    is_damaged: bool,
    fault: (usize, i32),
    tally: &mut Tally,
) -> Result<bool, String> {
    place.save("a.sav", 3);
    place.put("a.sav.new");
    if is_damaged {
        place.put("a.sav");
    }
    let good = if is_damaged { vec![2, 1] } else { vec![3, 2, 1] };
    let file = place.file("a.sav");
    let (result, is_reached) = place.run(fault, tally, || file.load::<World>())?;
    if let Ok(loaded) = result {
        let found = number(&loaded.value)?;
        let is_said = loaded.fell_back.is_some() && !loaded.damaged.is_empty();
        // A file that the drive cannot read is damaged.
        let is_right = found == good[0] || fault.1 == BAD_SECTOR;
        if !is_right || is_said != (found != 3) {
            return Err(format!("{found} was loaded, {:?}", loaded.damaged));
        }
    }
    let loaded = file.load::<World>().map_err(|error| format!("the next: {error}"))?;
    number(&loaded.value)?;
    let all = place.all_numbers("a.sav");
    if !good.iter().all(|number| all.contains(number)) {
        return Err(format!("{all:?} are left of {good:?}"));
    }
    if !place.names("a.sav.new").is_empty() {
        return Err("the new file is left".into());
    }
    Ok(is_reached)
}

fn lists(place: &Place, fault: (usize, i32), tally: &mut Tally) -> Result<bool, String> {
    place.save("a.sav", 3);
    place.save("b.sav", 1);
    let saves = Saves::over(place.system.clone(), &place.folder).unwrap();
    let before = place.names("");
    let (result, is_reached) = place.run(fault, tally, || saves.list())?;
    if let Ok(slots) = result
        && (slots.len() != 2 || slots.iter().any(|slot| slot.state() == SlotState::Empty))
    {
        return Err(format!("the list is {slots:?}"));
    }
    if place.names("") != before {
        return Err("a list has changed something".into());
    }
    Ok(is_reached)
}
