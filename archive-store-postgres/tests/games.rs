//! Skirmish with its game on the server: `ARCHIVE_SKIRMISH` is the path of the program, which `check` builds.

use std::process::{Command, Output};

use crate::server::server;

/// Runs the program. Returns `None` without it, or without a server.
fn play(store: &str, more: &[&str]) -> Option<Output> {
    let Some(program) = std::env::var_os("ARCHIVE_SKIRMISH") else {
        println!("skipped: ARCHIVE_SKIRMISH is not the path of the game");
        return None;
    };
    let game =
        ["--units", "24", "--ticks", "400", "--seed", "9", "--every", "20", "--store", store];
    Some(Command::new(program).args(game).args(more).output().unwrap())
}

/// Returns what a successful run has said.
fn said(output: Output) -> String {
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn end(said: &str) -> &str {
    said.split_once("The map: ").unwrap().1
}

/// Returns the address of a game on the server.
fn address(name: &str) -> Option<String> {
    let address = server()?.address();
    let folder = address.split(['=', ' ']).nth(1).unwrap().replace('/', "%2F");
    Some(format!("postgres://archive@{folder}/postgres#{name}"))
}

/// Each run is a process of its own: two of them alternate.
#[test]
fn a_game_on_a_server_continues_after_ten_interruptions() {
    let Some(store) = address("interrupted") else { return };
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.store");
    let Some(whole) = play(whole.to_str().unwrap(), &[]) else { return };
    let whole = said(whole);
    let mut saved = 0;
    for stop in [0, 19, 20, 39, 1, 45, 60, 21, 0, 37_u64] {
        let said = said(play(&store, &["--stop-after", &stop.to_string()]).unwrap());
        let at = saved + stop;
        assert!(said.contains(&format!("stopped after tick {at}; ")), "{said}");
        saved = at - at % 20;
    }
    assert_eq!(end(&said(play(&store, &[]).unwrap())), end(&whole));
    assert_eq!(end(&said(play(&store, &[]).unwrap())), end(&whole));
}

/// Both processes have the same game: the slower one is refused, and nothing is lost.
#[test]
fn the_second_process_with_a_game_gets_a_conflict() {
    let Some(store) = address("both") else { return };
    let runs: Vec<_> = std::thread::scope(|scope| {
        let both = [0, 1].map(|_| scope.spawn(|| play(&store, &[])));
        both.into_iter().filter_map(|run| run.join().unwrap()).collect()
    });
    let Some(last) = play(&store, &[]).map(said) else { return };
    let mut finished = 0;
    for run in runs {
        if run.status.success() {
            assert_eq!(end(&said(run)), end(&last));
            finished += 1;
        } else {
            let text = String::from_utf8_lossy(&run.stderr).into_owned()
                + &String::from_utf8_lossy(&run.stdout);
            assert!(text.contains("the save `both` was changed by `process "), "{text}");
        }
    }
    assert!(finished > 0);
}
