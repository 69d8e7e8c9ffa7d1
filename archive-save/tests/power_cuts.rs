//! The power is cut at any system call: the old or the new save exists, and after `Ok` the new one.

use std::path::Path;

use archive::Format;
use archive::save::SaveFile;
use archive_test_support::search;

use crate::proof::interrupted_save::{CALLS, SYNCS, Seen, history};
use crate::proof::moves::{self, MOVES, Move};
use crate::proof::{is_windows, power_cuts};
use crate::saved_worlds::world;

#[test]
fn two_thousand_power_cuts() {
    for path in ["saves/quick.sav", "saves/quick.json"] {
        let mut seen = Seen::default();
        let seed = search::seed();
        let wrong: Vec<_> = (0..1_000)
            .filter_map(|n| history(seed ^ n << 8, path, None, &mut seen).err())
            .collect();
        assert!(wrong.is_empty(), "{} are wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(3)]);
        assert!(seen.new > 100 && seen.old > 100, "{} new, {} old", seen.new, seen.old);
    }
}

/// Each sync is necessary: without it the same search finds a bad state.
#[test]
fn each_missing_sync_is_found() {
    for path in ["saves/quick.sav", "saves/quick.json"] {
        // In a journal, the names of backups come after that of the new file.
        let syncs = if is_windows() { &SYNCS[..3] } else { &SYNCS[..] };
        for (sync, what) in syncs.iter().enumerate() {
            // The last one matters if there are three backups or more, and the power is cut right
            // after it.
            let wrong = (0..1_500)
                .filter(|n| history(n << 8, path, Some(sync as u64), &mut Seen::default()).is_err())
                .take(11)
                .count();
            assert_eq!(wrong, 11, "{path}: without the sync of {what}, {wrong} of 1,500 are wrong");
        }
    }
}

/// There are exactly these four syncs, so each of them was left out above.
#[test]
fn a_save_with_two_backups_makes_four_syncs() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "saves/quick.sav").backups(2);
    for tick in 0..4 {
        system.take_calls();
        file.save(&world(tick, 3), Format::Binary).unwrap();
    }
    let calls: Vec<String> = system.take_calls().iter().map(|call| format!("{call:?}")).collect();
    assert_eq!(calls.iter().filter(|call| call.contains("Sync")).count(), 4, "{calls:#?}");
    assert!((calls.len() as u64) < CALLS - 4, "{calls:#?}");
    assert_eq!(Path::new("saves/quick.sav.2"), system.paths()[2]);
}

#[test]
fn a_move_makes_fewer_calls_than_are_cut() {
    for step in MOVES {
        let calls = moves::calls(step).unwrap();
        assert!((calls.len() as u64) < moves::CALLS, "{step:?}: {calls:#?}");
    }
}

/// A slot that is moved exists under the old or the new name, and under the new one after `Ok`.
#[test]
fn power_cuts_while_slots_move() {
    let seed = search::seed();
    for step in MOVES {
        for n in 0..400 {
            moves::history(seed ^ n << 8, step, None).unwrap();
        }
        // In a journal the new names come before the old ones go.
        let needed = if is_windows() && step != Move::Copy { 1..2 } else { 0..2 };
        for sync in needed {
            let wrong =
                (0..400).filter(|n| moves::history(n << 8, step, Some(sync)).is_err()).count();
            assert!(wrong > 0, "{step:?}: the missing sync {sync} is not found");
        }
    }
}
