//! JSON compared with `serde_json`, `simd-json`, `sonic-rs` and `nanoserde`, which load from and
//! save to the same text. Writes `docs/BENCHMARKS_JSON.md`.
//!
//! - `contest`: all contestants with a value, on the texts that `texts` makes of it.
//! - `files`: the types of three files that JSON parsers are commonly measured with.
//! - `page`: the result.

mod contest;
mod files;
mod page;
mod texts;

use std::thread;

use crate::measure::Plan;
use crate::run::{STACK, pin};
use crate::workload::{log, mesh, minecraft, mk48, world};
use contest::{Contest, Times};
use page::Page;

const HELP: &str = "\
Times JSON beside other libraries, and writes docs/BENCHMARKS_JSON.md.

cargo bench --bench json --no-default-features --features json            everything
    -- log twitter     these values: log, mesh, minecraft_savedata, mk48, twitter, citm_catalog, canada, world
    -- --quick         fewer rounds
    -- --no-write      only prints";

const NAMES: [&str; 8] =
    ["log", "mesh", "minecraft_savedata", "mk48", "twitter", "citm_catalog", "canada", "world"];

/// Measures the requested values.
///
/// # Errors
/// A message.
pub fn main(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut names, mut plan, mut write) = (Vec::new(), Plan::FULL, true);
    for argument in arguments {
        match argument.as_str() {
            "--quick" => plan = Plan::QUICK,
            "--no-write" => write = false,
            "--bench" => {} // says cargo
            name if NAMES.contains(&name) => names.push(argument),
            _ => return Err(format!("{argument:?} is not known\n\n{HELP}")),
        }
    }
    let measure = move || {
        pin();
        run(&names, plan, write)
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(measure);
    let ended = thread.map_err(|error| error.to_string())?.join();
    ended.unwrap_or_else(|_| Err("the measurement panicked".to_owned()))
}

fn run(names: &[String], plan: Plan, write: bool) -> Result<(), String> {
    let (mut page, mut all) = (Page::default(), true);
    for name in NAMES {
        if !names.is_empty() && !names.iter().any(|other| other == name) {
            continue;
        }
        match measure(name, plan) {
            Some(times) => page.add(name, &times),
            None => {
                println!("{name}: there is no such file here, so no page is written");
                all = false;
            }
        }
    }
    page.end(names.is_empty() && all, write).map_err(|error| error.to_string())
}

/// The times of all contestants, or nothing if the file is absent.
fn measure(name: &str, plan: Plan) -> Option<Times> {
    Some(match name {
        "log" => Contest::of(log::generate()).measure(plan),
        "mesh" => Contest::of(mesh::generate()).measure(plan),
        "minecraft_savedata" => Contest::of(minecraft::generate()).measure(plan),
        "mk48" => Contest::of(mk48::generate()).measure(plan),
        "twitter" => Contest::of_text::<files::Twitter>(&files::read(name)?).measure(plan),
        "citm_catalog" => Contest::of_text::<files::Citm>(&files::read(name)?).measure(plan),
        "canada" => Contest::of_text::<files::Canada>(&files::read(name)?).measure(plan),
        _ => {
            // Trait objects need the registry of the game.
            skirmish::options().settings().registry()?.install();
            let generated = world::generate();
            let rivals = world::indices::World::of(&generated);
            Contest::of_two(world::pointers::World::of(generated), rivals).measure(plan)
        }
    })
}
