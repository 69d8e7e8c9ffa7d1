//! The laws of [`relation`], against known histories.

use std::collections::BTreeSet;

use archive_test_support::search;
use proptest::prelude::*;

use super::{Branches, Lineage, MAX_BRANCHES, Relation, relation};

/// What happens to the files of some devices.
#[derive(Clone, Debug)]
enum Step {
    /// The game saves to a file.
    Save(usize),
    /// The game of a device ends and is started again.
    Restart(usize),
    /// A file is copied over another one, as sync clients do.
    Copy(usize, usize),
    /// A conflict of two files is resolved: the first one becomes a save that continues both.
    Resolve(usize, usize),
    /// The file is replaced by an older one, outside of the game.
    Restore(usize, usize),
}

/// Each file is on one of the devices.
const FILES: usize = 4;
const DEVICES: usize = 2;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let file = 0..FILES;
    let step = prop_oneof![
        5 => file.clone().prop_map(Step::Save),
        1 => (0..DEVICES).prop_map(Step::Restart),
        2 => (file.clone(), file.clone()).prop_map(|(from, to)| Step::Copy(from, to)),
        1 => (file.clone(), file.clone()).prop_map(|(kept, other)| Step::Resolve(kept, other)),
        1 => (file, any::<usize>()).prop_map(|(file, save)| Step::Restore(file, save)),
    ];
    proptest::collection::vec(step, 1..40)
}

/// A save, and the numbers of all saves that it comes from.
#[derive(Clone)]
struct Known {
    lineage: Lineage,
    ancestors: BTreeSet<u64>,
}

fn play(steps: &[Step]) -> Vec<Known> {
    let mut branches: Vec<Branches> = (0..DEVICES).map(|_| Branches::new()).collect();
    let mut files: Vec<Option<Known>> = vec![None; FILES];
    let mut all: Vec<Known> = Vec::new();
    for step in steps {
        match *step {
            Step::Save(file) => {
                let before = files[file].take();
                let lineage = before.as_ref().map(|known| &known.lineage);
                let lineage = Lineage::next(lineage, "", &branches[file % DEVICES]);
                let mut ancestors = BTreeSet::new();
                if let Some(before) = before {
                    ancestors = before.ancestors;
                    ancestors.insert(before.lineage.id);
                }
                let known = Known { lineage, ancestors };
                files[file] = Some(known.clone());
                all.push(known);
            }
            Step::Resolve(kept, other) => {
                let (Some(first), Some(second)) = (&files[kept], &files[other]) else { continue };
                let branches = &branches[kept % DEVICES];
                let lineage = Lineage::both(&first.lineage, &second.lineage, "", branches);
                let mut ancestors = &first.ancestors | &second.ancestors;
                ancestors.extend([first.lineage.id, second.lineage.id]);
                let known = Known { lineage, ancestors };
                files[kept] = Some(known.clone());
                all.push(known);
            }
            Step::Restart(device) => branches[device] = Branches::new(),
            Step::Copy(from, to) => files[to] = files[from].clone(),
            Step::Restore(file, save) if !all.is_empty() => {
                files[file] = Some(all[save % all.len()].clone());
            }
            Step::Restore(..) => {}
        }
    }
    all
}

proptest! {
    #![proptest_config(search::config(2_000))]

    #[test]
    fn relations_are_those_of_the_history(steps in steps()) {
        let all = play(&steps);
        for first in &all {
            for second in &all {
                let (a, b) = (first.lineage.id, second.lineage.id);
                let expected = if a == b {
                    Relation::Equal
                } else if first.ancestors.contains(&b) {
                    Relation::Ahead
                } else if second.ancestors.contains(&a) {
                    Relation::Behind
                } else {
                    Relation::Diverged
                };
                prop_assert_eq!(relation(&first.lineage, &second.lineage), expected);
                let stored = first.lineage.to_record().to_lineage();
                prop_assert_eq!(stored.as_ref(), Some(&first.lineage));
            }
        }
    }
}

