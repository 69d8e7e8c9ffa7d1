//! The power is lost at any moment: the file has the committed state, or that of the interrupted
//! commit.

use archive_test_support::search;

use super::commit_histories::{Seen, run};
use super::disk::Faults;

#[test]
fn power_is_lost_at_any_moment() {
    let first = search::seed() << 32;
    let mut seen = Seen::default();
    for seed in first..first + u64::from(search::cases(20_000)) {
        if let Err(error) = run(seed, Faults::default(), &mut seen) {
            panic!("history {seed}: {error}");
        }
    }
    println!("{seen:?}");
    assert!(seen.losses_in_open > seen.losses / 20, "{seen:?}");
    assert!(seen.in_flight > seen.losses / 100, "{seen:?}");
    assert!(seen.commits > seen.losses && seen.failed_syncs > 0, "{seen:?}");
}

#[test]
fn a_sync_that_does_nothing_is_found() {
    let faults = Faults { drops_sync: Some(7), ..Faults::default() };
    let found = (0..500).find(|seed| run(*seed, faults, &mut Seen::default()).is_err());
    assert!(found.is_some(), "500 histories without a bad state");
}
