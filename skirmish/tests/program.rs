//! The program: its command line, and games that are saved and resumed by different processes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use archive::store::Store;
use archive::{Format, Serialize};
use skirmish::Random;

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> (Output, String) {
    let program = env!("CARGO_BIN_EXE_skirmish");
    let output = Command::new(program).args(arguments).output().unwrap();
    let said = [&output.stdout[..], &output.stderr].concat();
    (output, String::from_utf8_lossy(&said).into_owned())
}

/// The hash that a run ended with.
fn final_hash(said: &str) -> &str {
    said.rsplit_once("final hash ").unwrap_or_else(|| panic!("{said}")).1.trim()
}

const SMALL: [&str; 6] = ["--units", "24", "--ticks", "60", "--seed", "9"];

#[test]
fn every_format_ends_in_one_state() {
    let (output, said) = run(SMALL);
    assert!(output.status.success(), "{said}");
    let hash = said.lines().find_map(|line| line.trim().strip_prefix("uninterrupted")).unwrap();
    let rows = Format::all().filter(|format| {
        said.lines()
            .any(|line| line.trim().starts_with(format.name()) && line.ends_with(hash.trim()))
    });
    assert_eq!(rows.count(), Format::all().count(), "{said}");
    assert!(said.contains('#') && said.contains("BLUE"), "no map: {said}");
}

#[test]
fn the_legend_has_the_symbols_of_the_map() {
    let (_, help) = run(["--help"]);
    let (_, said) = run(SMALL);
    let legend = said.split_once("The map: ").unwrap().1.split("\n\n").next().unwrap();
    assert!(help.contains(legend), "{help}");
    // `R rifle, S scout, …` and `# wall, ~ water, …`.
    let of = |piece: &str| {
        piece.trim().chars().next().filter(|_| piece.trim().chars().nth(1) == Some(' '))
    };
    let symbols: HashSet<char> =
        legend.split([',', ';', '\n']).filter_map(of).chain([',']).collect();
    let map = said.lines().filter(|line| line.starts_with("  ") && line.trim().len() >= 60);
    let drawn: HashSet<char> =
        map.filter(|line| !line.trim().contains(' ')).flat_map(str::chars).collect();
    for symbol in drawn.iter().filter(|symbol| **symbol != ' ') {
        assert!(symbols.contains(&symbol.to_ascii_uppercase()), "{symbol:?} is not in {legend}");
    }
    assert!(drawn.len() > 8 && symbols.len() == 10, "{drawn:?} {symbols:?}");
    assert!(legend.contains(", rough ground"));
}

#[test]
fn says_first_what_it_does() {
    let (_, said) = run(SMALL);
    let first = said.lines().next().unwrap();
    assert!(first.starts_with("Plays 60 ticks and saves the game after tick 30 as json"), "{said}");
}

#[test]
fn saved_by_one_process_and_resumed_by_another() {
    let (_, uninterrupted) = run(SMALL);
    let hash = uninterrupted.lines().find_map(|l| l.trim().strip_prefix("uninterrupted")).unwrap();
    for format in Format::all() {
        let name = format!("skirmish {} {format}.{}", std::process::id(), format.extensions()[0]);
        let (path, named) =
            (std::env::temp_dir().join(&name), std::env::temp_dir().join("x ".to_owned() + &name));
        let path_text = path.to_str().unwrap();
        let save = [&SMALL[..], &["--save", path_text, "--at", "25"]].concat();
        let (output, said) = run(&save);
        assert!(output.status.success(), "{said}");
        assert_eq!(final_hash(&said), hash.trim(), "{format}: saving changed the game");

        // Resumed, and saved again later in a file whose name tells no format; that one is resumed.
        let named_text = named.with_extension("sav");
        let named_text = named_text.to_str().unwrap();
        let again = ["--resume", path_text, "--ticks", "60", "--save", named_text, "--at=40"];
        let (output, said) = run(again.iter().copied().chain(["--format", format.name()]));
        assert!(output.status.success(), "{said}");
        assert_eq!(final_hash(&said), hash.trim(), "{format}");
        let (output, said) = run(["--resume", named_text, "--ticks", "60"]);
        assert!(output.status.success(), "{said}");
        assert_eq!(final_hash(&said), hash.trim(), "{format}, twice");
        fs::remove_file(&path).unwrap();
        fs::remove_file(named_text).unwrap();
    }
}

