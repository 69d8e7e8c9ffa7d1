//! The laws of storages, and rows that do not fit.

use std::cell::Cell;
use std::rc::Rc;

use archive::ErrorKind;
use archive::store::storage::{Changes, Memory, Storage, copy};
use archive::store::testing::conformance;
use archive_store_postgres::Database;

use crate::model::histories;
use crate::server::{Server, server};

#[test]
fn it_obeys_the_laws_of_storages() {
    let Some(server) = server() else { return };
    let database = server.database();
    conformance(|name| Box::new(database.open(name).unwrap()));
}

#[test]
fn histories_of_worlds_are_those_of_maps() {
    let Some(server) = server() else { return };
    let (database, count) = (server.database(), Cell::new(0));
    histories(30, || {
        count.set(count.get() + 1);
        Rc::new(database.open(&format!("history {}", count.get())).unwrap())
    });
}

fn rows(storage: &dyn Storage) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rows = Vec::new();
    let done = storage.scan(&[], &[], &mut |key, value| {
        rows.push((key.to_vec(), value.to_vec()));
        Ok(true)
    });
    done.unwrap();
    rows
}

/// Commits of many rows, which are written in other ways than those of few: into an empty save, over most rows, over few of
/// many, and with rows that are deleted.
#[test]
fn large_commits_are_those_of_a_map() {
    let Some(server) = server() else { return };
    let save = server.database().open("large").unwrap();
    let map = Memory::new();
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..12 {
        let mut changes = Changes::new();
        for _ in 0..[3_000, 2_500, 300, 9_000][round % 4] {
            let key = random(12_000).to_be_bytes();
            match random(10) {
                0 => changes.delete(&key),
                _ => changes.put(&key, &vec![round as u8; random(300) as usize]),
            }
        }
        changes.put(b"header", &[round as u8]);
        map.commit(&changes).unwrap();
        save.commit(&changes).unwrap();
        assert!(rows(&map) == rows(&save), "round {round}");
    }
    let mut client = server.client();
    let left = client
        .query_one(
            "select count(*) from archive_rows r where not exists
        (select from archive_saves s where s.generation = r.generation)",
            &[],
        )
        .unwrap();
    assert_eq!(left.get::<_, i64>(0), 0, "rows of older generations");
}

/// A page of rows has at most 4 MB and one row: 40 rows of 3 MB are not all in memory at once.
#[test]
fn pages_are_bounded_by_bytes() {
    let Some(server) = server() else { return };
    let database = server.database();
    let (save, map) = (database.open("pages").unwrap(), Memory::new());
    for row in 0..40_u32 {
        let mut changes = Changes::new();
        let size = [3 << 20, 10, 0, 5 << 20][row as usize % 4];
        changes.put(&row.to_be_bytes(), &vec![row as u8; size]);
        map.commit(&changes).unwrap();
        save.commit(&changes).unwrap();
    }
    assert!(rows(&map) == rows(&save));
    let keys: Vec<_> = (0..41_u32).rev().map(u32::to_be_bytes).collect();
    let keys: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
    let mut count = 0;
    save.get_many(&keys, &mut |index, value| {
        assert_eq!((index, index == 0), (count, value.is_none()));
        count += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 41);
    let other = database.open("pages of a copy").unwrap();
    copy(&save, &other).unwrap();
    assert!(rows(&map) == rows(&other));
}

#[test]
fn a_row_that_another_tool_has_changed_is_an_error() {
    let Some(server) = server() else { return };
    let save = server.database().open("damaged").unwrap();
    let mut changes = Changes::new();
    changes.put(b"a", b"1");
    changes.put(b"b", b"2");
    save.commit(&changes).unwrap();
    let update = "update archive_rows r set value = '3' from archive_saves s
        where s.generation = r.generation and s.name = 'damaged' and key = 'b'";
    assert_eq!(server.client().execute(update, &[]).unwrap(), 1);
    let errors = [
        save.get(b"b", &mut |_| Ok(())).unwrap_err(),
        save.scan(b"", b"", &mut |_, _| Ok(true)).unwrap_err(),
        save.get_many(&[b"a", b"b"], &mut |_, _| Ok(())).unwrap_err(),
        save.check().unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::Syntax);
        assert_eq!(
            error.message(),
            "the save `damaged` is damaged: a row differs from its checksum"
        );
    }
    save.get(b"a", &mut |_| Ok(())).unwrap();
    save.commit(&changes).unwrap();
    save.check().unwrap();
}

#[test]
fn errors_name_the_save_and_the_cause() {
    let Some(server) = server() else { return };
    let error = Database::connect("host=/nowhere user=a connect_timeout=1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.message().starts_with("the database `a`: there is no connection: "), "{error}");
    let error = Database::connect("host=/nowhere cat=1").unwrap_err();
    assert!(error.message().contains("cat"), "{error}");
    let error =
        Database::connect(&server.address().replace("user=archive", "user=nobody")).unwrap_err();
    assert!(error.message().contains("nobody"), "{error}");

    let address = format!("{} options='-c statement_timeout=200'", server.address());
    let save = Database::connect(&address).unwrap().open("slow").unwrap();
    let mut changes = Changes::new();
    changes.put(b"a", b"1");
    save.commit(&changes).unwrap();
    let mut client = server.client();
    let mut lock = client.transaction().unwrap();
    lock.execute("select * from archive_saves where name = 'slow' for update", &[]).unwrap();
    let error = save.commit(&changes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(
        error.message().starts_with("the save `slow`: the server canceled a statement"),
        "{error}"
    );
    lock.rollback().unwrap();
    save.commit(&changes).unwrap();
    assert_eq!(save.version(), 2);

    let mut changes = Changes::new();
    changes.put(b"b", &vec![0; 300 << 20]);
    assert_eq!(save.commit(&changes).unwrap_err().kind(), ErrorKind::SizeLimit);
    let mut long = Changes::new();
    long.put(&[7; 3000], b"");
    assert_eq!(save.commit(&long).unwrap_err().kind(), ErrorKind::SizeLimit);
    assert!(!save.get(b"b", &mut |_| Ok(())).unwrap());
}

/// Without PostgreSQL the tests are skipped, and say so.
#[test]
fn a_server_is_found_where_debian_has_it() {
    let is_installed = std::path::Path::new("/usr/lib/postgresql").is_dir();
    assert!(!is_installed || Server::create().is_some());
}
