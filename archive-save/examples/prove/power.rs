//! Power cuts, with all syncs and without one of them.

use crate::proof::interrupted_save::{SYNCS, Seen, history};
use crate::proof::moves::{self, MOVES, Move};
use crate::{Row, Rows};

/// Cuts the power while a file is saved, as a save and as plain text.
pub(crate) fn saves(count: u64) -> Rows {
    let paths = ["saves/quick.sav", "saves/quick.json"];
    let mut seen = Seen::default();
    for seed in 0..count {
        history(seed << 8, paths[seed as usize % 2], None, &mut seen)?;
    }
    let result = format!(
        "0 bad: {} had the new save, {} the old one, after {} losses of power",
        seen.new, seen.old, seen.losses
    );
    let mut rows = vec![Row::new("saves that the power interrupts", count, result)];
    for (sync, what) in SYNCS.iter().enumerate() {
        let (count, mut seen) = ((count / 10).max(1_200), Seen::default());
        let bad = (0..count).filter(|seed| {
            history(seed << 8, paths[*seed as usize % 2], Some(sync as u64), &mut seen).is_err()
        });
        rows.push(without(format!("the same, without the sync of {what}"), count, bad.count())?);
    }
    Ok(rows)
}

/// Cuts the power while a slot moves.
pub(crate) fn moves(count: u64) -> Rows {
    let mut rows = Vec::new();
    for step in MOVES {
        for seed in 0..count {
            moves::history(seed << 8, step, None)?;
        }
        let what = match step {
            Move::Copy => "copies of a slot that the power interrupts",
            Move::Rename => "other names of a slot, likewise",
            Move::Delete => "deletions of a slot, likewise",
            Move::Restore => "restorations of a slot, likewise",
        };
        rows.push(Row::new(what, count, "0 bad"));
        for (sync, which) in ["first", "second"].iter().enumerate() {
            let is_bad = |seed: &u64| moves::history(seed << 8, step, Some(sync as u64)).is_err();
            let bad = (0..count).filter(is_bad).count();
            rows.push(without(format!("the same, without the {which} sync"), count, bad)?);
        }
    }
    Ok(rows)
}

/// The row of a search that must find something.
fn without(what: String, count: u64, bad: usize) -> Result<Row, String> {
    if bad == 0 {
        Err(format!("{what}: nothing is found"))
    } else {
        Ok(Row::new(what, count, format!("{bad} bad are found")))
    }
}
