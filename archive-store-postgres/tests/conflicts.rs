//! Two programs with one save.

use archive::store::Store;
use archive::store::storage::{Changes, Storage};
use archive::{ErrorKind, Result};
use archive_store_postgres::{Conflict, Database};

use crate::server::server;
use crate::server_worlds::{World, load, world};

fn two(server: &crate::server::Server) -> (Database, Database) {
    (server.database().writer("server 1"), server.database().writer("server 2"))
}

fn put(storage: &dyn Storage, value: &[u8]) -> Result {
    let mut changes = Changes::new();
    changes.put(b"key", value);
    storage.commit(&changes)
}

fn value(storage: &dyn Storage) -> Result<Vec<u8>> {
    let mut found = Vec::new();
    storage.get(b"key", &mut |value| {
        found = value.to_vec();
        Ok(())
    })?;
    Ok(found)
}

#[test]
fn a_conflict_names_both_writers_and_changes_nothing() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (one, two) = two(server);
    let (mine, theirs) = (one.open("conflict")?, two.open("conflict")?);
    put(&theirs, b"2")?;
    for _ in 0..3 {
        let error = put(&mine, b"1").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict);
        assert_eq!(
            error.message(),
            "the save `conflict` was changed by `server 2` since `server 1` read it: load it again, overwrite it with \
             `save_all`, or save to another name"
        );
        let conflict = Conflict::of(&error).unwrap();
        assert_eq!((conflict.read, conflict.found), (0, Some(1)));
        assert_eq!((&*conflict.mine, conflict.theirs.as_deref()), ("server 1", Some("server 2")));
    }
    // Every call fails, so nothing mixes two versions.
    let errors = [
        mine.get(b"key", &mut |_| Ok(())).unwrap_err(),
        mine.scan(b"", b"", &mut |_, _| Ok(true)).unwrap_err(),
        mine.scan(b"x", b"y", &mut |_, _| Ok(true)).unwrap_err(),
        mine.keys(b"", b"", &mut |_| Ok(true)).unwrap_err(),
        mine.get_many(&[b"key"], &mut |_, _| Ok(())).unwrap_err(),
        mine.check().unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::Conflict));
    assert_eq!(value(&theirs)?, b"2");
    two.delete("conflict")?;
    let error = put(&theirs, b"3").unwrap_err();
    assert_eq!(
        error.message(),
        "the save `conflict` was deleted since `server 2` read it: save to another name"
    );
    // A new save of the name is another one.
    put(&two.open("conflict")?, b"4")?;
    assert_eq!(put(&theirs, b"3").unwrap_err().kind(), ErrorKind::Conflict);
    Ok(())
}

/// A scan that another program interrupts ends with an error, and has passed rows of one version.
#[test]
fn a_scan_never_mixes_two_versions() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (one, two) = two(server);
    let save = one.open("scan")?;
    let all = |version: u8| {
        let mut changes = Changes::new();
        (0..3_000_u32).for_each(|key| changes.put(&key.to_be_bytes(), &[version]));
        changes
    };
    save.commit(&all(1))?;
    let mut seen = Vec::new();
    let error = save.scan(b"", b"", &mut |key, value| {
        if seen.is_empty() {
            two.open("scan")?.commit(&all(2))?;
        }
        seen.push((key.to_vec(), value.to_vec()));
        Ok(true)
    });
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Conflict);
    assert!(seen.len() < 3_000 && seen.iter().all(|(_, value)| value == &[1]), "{}", seen.len());
    Ok(())
}

