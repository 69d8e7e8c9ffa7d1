//! The tables, and how older ones become those of this version.

use archive::{Error, ErrorKind, Result};
use postgres::Client;

use crate::failure::explain;

/// What each version adds to the one before it. `archive_rows.checksum` is `archive::store::storage::checksum`.
const MIGRATIONS: &[&str] = &["
create sequence archive_generations;
create table archive_saves (
    save bigint generated always as identity primary key,
    name text collate \"C\" not null unique,
    generation bigint not null unique default nextval('archive_generations'),
    version bigint not null,
    writer text not null,
    commit_id text not null,
    saved_at timestamptz not null
);
create table archive_rows (
    generation bigint not null,
    key bytea not null,
    value bytea not null,
    checksum int not null,
    primary key (generation, key)
)"];

/// The number of the lock that is taken while the tables are changed: `archive` in ASCII.
const LOCK: i64 = 0x61_72_63_68_69_76_65;

/// Creates the tables, or changes those of an older version. Several programs may call it at the same time.
pub(crate) fn prepare(client: &mut Client, name: &str) -> Result {
    let newest = MIGRATIONS.len() as i32;
    let found = version(client).map_err(|error| explain(name, error))?;
    if (0..newest).contains(&found) {
        migrate(client, newest).map_err(|error| explain(name, error))?;
    } else if found != newest {
        let message = format_args!(
            "{name} has version {found} of the tables; this program reads version {newest}"
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(())
}

/// Returns the version of the tables, or 0 if there are none.
fn version(client: &mut impl postgres::GenericClient) -> Result<i32, postgres::Error> {
    // `to_regclass` may answer from a cache that is older than the lock.
    const EXISTS: &str = "select exists
        (select from pg_class where relname = 'archive_schema' and pg_table_is_visible(oid))";
    let exists = client.query_one(EXISTS, &[])?;
    if !exists.get::<_, bool>(0) {
        return Ok(0);
    }
    let row = client.query_one("select coalesce(max(version), 0) from archive_schema", &[])?;
    Ok(row.get(0))
}

fn migrate(client: &mut Client, newest: i32) -> Result<(), postgres::Error> {
    let mut transaction = client.transaction()?;
    transaction.execute("select pg_advisory_xact_lock($1)", &[&LOCK])?;
    // Another program may have done it.
    let found = version(&mut transaction)?;
    if found == 0 {
        transaction.batch_execute("create table archive_schema (version int primary key)")?;
    }
    for (migration, version) in MIGRATIONS.iter().zip(1..=newest).skip(found as usize) {
        transaction.batch_execute(migration)?;
        transaction.execute("insert into archive_schema values ($1)", &[&version])?;
    }
    transaction.commit()
}
