//! A clock that was set back: numbers and lineages say which save is the newest, in lists, for "Continue" and
//! for the autosaves that are removed.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use archive::Format;
use archive::save::Saves;

use crate::proof::failing_system::Failing;
use crate::proof::power_cuts;

/// Returns slots with a clock that can be set to a year.
fn saves() -> (Saves, impl Fn(u64)) {
    let clock = Failing::new(Arc::new(power_cuts()));
    let saves = Saves::over(clock.clone(), "saves").unwrap().autosaves(3);
    let year = Duration::from_secs(31_556_952);
    (saves, move |number| clock.set_clock(UNIX_EPOCH + year * (number - 1970) as u32))
}

fn names(saves: &Saves) -> Vec<String> {
    saves.list().unwrap().iter().map(|slot| slot.name().to_owned()).collect()
}

fn newest(saves: &Saves) -> i32 {
    saves.load_newest::<i32>().unwrap().unwrap().value
}

#[test]
fn autosaves_follow_their_numbers() {
    let (saves, set_year) = saves();
    for (number, year) in [(1, 2031), (2, 2031), (3, 2026), (4, 2026), (5, 2025)] {
        set_year(year);
        saves.autosave().unwrap().save(&number, Format::Json).unwrap();
        assert_eq!(newest(&saves), number);
        // The end of the list is removed.
        let kept = (1..=number).rev().take(3).map(|number| format!("autosave {number}"));
        assert_eq!(names(&saves), kept.collect::<Vec<_>>());
    }
}

#[test]
fn a_save_that_continues_another_is_newer() {
    let (saves, set_year) = saves();
    set_year(2031);
    saves.slot("a").unwrap().save(&1, Format::Json).unwrap();
    saves.copy("a", "b").unwrap();
    set_year(2026);
    saves.slot("b").unwrap().save(&2, Format::Json).unwrap();
    assert_eq!(names(&saves), ["b", "a"]);
    assert_eq!(newest(&saves), 2);
    // The date of a save that was continued no longer matters.
    set_year(2027);
    saves.slot("c").unwrap().save(&3, Format::Json).unwrap();
    assert_eq!(names(&saves), ["c", "b", "a"]);
    set_year(2025);
    saves.slot("d").unwrap().save(&4, Format::Json).unwrap();
    assert_eq!(names(&saves), ["c", "b", "a", "d"]);
}

#[test]
fn autosaves_and_saves_of_the_player_are_compared_by_date() {
    let (saves, set_year) = saves();
    set_year(2031);
    saves.autosave().unwrap().save(&1, Format::Json).unwrap();
    set_year(2026);
    saves.autosave().unwrap().save(&2, Format::Json).unwrap();
    saves.slot("early").unwrap().save(&3, Format::Json).unwrap();
    set_year(2028);
    saves.slot("late").unwrap().save(&4, Format::Json).unwrap();
    assert_eq!(names(&saves), ["late", "autosave 2", "autosave 1", "early"]);
    assert_eq!(newest(&saves), 4);
}
