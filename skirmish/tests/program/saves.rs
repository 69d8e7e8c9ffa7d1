//! Slots: their list, damaged slots, and files that are not saves of the game.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use archive::Format;
use archive::save::Saves;
use skirmish::{World, options};
use tempfile::TempDir;

use crate::{final_hash, run};

const GAME: [&str; 5] = ["--units", "24", "--every", "30", "--ticks=200"];

/// Plays the game in a folder, and returns its output.
fn play(dir: &TempDir, more: &[&str]) -> String {
    let (output, said) = run([&GAME[..], &["--saves", folder(dir)], more].concat());
    assert!(output.status.success(), "{said}");
    said
}

/// Makes autosaves of the ticks 30, 60 and so on, each in a process of its own: of autosaves in
/// quick succession, one process may write only the last one.
fn autosaves(dir: &TempDir, count: usize) {
    for _ in 0..count {
        play(dir, &["--stop-after", "30"]);
    }
}

fn folder(dir: &TempDir) -> &str {
    dir.path().to_str().unwrap()
}

/// The rows of a list, without its heading.
fn list(dir: &TempDir) -> Vec<String> {
    let (output, said) = run(["--saves", folder(dir), "--list"]);
    assert!(output.status.success(), "{said}");
    said.lines().skip(1).map(|line| line.trim().to_owned()).collect()
}

/// Changes one byte in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

fn cut(path: &Path) {
    File::options().write(true).open(path).unwrap().set_len(100).unwrap();
}

#[test]
fn the_newest_five_autosaves_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    autosaves(&dir, 6);
    let rows = list(&dir);
    assert_eq!(rows.len(), 5, "{rows:#?}");
    for (row, number) in rows.iter().zip([6, 5, 4, 3, 2]) {
        let begins = format!("autosave {number}  ");
        let title = format!("  tick {}, ", number * 30);
        assert!(row.starts_with(&begins) && row.contains(&title), "{rows:#?}");
        assert!(row.contains(" units left  The Fords  ") && row.ends_with("  good"), "{rows:#?}");
    }
    // The end is saved as well, and the numbers continue.
    play(&dir, &[]);
    let rows = list(&dir);
    assert!(rows[0].starts_with("autosave 7  tick 200, "), "{rows:#?}");
    assert_eq!(rows.len(), 5, "{rows:#?}");
}

#[test]
fn slots_are_separate_games_and_the_newest_save_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let whole = final_hash(&play(&dir, &[])).to_owned();
    let said = play(&dir, &["--slot", "Ann / 2", "--seed=10"]);
    assert!(said.contains(": a new game."), "{said}");
    let ann = final_hash(&said).to_owned();
    assert_ne!(ann, whole);
    assert!(list(&dir)[0].starts_with("Ann / 2  "));
    assert_eq!(final_hash(&play(&dir, &[])), ann);
}

#[test]
fn a_damaged_slot_falls_back_to_its_backup() {
    let dir = tempfile::tempdir().unwrap();
    let whole = final_hash(&play(&dir, &["--slot", "whole"])).to_owned();
    let file = dir.path().join("ann.sav");
    let ann = ["--slot", "ann", "--stop-after"];
    for hurt in [damage, cut] {
        // Of saves in quick succession, one process may write only the last one.
        play(&dir, &[&ann[..], &["30"]].concat());
        play(&dir, &[&ann[..], &["30"]].concat());
        hurt(&file);
        let said = play(&dir, &[&ann[..], &["0"]].concat());
        assert!(said.contains("ann.sav is damaged: "), "{said}");
        assert!(said.contains("\"ann\" is backup 1, saved 20"), "{said}");
        assert!(said.contains("resumes \"ann\" after tick "), "{said}");
        let rows = list(&dir);
        assert!(rows.iter().any(|row| row.ends_with("damaged, backup 1 is good")), "{rows:#?}");
    }
    assert_eq!(final_hash(&play(&dir, &["--slot", "ann"])), whole);
    assert!(dir.path().join("ann.sav.damaged").is_file());
    let rows = list(&dir);
    assert!(rows.iter().all(|row| row.ends_with("  good")), "{rows:#?}");
}

