//! 10,000 entities, saved and loaded by `archive-bevy`, by Bevy's own `DynamicWorld`, and by moonshine-save, in one run.
//!
//! `cargo run --release -- 10000`. With a format, such as `10000 binary`, only `archive-bevy` runs, for a profiler. The
//! instructions of its ten loads:
//!
//! ```text
//! valgrind --tool=callgrind --toggle-collect=archive_bevy_bench::load target/release/archive-bevy-bench 10000 binary
//! ```

mod rivals;
mod world;

use std::time::Instant;

use archive::{Format, Options};
use bevy_ecs::prelude::*;

use crate::world::{app, digest, fill};

/// Returns the median of several runs in milliseconds, and the last result.
pub fn median<T>(mut run: impl FnMut() -> T) -> (f64, T) {
    let mut times = Vec::new();
    let mut result = run();
    for _ in 0..9 {
        let start = Instant::now();
        result = run();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], result)
}

/// What one library takes.
pub struct Figures {
    pub name: String,
    pub bytes: usize,
    pub save: f64,
    pub load: f64,
}

fn archive_bevy(count: u32, format: Format, expected: &str) -> Figures {
    let mut first = app();
    fill(first.world_mut(), count, |entity| {
        entity.insert(archive_bevy::Save);
    });
    let world = first.world_mut();
    let (save, bytes) =
        median(|| archive_bevy::save(world, format, &Options::new()).expect("the world is saved"));
    let mut second = app();
    let world = second.world_mut();
    let (load, ()) = median(|| load(world, format, &bytes));
    assert_eq!(digest(world), expected, "{format}");
    Figures { name: format!("archive-bevy, {format}"), bytes: bytes.len(), save, load }
}

/// One load. A function of its own, so that a profiler finds it by its name.
#[inline(never)]
fn load(world: &mut World, format: Format, bytes: &[u8]) {
    archive_bevy::load(world, format, bytes).expect("the world is loaded");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(10_000);
    let format = arguments.next().map(|it| Format::from_name(&it).expect("a format"));
    let mut app = app();
    fill(app.world_mut(), count, |_| {});
    let expected = digest(app.world_mut());

    if let Some(format) = format {
        let Figures { bytes, save, load, .. } = archive_bevy(count, format, &expected);
        println!("{count} entities, {format}: {bytes} bytes, save {save:.2} ms, load {load:.2} ms");
        return;
    }
    let ours: Vec<Figures> = [Format::Binary, Format::MessagePack, Format::Json]
        .map(|format| archive_bevy(count, format, &expected))
        .into();
    let rivals = [rivals::dynamic_world(count, &expected), rivals::moonshine(count, &expected)];

    println!(
        "{count} entities, medians of 9\n\n| | bytes | save, ms | load, ms |\n|---|---|---|---|"
    );
    for Figures { name, bytes, save, load } in ours.iter().chain(&rivals) {
        println!("| {name} | {bytes} | {save:.2} | {load:.2} |");
    }
    println!("\n| | rival | bytes | save | load |\n|---|---|---|---|---|");
    for it in &ours {
        for rival in &rivals {
            println!(
                "| {} | {} | {:.3} | {:.3} | {:.3} |",
                it.name,
                rival.name,
                it.bytes as f64 / rival.bytes as f64,
                it.save / rival.save,
                it.load / rival.load,
            );
        }
    }
}

/// Despawns what a load replaces.
pub fn clear(world: &mut World) {
    let old: Vec<Entity> =
        world.query_filtered::<Entity, With<world::Health>>().iter(world).collect();
    for entity in old {
        world.try_despawn(entity).ok();
    }
}
