//! Many programs at once.

use archive::store::storage::{Changes, Storage};
use archive::{ErrorKind, Result};
use archive_store_postgres::Database;

use crate::server::server;

const WRITERS: usize = 16;

fn number(storage: &dyn Storage) -> Result<u64> {
    let mut number = 0;
    storage.get(b"number", &mut |value| {
        number = u64::from_be_bytes(value.try_into().unwrap());
        Ok(())
    })?;
    Ok(number)
}

fn add_one(storage: &dyn Storage) -> Result {
    let mut changes = Changes::new();
    changes.put(b"number", &(number(storage)? + 1).to_be_bytes());
    storage.commit(&changes)
}

fn run(work: impl Fn(usize) + Send + Sync) {
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let work = &work;
            scope.spawn(move || work(writer));
        }
    });
}

#[test]
fn sixteen_writers_of_one_save_lose_nothing() {
    let Some(server) = server() else { return };
    let database = server.database();
    run(|writer| {
        let database = database.clone().writer(&format!("writer {writer}"));
        for _ in 0..20 {
            while let Err(error) = database.open("one").and_then(|save| add_one(&save)) {
                assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
            }
        }
    });
    let save = database.open("one").unwrap();
    assert_eq!((number(&save).unwrap(), save.version()), (20 * 16, 20 * 16));
}

#[test]
fn sixteen_writers_of_many_saves_have_no_conflicts() {
    let Some(server) = server() else { return };
    let database = server.database();
    run(|writer| {
        let saves: Vec<_> =
            (0..4).map(|save| database.open(&format!("of {writer}, {save}"))).collect();
        for _ in 0..10 {
            saves.iter().for_each(|save| add_one(save.as_ref().unwrap()).unwrap());
        }
    });
    let saves = database.saves("of ").unwrap();
    assert_eq!((saves.len(), saves.iter().all(|save| save.version == 10)), (4 * WRITERS, true));
}

/// Programs that start at the same time on an empty database create its tables once.
#[test]
fn sixteen_programs_create_the_tables_once() {
    let Some(server) = server() else { return };
    let address = server.new_database("created");
    run(|writer| {
        let database = Database::connect(&address).unwrap();
        add_one(&database.open(&format!("of {writer}")).unwrap()).unwrap();
    });
    let database = Database::connect(&address).unwrap();
    assert_eq!(database.saves("").unwrap().len(), WRITERS);
}