#[test]
fn a_game_in_a_store_goes_on_after_interruptions() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let play = |store: &str, every: &str, more: &[&str]| {
        let game = ["--units", "24", "--ticks", "400", "--seed", "9", "--every", every];
        let (output, said) = run([&game[..], &["--store", store], more].concat());
        assert!(output.status.success(), "{said}");
        said
    };
    // Without a store, that is what nothing interrupted ended with.
    let (_, said) = run(["--units", "24", "--ticks", "400", "--seed", "9", "--format", "json"]);
    let hash = said.lines().find_map(|line| line.trim().strip_prefix("uninterrupted")).unwrap();
    let uninterrupted = play(&path("whole"), "30", &[]);
    assert_eq!(final_hash(&uninterrupted), hash.trim());
    let end = |said: &str| said.split_once("The map: ").unwrap().1.to_owned();

    let interrupted = |name: &str, stops: &[u64]| {
        let (store, mut at, mut saved) = (path(name), 0, 0);
        for stop in stops {
            let said = play(&store, "30", &["--stop-after", &stop.to_string()]);
            at = saved + stop;
            assert!(said.contains(&format!("stopped after tick {at}; ")), "{stops:?}: {said}");
            let is_new = said.contains(": a new game.");
            assert_eq!(is_new, saved == 0, "{stops:?}: {said}");
            saved = at - at % 30;
        }
        assert!(at < 400);
        let said = play(&store, "30", &[]);
        assert_eq!(end(&said), end(&uninterrupted), "{stops:?}");
        // A game that is over is as it ended.
        assert_eq!(end(&play(&store, "30", &[])), end(&uninterrupted), "{stops:?}");
    };
    // Before the first save, right after one, at once, one tick before the next.
    interrupted("edges", &[0, 29, 30, 0, 30, 1, 29, 60, 59, 31]);
    for round in 0..4 {
        let mut random = Random::new(round);
        let stops: Vec<u64> = (0..10).map(|_| u64::from(random.below(65))).collect();
        interrupted(&format!("round {round}"), &stops);
    }
}

#[test]
fn a_game_in_a_store_survives_its_process() {
    let dir = tempfile::tempdir().unwrap();
    let game = ["--units", "60", "--ticks", "2000", "--seed", "4", "--every", "5"];
    let in_store = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skirmish"));
        command.args(game).arg("--store").arg(dir.path().join(name)).stdout(Stdio::piped());
        command
    };
    let end = |name: &str| {
        let output = in_store(name).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        final_hash(&said).to_owned()
    };
    let mut random = Random::new(1);
    for _ in 0..10 {
        let mut process = in_store("killed").spawn().unwrap();
        thread::sleep(Duration::from_millis(u64::from(random.below(150))));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert_eq!(end("killed"), end("whole"));
}

#[derive(Default, Serialize)]
struct Foreign {
    number: u32,
}
archive::persistent!(Foreign = "foreign");

#[test]
fn stores_that_cannot_be_used() {
    let dir = tempfile::tempdir().unwrap();
    let (store, text) = (dir.path().join("a.store"), dir.path().join("text"));
    let (store, text) = (store.to_str().unwrap(), text.to_str().unwrap());
    run(["--store", store, "--units", "24", "--ticks", "10"]);
    fs::write(text, "no store").unwrap();
    let foreign = dir.path().join("foreign.store");
    Store::open(&foreign).unwrap().save(&Foreign::default()).unwrap();
    let foreign = foreign.to_str().unwrap();
    for (path, says) in [
        (store, "the game is at tick 10 already, after --ticks 4"),
        (text, text),
        (foreign, "no object was loaded from the store, which has rows of `foreign`"),
        ("no/such/folder/a.store", "no/such/folder/a.store: "),
    ] {
        let (output, said) = run(["--store", path, "--ticks=4"]);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(says) && !said.contains("panicked"), "{said}");
    }
    assert_eq!(fs::read_to_string(text).unwrap(), "no store");
}

#[test]
fn wrong_command_lines() {
    for (arguments, says) in [
        (&["--fast"][..], "--fast is no option"),
        (&["game.json"], "game.json is no option"),
        (&["--units"], "--units wants a value"),
        (&["--units", "--seed", "1"], "--units wants a value"),
        (&["--units", "1"], "a number from 2 to 100000, not \"1\""),
        (&["--units=200000"], "a number from 2 to 100000"),
        (&["--ticks", "ten"], "not \"ten\""),
        (&["--seed", "1", "--seed", "2"], "--seed is given twice"),
        (&["--format", "xml"], "no format is called \"xml\""),
        (&["--ticks", "10", "--at", "11"], "--at 11 is after --ticks 10"),
        (&["--resume", "a.json", "--units", "5"], "--units is for a new game"),
        (&["--resume", "a.json", "--at", "5"], "there is no --save"),
        (&["--store", "a", "--save", "b.json"], "--save is for files"),
        (&["--store", "a", "--every", "0"], "--every wants a number from 1"),
        (&["--every", "5"], "--every is for a game in --saves or a --store"),
        (&["--stop-after", "5"], "--stop-after is for a game in --saves or a --store"),
    ] {
        let (output, said) = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    let (output, said) = run(["--seed", "--help"]);
    assert!(output.status.success() && said.contains("--resume FILE"), "{said}");
}

#[test]
fn files_that_cannot_be_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (manifest, readme) = (root.join("Cargo.toml"), root.join("README.md"));
    let (manifest, readme) = (manifest.to_str().unwrap(), readme.to_str().unwrap());
    for (arguments, says) in [
        (["--resume", "no/such/file.json"], "cannot read no/such/file.json"),
        (["--resume", readme], "none of the known formats"),
        (["--resume", manifest], "Cargo.toml: the content is in none of the known formats"),
        (["--level", "no/such/file.ldtk"], "cannot read no/such/file.ldtk"),
        (["--level", manifest], "Cargo.toml"),
        (["--save", "no/such/folder/game.json"], "cannot write no/such/folder/game.json"),
        (["--save", "game.xyz"], "no format for \"game.xyz\""),
    ] {
        let (output, said) = run(arguments.iter().copied().chain(["--ticks=4"]));
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(says) && !said.contains("panicked"), "{arguments:?}: {said}");
    }
}
