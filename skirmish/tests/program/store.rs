//! Stores without a game.

use std::fs;

use archive::Serialize;
use archive::store::Store;

use crate::run;

#[derive(Default, Serialize)]
struct Foreign {
    number: u32,
}
archive::store::persistent!(Foreign = "foreign");

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
