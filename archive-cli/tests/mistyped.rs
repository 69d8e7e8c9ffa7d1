//! Mistyped arguments, and help.

use crate::run_command::{fails, ok, run};

#[test]
fn a_command_that_is_spelled_wrong_has_a_suggestion() {
    for (typed, meant) in [
        ("gte", "get"),
        ("gt", "get"),
        ("sett", "set"),
        ("GET", "get"),
        ("inpsect", "inspect"),
        ("convret", "convert"),
        ("lsit", "list"),
        ("verfy", "verify"),
    ] {
        for args in [&[typed, "a.json"][..], &["help", typed]] {
            let message = fails(args, 2);
            assert!(message.contains(&format!("unrecognized subcommand '{typed}'")), "{message}");
            let tip = format!("a similar subcommand exists: '{meant}'");
            assert!(message.contains(&tip), "{typed}: {message}");
        }
    }
    let message = fails(&["frobnicate"], 2);
    assert!(!message.contains("similar"), "{message}");
    let message = fails(&["gte", "--json"], 2);
    assert!(message.contains("similar subcommand exists"), "{message}");
}

#[test]
fn help_exists_in_every_spelling() {
    let of_get = ok(&["get", "--help"]);
    assert!(of_get.contains("Print the values at a path"), "{of_get}");
    for args in [&["help", "get"][..], &["help", "get", "--help"], &["help", "--help", "get"]] {
        assert_eq!(ok(args), of_get, "{args:?}");
    }
    let of_help = ok(&["help", "help"]);
    for args in [&["help", "--help"][..], &["help", "-h"]] {
        assert_eq!(ok(args), of_help, "{args:?}");
    }
    assert_eq!(ok(&["help"]), ok(&["--help"]));
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let usage = format!("Usage: archive{} <COMMAND>", std::env::consts::EXE_SUFFIX);
    assert!(String::from_utf8(output.stderr).unwrap().contains(&usage));
}
