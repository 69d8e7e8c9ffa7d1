//! The size of a search. Searches look at a tenth of their cases, chosen by a seed. The script
//! `tests/search` runs all cases. A seed that ever failed is added to `tests/seeds.txt`, and each
//! search then runs it.

use proptest::test_runner::{Config, FileFailurePersistence};

/// The seeds of proptest that ever failed.
const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../seeds.txt");

/// Returns the number of tenths that searches run: the environment variable `SEARCH`, or one.
fn tenths() -> u32 {
    let text = std::env::var("SEARCH").unwrap_or_default();
    text.parse().unwrap_or(1)
}

/// Returns the seed that chooses the cases, and prints it. It is the seed of proptest's cases as well.
pub fn seed() -> u64 {
    let text = std::env::var("PROPTEST_RNG_SEED").unwrap_or_default();
    let seed = text.parse().unwrap_or(1);
    println!("to run these cases again: PROPTEST_RNG_SEED={seed} SEARCH={}", tenths());
    seed
}

/// Returns how many cases a search runs that has `all` of them.
pub fn cases(all: u32) -> u32 {
    (all * tenths() / 10).max(2)
}

/// Returns proptest's settings for a search of `all` cases.
pub fn config(all: u32) -> Config {
    seed();
    let seeds = FileFailurePersistence::Direct(SEEDS);
    Config { cases: cases(all), failure_persistence: Some(Box::new(seeds)), ..Config::default() }
}

/// Returns the cases that a search of `all` cases looks at.
pub fn some_of(all: usize) -> impl Iterator<Item = usize> {
    let (tenths, seed) = (tenths(), seed());
    (0..all).filter(move |&case| {
        // SplitMix64.
        let mut hash = (case as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (hash ^ hash >> 31) % 10 < tenths.into()
    })
}
