//! Timing: all contestants in turn, round after round, in one process, so that a machine that is
//! slow for some time slows all of them.

use std::time::{Duration, Instant};

use crate::entry::Entry;

/// The duration of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of turns of each contestant.
    pub rounds: usize,
    /// How long a turn takes at least, for each operation; a fast operation is repeated.
    pub turn: Duration,
}

impl Plan {
    /// The plan of the published figures.
    pub const FULL: Plan = Plan { rounds: 40, turn: Duration::from_millis(3) };
    /// The plan of a test run, with rough figures.
    pub const QUICK: Plan = Plan { rounds: 5, turn: Duration::from_millis(1) };
}

/// How long a run takes, in seconds, that hardly depends on the contents of the caches before it. A
/// shorter run is made once before it is timed.
const LONG: f64 = 0.01;

/// The time of each operation of an entry in seconds, in the order of `Operation::ALL`: the
/// shortest of all rounds, because disturbances only make a round longer.
pub type Times = [Option<f64>; 3];

/// Times all operations of all entries.
pub fn measure(entries: &mut [Entry], plan: Plan) -> Vec<Times> {
    let mut best: Vec<Times> = vec![[None; 3]; entries.len()];
    let repeats: Vec<[u32; 3]> =
        entries.iter_mut().map(|entry| repeats(entry, plan.turn)).collect();
    for round in 0..plan.rounds {
        // The previous contestant leaves its data in the caches, so the order changes.
        for turn in 0..entries.len() {
            let index = (turn + round * 7) % entries.len();
            for (operation, run) in entries[index].operations.iter_mut().enumerate() {
                let Some(run) = run else { continue };
                let repeats = repeats[index][operation];
                let best = &mut best[index][operation];
                if best.is_none_or(|best| best < LONG) {
                    run();
                }
                let time = time(run, repeats);
                *best = Some(best.map_or(time, |best| best.min(time)));
            }
        }
    }
    best
}

/// The number of repetitions of each operation in one turn; this warms up, too.
fn repeats(entry: &mut Entry, turn: Duration) -> [u32; 3] {
    entry.operations.each_mut().map(|run| {
        let Some(run) = run else { return 0 };
        run();
        let once = time(run, 1).max(1e-9);
        (turn.as_secs_f64() / once).clamp(1.0, 10_000.0) as u32
    })
}

/// The mean time of some runs, in seconds.
pub fn time(run: &mut dyn FnMut(), repeats: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        run();
    }
    start.elapsed().as_secs_f64() / f64::from(repeats)
}
