//! The program: its command line, and games that different processes save and resume.

mod mods;
mod saves;
mod store;
mod stores_and_autosaves;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::iter;
use std::path::Path;
use std::process::{Command, Output};

use archive::Format;

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> (Output, String) {
    let program = env!("CARGO_BIN_EXE_skirmish");
    let mut command = Command::new(program);
    command.args(arguments);
    let output = begun(|| command.output());
    let said = [&output.stdout[..], &output.stderr].concat();
    (output, String::from_utf8_lossy(&said).into_owned())
}

/// Starts a process. Under Wine this sometimes fails (`ERROR_INTERNAL_ERROR`).
fn begun<T>(begin: impl FnMut() -> io::Result<T>) -> T {
    let is_wine = |error: &io::Error| cfg!(windows) && error.raw_os_error() == Some(1359);
    let mut tries =
        iter::repeat_with(begin).take(5).skip_while(|one| one.as_ref().is_err_and(is_wine));
    tries.next().expect("a process that begins").expect("the program runs")
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

        // Resumed, and saved later in a file whose name shows no format; that file is resumed.
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
fn wrong_command_lines() {
    for (arguments, says) in [
        (&["--fast"][..], "unknown option `--fast`"),
        (&["game.json"], "unknown option `game.json`"),
        (&["--units"], "--units needs a value"),
        (&["--units", "--seed", "1"], "--units needs a value"),
        (&["--units", "1"], "a number from 2 to 100000, not \"1\""),
        (&["--units=200000"], "a number from 2 to 100000"),
        (&["--ticks", "ten"], "not \"ten\""),
        (&["--seed", "1", "--seed", "2"], "--seed is given twice"),
        (&["--format", "xml"], "no format is called \"xml\""),
        (&["--ticks", "10", "--at", "11"], "--at 11 is after --ticks 10"),
        (&["--resume", "a.json", "--units", "5"], "--units is only for new games"),
        (&["--resume", "a.json", "--at", "5"], "--at needs --save"),
        (&["--store", "a", "--save", "b.json"], "--save is only for files"),
        (&["--saves", "a", "--save", "b.json"], "--save is only for files, but --saves keeps"),
        (&["--saves", "a", "--store", "b"], "--saves and --store cannot be used together"),
        (&["--saves", "a", "--list", "--every", "5"], "--every cannot be used with --list"),
        (&["--saves", "a", "--slot", "--list"], "--slot needs a value"),
        (&["--slot", "a"], "--slot needs --saves"),
        (&["--store", "a", "--list"], "--list needs --saves"),
        (&["--store", "a", "--every", "0"], "--every needs a number from 1"),
        (&["--every", "5"], "--every needs --saves or --store"),
        (&["--stop-after", "5"], "--stop-after needs --saves or --store"),
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
        (["--resume", readme], "not in a known format"),
        (["--resume", manifest], "Cargo.toml: the content is not in a known format"),
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
