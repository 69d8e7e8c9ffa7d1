//! The saves of a database: listed, copied and deleted.

use archive::store::storage::{Changes, Storage};
use archive::{ErrorKind, Result};
use archive_store_postgres::Database;

use crate::server::server;

fn put(storage: &dyn Storage, rows: u32) -> Result {
    let mut changes = Changes::new();
    (0..rows).for_each(|row| changes.put(&row.to_be_bytes(), b"value"));
    storage.commit(&changes)
}

fn rows(storage: &dyn Storage) -> Result<usize> {
    let mut rows = 0;
    storage.keys(b"", b"", &mut |_| {
        rows += 1;
        Ok(true)
    })?;
    Ok(rows)
}

#[test]
fn saves_are_listed_copied_and_deleted() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let database = Database::connect(&server.new_database("saves"))?.writer("server 1");
    for (name, count) in
        [("ann/1", 3), ("ann/2", 3_000), ("Zoe", 0), ("anne", 1), ("", 2), ("ä'\"\\%_", 1)]
    {
        put(&database.open(name)?, count)?;
    }
    let names = |begin: &str| -> Result<Vec<String>> {
        Ok(database.saves(begin)?.into_iter().map(|save| save.name).collect())
    };
    assert_eq!(names("")?, ["", "Zoe", "ann/1", "ann/2", "anne", "ä'\"\\%_"]);
    assert_eq!(names("ann/")?, ["ann/1", "ann/2"]);
    assert_eq!(names("ann_")?, [""; 0]);
    let info = &database.saves("ann/1")?[0];
    assert_eq!((info.version, &*info.writer), (1, "server 1"));
    assert!(info.saved_at.elapsed().is_ok_and(|age| age.as_secs() < 60));

    database.copy("ann/2", "ann/3")?;
    assert_eq!(rows(&database.open("ann/3")?)?, 3_000);
    put(&database.open("ann/3")?, 4_000)?;
    assert_eq!(rows(&database.open("ann/2")?)?, 3_000);
    assert_eq!(database.copy("ann/2", "ann/3").unwrap_err().kind(), ErrorKind::DuplicateMember);
    let error = database.copy("ann/9", "ann/8").unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::NotFound, "there is no save `ann/9`"));
    database.delete("ann/2")?;
    assert_eq!(names("ann/")?, ["ann/1", "ann/3"]);
    assert_eq!(database.delete("ann/2").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(rows(&database.open("ann/2")?)?, 0);
    for save in database.saves("")? {
        database.delete(&save.name)?;
    }
    let address = server.address().replace("dbname=postgres", "dbname=saves");
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    let left = client.query_one("select count(*) from archive_rows", &[]).unwrap();
    assert_eq!(left.get::<_, i64>(0), 0);
    Ok(())
}

#[test]
fn tables_of_a_newer_version_are_refused() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let address = server.new_database("newer");
    drop(Database::connect(&address)?);
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    client.batch_execute("insert into archive_schema values (7)").unwrap();
    let error = Database::connect(&address).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(
        error.message(),
        "the database `newer` has version 7 of the tables; this program reads version 1"
    );
    Ok(())
}

/// More saves are open than the server has connections.
#[test]
fn open_saves_take_no_connection() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let database = server.database();
    let saves: Vec<_> =
        (0..100).map(|save| database.open(&format!("open {save}"))).collect::<Result<_>>()?;
    saves.iter().try_for_each(|save| put(save, 2))?;
    let used = "select count(*) from pg_stat_activity where query like '%archive_rows%' and datname = 'postgres'";
    let used: i64 = server.client().query_one(used, &[]).unwrap().get(0);
    assert!(used < 50, "{used} connections");
    Ok(())
}