/// Both programs have the world; the second one saves first.
fn conflict(server: &crate::server::Server, name: &str) -> Result<(Database, World, World)> {
    let (one, two) = two(server);
    let store = Store::over(one.open(name)?)?;
    let mut mine = world(50);
    store.save(&mine)?;
    let other = Store::over(two.open(name)?)?;
    let (mut theirs, _) = load(&other)?;
    theirs.tick = 20;
    let unit = theirs.units.keys().next().unwrap();
    theirs.units[unit].hp = 2_000;
    other.save(&theirs)?;
    mine.tick = 10;
    mine.units[unit].hp = 1_000;
    let gone = mine.units.keys().nth(3).unwrap();
    mine.units.remove(gone);
    assert_eq!(store.save(&mine).unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!(store.read(unit).unwrap_err().kind(), ErrorKind::Conflict);
    Ok((one, mine, theirs))
}

fn text(world: &World) -> String {
    archive::json::to_string(world).unwrap()
}

/// Returns what is stored, and checks that there is no conflict any more.
fn stored(database: &Database, name: &str) -> Result<String> {
    let store = Store::over(database.open(name)?)?;
    let (mut world, loaded) = load(&store)?;
    assert!(loaded.unclaimed.is_empty(), "{loaded}");
    let text = text(&world);
    world.tick += 1;
    store.save(&world)?;
    world.tick -= 1;
    store.save(&world)?;
    Ok(text)
}

#[test]
fn a_conflict_is_resolved_by_their_world() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (database, mut mine, theirs) = conflict(server, "reload")?;
    let store = Store::over(database.open("reload")?)?;
    mine = load(&store).map(|(world, _)| world).inspect(|_| drop(mine))?;
    assert_eq!(text(&mine), text(&theirs));
    mine.tick = 30;
    store.save(&mine)?;
    assert_eq!(stored(&database, "reload")?, text(&mine));
    Ok(())
}

#[test]
fn a_conflict_is_resolved_by_this_world() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (database, mut mine, _) = conflict(server, "overwrite")?;
    let store = Store::over(database.open("overwrite")?)?;
    load(&store)?;
    store.save_all(&mine)?;
    assert_eq!(stored(&database, "overwrite")?, text(&mine));
    let store = Store::over(database.open("overwrite")?)?;
    load(&store)?;
    mine.tick = 31;
    store.save_all(&mine)?;
    assert_eq!(stored(&database, "overwrite")?, text(&mine));
    Ok(())
}

#[test]
fn a_conflict_is_resolved_by_a_branch() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (database, mine, theirs) = conflict(server, "branch")?;
    let store = Store::over(database.open("branch of mine")?)?;
    store.save_all(&mine)?;
    assert_eq!(stored(&database, "branch")?, text(&theirs));
    assert_eq!(stored(&database, "branch of mine")?, text(&mine));
    Ok(())
}

/// A save that was retried, or ran in the background, and arrives after a newer one of the same program.
#[test]
fn an_older_save_of_the_same_program_is_refused() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let database = server.database().writer("server 1");
    let (late, newer) = (database.open("late")?, database.open("late")?);
    put(&newer, b"newer")?;
    let error = put(&late, b"late").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(value(&newer)?, b"newer");
    Ok(())
}

/// The version of the save is taken by the first statement of a commit, and a later one fails.
#[test]
fn a_save_that_fails_causes_no_conflict() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let address = server.new_database("failing");
    let database = Database::connect(&address)?;
    let (save, other) = (database.open("failing")?, database.open("failing")?);
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    client
        .batch_execute("alter table archive_rows add constraint small check (length(value) < 10)")
        .unwrap();
    for rows in [1, 3_000] {
        let mut changes = Changes::new();
        (0..rows).for_each(|row: u32| changes.put(&row.to_be_bytes(), &[0; 20]));
        let error = save.commit(&changes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().contains("small"), "{error}");
    }
    put(&save, b"1")?;
    assert_eq!((value(&save)?, save.version()), (b"1".to_vec(), 1));
    assert_eq!(put(&other, b"2").unwrap_err().kind(), ErrorKind::Conflict);
    put(&save, b"3")
}

/// The server lost its last commits, as after a failure without `synchronous_commit`, and another program has made others with
/// the same numbers.
#[test]
fn another_commit_with_the_same_number_is_a_conflict() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (one, two) = two(server);
    let mine = one.open("restored")?;
    put(&mine, b"1")?;
    let mut client = server.client();
    let lost = "update archive_saves set version = version - 1, commit_id = 'before' where name = 'restored'";
    client.execute(lost, &[]).unwrap();
    put(&two.open("restored")?, b"2")?;
    assert_eq!(mine.version(), two.open("restored")?.version());
    assert_eq!(value(&mine).unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!(put(&mine, b"3").unwrap_err().kind(), ErrorKind::Conflict);
    Ok(())
}
