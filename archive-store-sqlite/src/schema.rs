//! The table of a store, and the settings of a connection.

use archive::{Error, ErrorKind, Result};
use rusqlite::{Connection, Row, Transaction, TransactionBehavior};

use crate::failure::Place;

/// The application id of a file that is a store: `arst`.
const APPLICATION: i32 = i32::from_be_bytes(*b"arst");
/// The version of the table.
const VERSION: i32 = 1;
/// The size in bytes to which the log is cut after a large commit.
const LOG: i64 = 4 << 20;

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
    let found = found(&transaction).map_err(|error| place.not_opened(error))?;
    let done = match (found.application, found.version) {
        (APPLICATION, VERSION) if found.table.eq_ignore_ascii_case(TABLE) => Ok(()),
        (APPLICATION, VERSION) => return Err(place.damaged("it has another table of rows")),
        (APPLICATION, version) if version > VERSION => {
            let message = format_args!(
                "{} has version {version} of the table of rows; this program reads version {VERSION}",
                place.name
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        (0, 0) if found.objects == 0 => create(&transaction),
        _ => {
            let message = format_args!(
                "{} is not a store: it is a SQLite file of another program",
                place.name
            );
            return Err(Error::new(ErrorKind::Syntax, message));
        }
    };
    done.and_then(|()| transaction.commit()).map_err(|error| place.explain(error))?;
    let mode = make_durable(connection).map_err(|error| place.explain(error))?;
    match mode.as_str() {
        "wal" | "memory" => Ok(()),
        _ => {
            let message = format_args!("{}: SQLite cannot use a write-ahead log here", place.name);
            Err(Error::new(ErrorKind::Io, message))
        }
    }
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

/// What a file says about itself.
struct Found {
    application: i32,
    version: i32,
    /// The number of tables, indices and other objects.
    objects: i64,
    /// The statement that created the table of rows.
    table: String,
}

fn found(connection: &Connection) -> rusqlite::Result<Found> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    let text =
        "select count(*), max(case name when 'rows' then sql else '' end) from sqlite_schema";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, Option<String>>(1)?));
    let (objects, table) = connection.query_row(text, [], read)?;
    Ok(Found {
        application: number("application_id")?,
        version: number("user_version")?,
        objects,
        table: table.unwrap_or_default(),
    })
}

/// Makes a commit survive a power loss. Returns how SQLite writes its log.
fn make_durable(connection: &Connection) -> rusqlite::Result<String> {
    let mode = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    connection.pragma_update_and_check(None, "journal_size_limit", LOG, |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    // macOS writes its caches only on request.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    Ok(mode)
}

fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute(TABLE, [])?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)
}