#[test]
fn what_is_forgotten_has_diverged() {
    let mut saves = vec![Lineage::next(None, "", &Branches::new())];
    for _ in 0..MAX_BRANCHES + 1 {
        saves.push(Lineage::next(saves.last(), "", &Branches::new()));
    }
    let last = saves.last().unwrap();
    assert_eq!(last.before.len(), MAX_BRANCHES);
    assert_eq!(relation(last, &saves[0]), Relation::Diverged);
    assert_eq!(relation(last, &saves[1]), Relation::Ahead);
    assert_eq!(relation(&saves[1], last), Relation::Behind);
}

/// Both sides of a resolved conflict are known, even if one of them is much older than the other.
#[test]
fn a_resolved_conflict_forgets_neither_side() {
    let mut long = Lineage::next(None, "", &Branches::new());
    for _ in 0..2 * MAX_BRANCHES {
        long = Lineage::next(Some(&long), "", &Branches::new());
    }
    let short = Lineage::next(None, "", &Branches::new());
    for (kept, other) in [(&long, &short), (&short, &long)] {
        let both = Lineage::both(kept, other, "laptop", &Branches::new());
        assert_eq!(relation(&both, kept), Relation::Ahead);
        assert_eq!(relation(&both, other), Relation::Ahead);
        assert_eq!((both.parent, both.before.len()), (kept.id, MAX_BRANCHES));
        assert_eq!((both.counter, both.device()), (long.counter + 1, "laptop"));
    }
}

/// All saves of one run are one branch, however many there are.
#[test]
fn a_run_is_one_branch() {
    let branches = Branches::new();
    let first = Lineage::next(None, "", &branches);
    let mut last = first.clone();
    for _ in 0..10 * MAX_BRANCHES {
        last = Lineage::next(Some(&last), "", &branches);
    }
    assert_eq!((last.branch, last.before.len()), (first.branch, 0));
    assert_eq!(relation(&last, &first), Relation::Ahead);
}

#[test]
fn the_last_counter_begins_a_branch() {
    let branches = Branches::new();
    let last = Lineage {
        counter: u64::MAX,
        branch: branches.begin(u64::MAX),
        ..Lineage::next(None, "", &branches)
    };
    let next = Lineage::next(Some(&last), "", &branches);
    assert_ne!(next.branch, last.branch);
    assert_eq!(relation(&next, &last), Relation::Ahead);
}

/// Saves made in a browser have no number, and nothing is known of them.
#[test]
fn saves_without_a_number_have_diverged_from_all_others() {
    let (branches, browser) = (Branches::new(), Lineage::default());
    let next = Lineage::next(Some(&browser), "", &branches);
    let resolved = Lineage::both(&next, &browser, "", &branches);
    // Those of an older version of this library have the place of such a save.
    let old = Lineage::forged(7, 2, vec![(0, 0)]);
    for save in [&next, &resolved, &old, &browser] {
        assert_eq!(relation(save, &browser), Relation::Diverged, "{save:?}");
        assert_eq!(relation(&browser, save), Relation::Diverged, "{save:?}");
    }
    assert_eq!((&next.before, &resolved.before), (&vec![], &vec![(next.branch, next.counter)]));
    assert_eq!((next.parent, next.counter), (0, 1));
}

/// The lineage of a file is as long as those that this library writes, or shorter.
#[test]
fn a_long_lineage_is_cut() {
    let long = Lineage::forged(1, 100_000, (2..100_000).map(|branch| (branch, branch)).collect());
    let read = long.to_record().to_lineage().unwrap();
    assert_eq!(read.before, long.before[long.before.len() - MAX_BRANCHES..]);
    assert_eq!(relation(&read, &Lineage::forged(99_999, 99_999, Vec::new())), Relation::Ahead);
}
