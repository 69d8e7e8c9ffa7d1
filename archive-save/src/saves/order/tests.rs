//! The laws of [`newest_first`], against known histories and forged lineages.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use archive_test_support::search;
use proptest::prelude::*;

use super::{Age, newest_first};
use crate::lineage::{Branches, Lineage, Relation, relation};

/// What happens to the saves of a game.
#[derive(Clone, Debug)]
enum Step {
    /// The player saves to a slot on one of two devices.
    Save(usize, usize),
    /// The game saves, to a new slot.
    Autosave(usize),
    /// The game saves to its last autosave again.
    Again(usize),
    /// A slot, or the last autosave if there is no such slot, is copied over another one.
    Copy(usize, usize),
    /// A slot is replaced by an older file of any slot.
    Restore(usize, usize),
    /// The game of a device ends and is started again.
    Restart(usize),
    /// The clock is set.
    Clock(u64),
}

const SLOTS: usize = 4;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (slot, device) = (0..SLOTS, 0..2_usize);
    let step = prop_oneof![
        5 => (slot.clone(), device.clone()).prop_map(|(slot, device)| Step::Save(slot, device)),
        4 => device.clone().prop_map(Step::Autosave),
        1 => device.clone().prop_map(Step::Again),
        3 => (0..SLOTS + 2, slot.clone()).prop_map(|(from, to)| Step::Copy(from, to)),
        1 => (slot, any::<usize>()).prop_map(|(slot, file)| Step::Restore(slot, file)),
        1 => device.prop_map(Step::Restart),
        // Often the same date, so that other rules decide.
        3 => (0..6_u64).prop_map(Step::Clock),
    ];
    proptest::collection::vec(step, 1..40)
}

#[derive(Clone, Debug)]
struct Save {
    autosave: Option<u64>,
    lineage: Lineage,
    date: SystemTime,
}

/// Returns the saves by their names.
fn play(steps: &[Step]) -> BTreeMap<String, Save> {
    let mut branches = [Branches::new(), Branches::new()];
    let mut files: BTreeMap<String, Save> = BTreeMap::new();
    let (mut all, mut clock, mut last) = (Vec::<Save>::new(), 0, 0);
    let slot = |number: usize| format!("slot {number}");
    for step in steps {
        let (name, autosave, device) = match *step {
            Step::Save(to, device) => (slot(to), None, device),
            Step::Autosave(device) => {
                last += 1;
                (format!("autosave {last}"), Some(last), device)
            }
            Step::Again(device) if last > 0 => (format!("autosave {last}"), Some(last), device),
            Step::Again(_) => continue,
            Step::Copy(from, to) => {
                let from = if from < SLOTS { slot(from) } else { format!("autosave {last}") };
                if let Some(save) = files.get(&from).cloned() {
                    files.insert(slot(to), Save { autosave: None, ..save });
                }
                continue;
            }
            Step::Restore(to, file) => {
                if let Some(save) = all.get(file % all.len().max(1)).cloned() {
                    files.insert(slot(to), Save { autosave: None, ..save });
                }
                continue;
            }
            Step::Restart(device) => {
                branches[device] = Branches::new();
                continue;
            }
            Step::Clock(date) => {
                clock = date;
                continue;
            }
        };
        let before = files.get(&name).map(|save| &save.lineage);
        let lineage = Lineage::next(before, "", &branches[device]);
        let save = Save { autosave, lineage, date: UNIX_EPOCH + Duration::from_secs(clock) };
        all.push(save.clone());
        files.insert(name, save);
    }
    files
}

/// Returns whether the first save is newer, without comparing dates.
fn is_newer(first: &Save, second: &Save) -> bool {
    match (first.autosave, second.autosave) {
        (Some(first), Some(second)) => first > second,
        _ => relation(&first.lineage, &second.lineage) == Relation::Ahead,
    }
}

/// Repeatedly takes the save with the latest date among those to which no other one is newer.
fn model(saves: &BTreeMap<String, Save>) -> Vec<String> {
    let mut rest: Vec<(&String, &Save)> = saves.iter().collect();
    let mut sorted = Vec::new();
    while !rest.is_empty() {
        let is_first = |save: &Save| !rest.iter().any(|(_, other)| is_newer(other, save));
        let first = (0..rest.len()).filter(|at| is_first(rest[*at].1));
        let key = |at: &usize| {
            let (name, save) = rest[*at];
            (save.date, save.autosave, std::cmp::Reverse(name.clone()))
        };
        let first = first.max_by_key(key).expect("saves are newer than one another");
        sorted.push(rest.remove(first).0.clone());
    }
    sorted
}

fn age_of<'s>(name: &'s str, save: &'s Save) -> Age<'s> {
    Age { autosave: save.autosave, lineage: &save.lineage, date: save.date, name }
}

