//! Games that are saved continuously: in a store, in autosaves and in a slot.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use skirmish::Random;

use crate::{begun, final_hash, run};

/// The options before the path.
const KEPT: [&[&str]; 3] = [&["--store"], &["--saves"], &["--slot", "Ann: part 2", "--saves"]];

#[test]
fn a_kept_game_continues_after_interruptions() {
    KEPT.iter().for_each(|kept| continues_after_interruptions(kept));
}

fn continues_after_interruptions(kept: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let play = |store: &str, every: &str, more: &[&str]| {
        let game = ["--units", "24", "--ticks", "400", "--seed", "9", "--every", every];
        let (output, said) = run([&game[..], kept, &[store], more].concat());
        assert!(output.status.success(), "{said}");
        said
    };
    // The result of the uninterrupted game.
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
            assert!(
                said.contains(&format!("stopped after tick {at}; ")),
                "{kept:?} {stops:?}: {said}"
            );
            let is_new = said.contains(": a new game.");
            assert_eq!(is_new, saved == 0, "{kept:?} {stops:?}: {said}");
            saved = at - at % 30;
        }
        assert!(at < 400);
        let said = play(&store, "30", &[]);
        assert_eq!(end(&said), end(&uninterrupted), "{kept:?} {stops:?}");
        // A finished game has the same result.
        assert_eq!(end(&play(&store, "30", &[])), end(&uninterrupted), "{kept:?} {stops:?}");
    };
    // Before the first save, right after one, at once, one tick before the next one.
    interrupted("edges", &[0, 29, 30, 0, 30, 1, 29, 60, 59, 31]);
    for round in 0..4 {
        let mut random = Random::new(round);
        let stops: Vec<u64> = (0..10).map(|_| u64::from(random.below(65))).collect();
        interrupted(&format!("round {round}"), &stops);
    }
}

#[test]
fn a_kept_game_survives_its_process() {
    KEPT.iter().for_each(|kept| survives_its_process(kept));
}

fn survives_its_process(kept: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let game = ["--units", "60", "--ticks", "2000", "--seed", "4", "--every", "5"];
    let started = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skirmish"));
        command.args(game).args(kept).arg(dir.path().join(name)).stdout(Stdio::piped());
        command
    };
    let end = |name: &str| {
        let output = begun(|| started(name).output());
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        final_hash(&said).to_owned()
    };
    let mut random = Random::new(1);
    for _ in 0..10 {
        let mut process = begun(|| started("killed").spawn());
        thread::sleep(Duration::from_millis(u64::from(random.below(150))));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert_eq!(end("killed"), end("whole"), "{kept:?}");
}