#[test]
fn a_damaged_autosave_falls_back_to_the_previous_one() {
    let dir = tempfile::tempdir().unwrap();
    autosaves(&dir, 3);
    let autosave = |number: u32| dir.path().join(format!("autosave {number}.sav"));
    damage(&autosave(3));
    cut(&autosave(2));
    let said = play(&dir, &["--stop-after", "0"]);
    for says in [
        "autosave 3.sav is damaged: ",
        "autosave 2.sav is damaged: ",
        "\"autosave 1\" after tick 30",
    ] {
        assert!(said.contains(says), "{said}");
    }
    cut(&autosave(1));
    let (output, said) = run([&GAME[..], &["--saves", folder(&dir)]].concat());
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: no save in ") && said.contains(" can be loaded"), "{said}");
}

#[test]
fn files_that_are_not_saves_of_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let saves = |game: &str| Saves::in_folder(dir.path()).unwrap().game(game);
    let chess = saves("chess").slot("chess").unwrap().title("mate");
    chess.play_time(Duration::MAX).save(&1, Format::Json).unwrap();
    fs::write(dir.path().join("text.sav"), "no save").unwrap();
    let rows = list(&dir);
    // Files that cannot be read come first.
    assert!(rows[0].starts_with("text ") && rows[0].contains("text.sav is damaged: "), "{rows:#?}");
    assert!(
        rows[1].starts_with("chess   mate ") && rows[1].ends_with("of another game"),
        "{rows:#?}"
    );
    fs::remove_file(dir.path().join("text.sav")).unwrap();
    // The newest save of this game is requested, and there is none.
    assert!(play(&dir, &[]).contains(": a new game."));

    saves("skirmish").game_version(9).slot("newer").unwrap().save(&1, Format::Json).unwrap();
    // The number of autosaves depends on the speed of the drive.
    let listed = saves("skirmish").list().unwrap();
    let autosave = listed.iter().find(|slot| slot.is_autosave()).unwrap().name();
    let said = play(&dir, &["--stop-after", "0"]);
    for says in ["\"newer\" is of a newer version", &format!("resumes {autosave:?}")] {
        assert!(said.contains(says), "{said}");
    }
    let file = dir.path().join("chess.sav");
    let file = file.to_str().unwrap();
    for (arguments, says) in [
        (
            &["--saves", folder(&dir), "--slot", "newer"][..],
            "newer.sav was saved by version 9 of the game, and this is version 0",
        ),
        (
            &["--saves", folder(&dir), "--slot", "chess"],
            "a save of the game \"chess\", not of \"skirmish\"",
        ),
        (&["--saves", folder(&dir), "--slot", autosave], "at tick 200 already, after --ticks 4"),
        (&["--saves", folder(&dir), "--slot", " "], "the name of a slot is empty"),
        (&["--saves", file], file),
        (&["--saves", file, "--list"], "chess.sav is not a folder of saves"),
        (&["--saves", "no/such/folder", "--list"], "no/such/folder is not a folder of saves"),
    ] {
        let arguments = match arguments.contains(&"--list") {
            true => arguments.to_vec(),
            false => [arguments, &["--ticks=4"]].concat(),
        };
        let (output, said) = run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(says) && !said.contains("panicked"), "{arguments:?}: {said}");
    }
    assert!(!Path::new("no").exists());
}

#[test]
fn the_play_time_continues() {
    let dir = tempfile::tempdir().unwrap();
    play(&dir, &["--slot", "ann", "--stop-after", "90"]);
    {
        let saves = Saves::in_folder(dir.path()).unwrap().game("skirmish");
        let slot = saves.slot("ann").unwrap();
        let world: World = slot.load_with(&options()).unwrap().value;
        let slot = slot.play_time(Duration::from_secs(5_400));
        slot.save_with(&world, Format::Json, &options()).unwrap();
    }
    play(&dir, &["--slot", "ann"]);
    let row = &list(&dir)[0];
    assert!(row.contains("  1h 30m"), "{row}");
}

#[test]
fn a_save_in_the_background_that_fails_ends_the_game() {
    // The first one, and the one of the end.
    for (number, good) in [(1, 0), (7, 6)] {
        let dir = tempfile::tempdir().unwrap();
        autosaves(&dir, good);
        let in_the_way = format!("autosave {number}.sav.new");
        fs::create_dir_all(dir.path().join(&in_the_way).join("file")).unwrap();
        let (output, said) = run([&GAME[..], &["--saves", folder(&dir)]].concat());
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&in_the_way) && !said.contains("final hash"), "{said}");
        let autosave = dir.path().join(format!("autosave {good}.sav"));
        assert_eq!(autosave.exists(), good > 0);
    }
}
