//! Instructions in place of times: exact where times are noise.
//! - `rows`: the measured calls; `workload`: the values.
//! - `callgrind`: the count, once for each profile of `Cargo.toml`.
//! - `table`: the counts, as they are printed, stored and compared.

mod callgrind;
mod data;
#[path = "../../../skirmish/src/random.rs"]
#[allow(dead_code, reason = "the game draws from it as well")]
mod random;
mod rows;
mod table;
mod workload;

use std::process::ExitCode;
use std::{env, fs};

use callgrind::{COUNTED, PROFILES};
use table::Table;

// The generators draw from the random numbers of the game, which is not compiled here.
extern crate self as skirmish;
use random::Random;

const HELP: &str = "\
Counts the instructions of saves and loads with callgrind, in the profiles public, plain and release.

cargo run --release                       all rows, in all profiles
cargo run --release -- mk48 save          the rows that have all of these words in their names
cargo run --release -- --profile public   in this profile alone
cargo run --release -- --before FILE      compares with an earlier output
cargo run --release -- --before FILE --most 2
                                          fails if a row is above it by more than 2 %";

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut words: Vec<String>) -> Result<(), String> {
    if words.first().is_some_and(|word| word == COUNTED) {
        rows::run(&words[1..]);
        return Ok(());
    }
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{HELP}");
        return Ok(());
    }
    let profile = option(&mut words, "--profile")?;
    let path = option(&mut words, "--before")?;
    let most = option(&mut words, "--most")?;
    let most = most.map(|most| {
        most.parse::<f64>().map_err(|_| format!("`{most}` is not a number of percent"))
    });
    let most = most.transpose()?;
    if most.is_some() && (path.is_none() || !words.is_empty()) {
        return Err("--most compares all rows with those of --before FILE".to_owned());
    }
    if let Some(word) = words.iter().find(|word| word.starts_with('-')) {
        return Err(format!("there is no option `{word}`\n\n{HELP}"));
    }
    let profiles = match &profile {
        None => PROFILES.to_vec(),
        Some(name) => match PROFILES.iter().find(|known| *known == name) {
            Some(known) => vec![*known],
            None => {
                return Err(format!("there is no profile `{name}`, but {}", PROFILES.join(", ")));
            }
        },
    };

    let tools = callgrind::tools()?;
    let before = path.as_ref().map(|path| {
        let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        Table::parse(&text).map_err(|error| format!("{path}: {error}"))
    });
    let before = before.transpose()?;
    if let Some(before) = before.as_ref().filter(|before| before.tools != tools) {
        if most.is_some() {
            println!(
                "skipped: the figures were counted with {}, and this is {tools}",
                before.tools
            );
            return Ok(());
        }
        eprintln!(
            "warning: the figures before were counted with {}, and this is {tools}",
            before.tools
        );
    }

    let now = callgrind::count(tools, &profiles, &words)?;
    print!("{}", now.text(before.as_ref()));
    let (Some(most), Some(before), Some(path)) = (most, before, path) else { return Ok(()) };
    now.at_most(&before, most).map_err(|faults| {
        format!(
            "more than {most} % above {path}:\n{faults}\
             If that is meant, the commit renews the file and says why: `cargo run --release > {path}` in `bench/instructions`"
        )
    })
}

/// Takes an option and its value out of the arguments.
fn option(words: &mut Vec<String>, name: &str) -> Result<Option<String>, String> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(None) };
    words.remove(at);
    if at == words.len() {
        return Err(format!("{name} needs a value"));
    }
    Ok(Some(words.remove(at)))
}
