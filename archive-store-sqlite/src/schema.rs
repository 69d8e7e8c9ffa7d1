//! The table of a store, and the settings of a connection.

use archive::{Error, ErrorKind, Result};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::failure::Place;

/// The application id of a file that is a store: `arst`.
const APPLICATION: i32 = i32::from_be_bytes(*b"arst");
/// The version of the table.
const VERSION: i32 = 1;

/// The rows. `checksum` is [`archive::store::storage::checksum`] of the row.
const TABLE: &str = "create table rows (
    key blob primary key not null,
    value blob not null,
    checksum integer not null
) strict, without rowid";

/// Locks the file, and creates the table in a new one. A file that is not a store is not changed.
pub(crate) fn prepare(connection: &Connection, place: &Place) -> Result {
    lock(connection).map_err(|error| place.not_opened(error))?;
    let begin = Transaction::new_unchecked(connection, TransactionBehavior::Exclusive);
    let transaction = begin.map_err(|error| place.not_opened(error))?;
    let done = match found(&transaction).map_err(|error| place.not_opened(error))? {
        (APPLICATION, VERSION, 1) => Ok(()),
        (0, 0, 0) => create(&transaction),
        (APPLICATION, version, _) if version > VERSION => {
            let message = format_args!(
                "{} has version {version} of the table of rows; this program reads version {VERSION}",
                place.name
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        _ => {
            let message = format_args!(
                "{} is not a store: it is a SQLite file of another program",
                place.name
            );
            return Err(Error::new(ErrorKind::Syntax, message));
        }
    };
    let done = done.and_then(|()| transaction.commit()).and_then(|()| make_durable(connection));
    done.map_err(|error| place.explain(error))
}

/// Keeps other programs out until the file is closed.
fn lock(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::ZERO)?;
    // Before the first access, so that no second process shares the index of the log.
    connection.pragma_update(None, "locking_mode", "exclusive")?;
    // A damaged file must not be trusted.
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

/// Returns the application id, the version and the number of tables of the file.
fn found(connection: &Connection) -> rusqlite::Result<(i32, i32, i64)> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    let tables = "select count(*) from sqlite_schema";
    let tables = connection.query_row(tables, [], |row| row.get(0))?;
    Ok((number("application_id")?, number("user_version")?, tables))
}

/// Makes a commit survive a loss of power.
fn make_durable(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    // macOS writes its caches only on request.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)
}

fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute(TABLE, [])?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)
}
