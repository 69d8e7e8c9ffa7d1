//! How long something takes.

use std::time::{Duration, Instant};

/// The maximum number of runs of one function.
pub const MAX_RUNS: usize = 20;

/// No run begins after this time.
const MAX_TIME: Duration = Duration::from_millis(100);

/// Runs a function several times. Returns the result of the last run, and the time of the shortest.
pub fn least<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let (mut made, mut shortest) = timed(&mut run);
    for _ in 1..MAX_RUNS {
        if begin.elapsed() >= MAX_TIME {
            break;
        }
        let time;
        (made, time) = timed(&mut run);
        shortest = shortest.min(time);
    }
    (made, shortest)
}

fn timed<T>(run: &mut impl FnMut() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = run();
    (made, start.elapsed())
}
