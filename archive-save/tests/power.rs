//! The power is cut at any call: the old save or the new one is there, and the new one after `Ok`.

use std::path::Path;

use archive::Format;
use archive::save::SaveFile;
use archive::save::testing::PowerCuts;
use archive_test_support::search;

use crate::worlds::{World, world};

/// More calls than a save makes.
const CALLS: u64 = 24;

/// The numbers that decide what one history does.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % count
    }
}

/// What came of the histories that were right.
#[derive(Default)]
struct Seen {
    new: u32,
    old: u32,
}

/// One history: two saves that are durable, a third that the power interrupts, perhaps a second cut
/// during the load. Returns what is wrong.
fn history(seed: u64, path: &str, lost_sync: Option<u64>, seen: &mut Seen) -> Option<String> {
    let mut dice = Dice(seed);
    let system = PowerCuts::new();
    let file = SaveFile::over(system.clone(), path).backups(dice.below(3) as usize);
    let format = if path.ends_with("json") { Format::Json } else { Format::Binary };
    let worlds = [world(1, 30), world(2, 40), world(3, 60), world(4, 5)];
    for world in &worlds[..2] {
        file.save(world, format).unwrap();
    }
    system.settle();

    if let Some(sync) = lost_sync {
        system.lose_sync(sync);
    }
    let cut = dice.below(CALLS);
    system.cut_at(cut);
    let is_saved = file.save(&worlds[2], format).is_ok();
    system.lose_power(dice.below(1 << 20));
    if dice.below(3) == 0 {
        system.cut_at(dice.below(6));
        _ = file.load::<World>();
        system.lose_power(dice.below(1 << 20));
    }

    let what = format!("{path}, seed {seed}, cut at call {cut}, `Ok` was {is_saved}");
    let loaded = match file.load::<World>() {
        Ok(loaded) => loaded,
        Err(error) => return Some(format!("{what}: {error}")),
    };
    match worlds.iter().position(|world| *world == loaded.value) {
        Some(2) => seen.new += 1,
        Some(1) if !is_saved => seen.old += 1,
        Some(other) => return Some(format!("{what}: save {other} was loaded")),
        None => return Some(format!("{what}: a mix was loaded")),
    }
    if !loaded.is_newest() || !loaded.damaged.is_empty() {
        return Some(format!("{what}: it fell back, {:?}", loaded.damaged));
    }
    if system.paths().iter().any(|path| path.extension().is_some_and(|is| is == "new")) {
        return Some(format!("{what}: a file is left"));
    }
    // The game goes on.
    file.save(&worlds[3], format).unwrap();
    system.lose_power(seed);
    let next = file.load::<World>().unwrap().value;
    (next != worlds[3]).then(|| format!("{what}: the next save is lost"))
}

#[test]
fn two_thousand_power_cuts() {
    for path in ["saves/quick.sav", "saves/quick.json"] {
        let mut seen = Seen::default();
        let seed = search::seed();
        let wrong: Vec<_> =
            (0..1_000).filter_map(|n| history(seed ^ n << 8, path, None, &mut seen)).collect();
        assert!(wrong.is_empty(), "{} are wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(3)]);
        assert!(seen.new > 100 && seen.old > 100, "{} new, {} old", seen.new, seen.old);
    }
}

/// Each sync is needed: without it the same search finds a bad state.
#[test]
fn each_missing_sync_is_found() {
    for path in ["saves/quick.sav", "saves/quick.json"] {
        for (sync, what) in ["the file", "the folder"].iter().enumerate() {
            let wrong = (0..400)
                .filter_map(|n| history(n << 8, path, Some(sync as u64), &mut Seen::default()))
                .count();
            assert!(wrong > 10, "{path}: without the sync of {what}, {wrong} of 400 are wrong");
        }
    }
}

/// There are no other syncs than those two, so each of them was left out above.
#[test]
fn a_save_makes_two_syncs() {
    let system = PowerCuts::new();
    let file = SaveFile::over(system.clone(), "saves/quick.sav").backups(2);
    for tick in 0..4 {
        system.take_calls();
        file.save(&world(tick, 3), Format::Binary).unwrap();
    }
    let calls: Vec<String> = system.take_calls().iter().map(|call| format!("{call:?}")).collect();
    assert_eq!(calls.iter().filter(|call| call.contains("Sync")).count(), 2, "{calls:#?}");
    assert!((calls.len() as u64) < CALLS - 4, "{calls:#?}");
    assert_eq!(Path::new("saves/quick.sav.2"), system.paths()[2]);
}