/// Sorts saves that are listed in another order.
fn sorted(saves: &BTreeMap<String, Save>, turn: usize, is_reversed: bool) -> Vec<String> {
    let mut all: Vec<(&String, &Save)> = saves.iter().collect();
    let turn = turn % all.len().max(1);
    all.rotate_left(turn);
    if is_reversed {
        all.reverse();
    }
    let ages: Vec<Age<'_>> = all.iter().map(|(name, save)| age_of(name, save)).collect();
    newest_first(&ages).into_iter().map(|at| all[at].0.clone()).collect()
}

/// Forged lineages: with numbers that are too high, and with circles.
fn forged() -> impl Strategy<Value = BTreeMap<String, Save>> {
    let number = || prop_oneof![9 => 0..5_u64, 1 => Just(u64::MAX)];
    let before = proptest::collection::vec((number(), number()), 0..4);
    let save = (number(), number(), before, proptest::option::of(Just(())), 0..5_u64);
    proptest::collection::vec(save, 0..12).prop_map(|saves| {
        let named =
            saves.into_iter().enumerate().map(|(at, (branch, counter, before, auto, date))| {
                let autosave = auto.map(|()| at as u64);
                let lineage = Lineage::forged(branch, counter, before);
                let date = UNIX_EPOCH + Duration::from_secs(date);
                (format!("{at:02}"), Save { autosave, lineage, date })
            });
        named.collect()
    })
}

proptest! {
    #![proptest_config(search::config(4_000))]

    #[test]
    fn the_order_is_that_of_the_history(steps in steps(), turn in any::<usize>()) {
        let saves = play(&steps);
        let expected = model(&saves);
        prop_assert_eq!(sorted(&saves, turn, false), expected.clone());
        prop_assert_eq!(sorted(&saves, turn, true), expected);
    }

    #[test]
    fn forged_lineages_have_one_order(saves in forged(), turn in any::<usize>()) {
        let order = sorted(&saves, 0, false);
        prop_assert_eq!(order.len(), saves.len());
        prop_assert_eq!(&sorted(&saves, turn, true), &order);
        let numbers = order.iter().filter_map(|name| saves[name].autosave);
        prop_assert!(numbers.collect::<Vec<_>>().is_sorted_by(|newer, older| newer > older));
        // Between saves of the player a lineage that counts up is believed.
        for (at, older) in order.iter().enumerate() {
            let later = order[at + 1..].iter().map(|name| &saves[name]);
            let older = &saves[older];
            let is_before = later.filter(|save| save.autosave.or(older.autosave).is_none()).any(|save| {
                let counter = |save: &Save| save.lineage.place().map(|(_, counter)| counter);
                let counts_up = counter(save) > counter(older);
                counts_up && save.lineage.continues(&older.lineage)
            });
            prop_assert!(!is_before);
        }
    }
}

fn save(date: u64, autosave: Option<u64>, lineage: Lineage) -> Save {
    Save { autosave, lineage, date: UNIX_EPOCH + Duration::from_secs(date) }
}

/// By date `c` is newer than `a`, and `b` than `c`; but `a` continues `b`.
#[test]
fn three_rules_make_no_circle() {
    let branches = Branches::new();
    let b = Lineage::next(None, "", &branches);
    let a = Lineage::next(Some(&b), "", &branches);
    let c = Lineage::next(None, "", &branches);
    let saves = [("a", save(1, None, a)), ("b", save(3, None, b)), ("c", save(2, None, c))];
    let saves = saves.map(|(name, save)| (name.to_owned(), save)).into();
    assert_eq!(sorted(&saves, 0, false), ["c", "a", "b"]);
}

/// Many saves in a folder, each with its own lineage or all in one branch.
#[test]
fn many_saves_have_few_relations() {
    let branches = Branches::new();
    let mut last: Option<Lineage> = None;
    let mut relations = |count: u64| {
        let mut all = BTreeMap::new();
        for number in 0..count {
            let lineage = Lineage::next(last.as_ref().filter(|_| number % 3 > 0), "", &branches);
            last = Some(lineage.clone());
            let autosave = (number % 5 == 0).then_some(number);
            all.insert(format!("{number:06}"), save(count - number, autosave, lineage));
        }
        let ages: Vec<_> = all.iter().map(|(name, save)| age_of(name, save)).collect();
        let mut graph =
            super::Graph { older: vec![Vec::new(); ages.len()], newer: vec![0; ages.len()] };
        graph.add_lineages(&ages);
        graph.add_numbers(&ages);
        graph.newer.iter().sum::<usize>()
    };
    let (some, twice) = (relations(1_000), relations(2_000));
    assert!(twice <= 2 * some + 10, "{some} relations of 1,000 saves, {twice} of 2,000");
}

/// Nothing is known of a save without a number, although an old lineage has the place of one.
#[test]
fn dates_order_saves_without_a_number() {
    let old = save(1, None, Lineage::forged(7, 2, vec![(0, 0)]));
    let (first, second) = (save(2, None, Lineage::default()), save(3, None, Lineage::default()));
    let saves = [("first", first), ("old", old), ("second", second)];
    let saves = saves.map(|(name, save)| (name.to_owned(), save)).into();
    assert_eq!(sorted(&saves, 0, false), ["second", "first", "old"]);
}
