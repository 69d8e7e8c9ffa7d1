#![doc = include_str!("../README.md")]

mod failure;
mod rows;
mod schema;

use std::fmt;
use std::path::Path;

use archive::{Error, Result};
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use failure::Place;

/// A store in a SQLite file.
///
/// The file is locked while it is open. Once a commit returns, its changes survive a power loss. Each row has a checksum, since
/// SQLite has none, and all rows are verified when the file is opened.
///
/// Do not copy or read the file while it is open, not even in the same program: close the store, or use
/// [`copy`](archive::store::storage::copy) or [`Store::export`](archive::store::Store::export).
///
/// ```
/// use archive::Serialize;
/// use archive::store::{Pool, Store};
/// use archive_store_sqlite::Sqlite;
///
/// #[derive(Default, Serialize)]
/// struct Unit { hp: u16 }
/// #[derive(Default, Serialize)]
/// struct World { units: Pool<Unit> }
/// archive::store::persistent!(World = "world", Unit = "unit");
///
/// # fn main() -> archive::Result {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("campaign.sqlite");
/// let mut world = World::default();
/// let ann = world.units.insert(Unit { hp: 70 });
/// Store::over(Sqlite::open(&path)?)?.save(&world)?;
///
/// let mut world = World::default();
/// let store = Store::over(Sqlite::open(&path)?)?;
/// store.attach(&mut world)?;
/// store.finish_load()?;
/// assert_eq!(world.units[ann].hp, 70);
/// # Ok(())
/// # }
/// ```
pub struct Sqlite {
    connection: Connection,
    place: Place,
}

impl Sqlite {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive::ErrorKind::Io) if it cannot be opened, or is open already in this program or in another
    /// one. [`ErrorKind::Syntax`](archive::ErrorKind::Syntax) if it is not a store, and
    /// [`ErrorKind::Unsupported`](archive::ErrorKind::Unsupported) if a newer version of this package has written it.
    pub fn open(path: impl AsRef<Path>) -> Result<Sqlite> {
        let path = path.as_ref();
        let place = Place::of_file(path);
        // SQLite gives names such as `:memory:` and `file:a?mode=memory` a meaning of their own, but not absolute paths.
        let file = std::path::absolute(path).map_err(Error::io)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags);
        let connection = connection.map_err(|error| place.not_opened(error))?;
        match connection.is_readonly(MAIN_DB) {
            Ok(true) => Err(place.read_only()),
            _ => Sqlite::over(connection, place),
        }
    }

    /// Creates a store in memory, for tests.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive::ErrorKind::Io) if there is not enough memory.
    pub fn in_memory() -> Result<Sqlite> {
        let place = Place::of_memory();
        let connection = Connection::open_in_memory().map_err(|error| place.explain(error))?;
        Sqlite::over(connection, place)
    }

    fn over(connection: Connection, place: Place) -> Result<Sqlite> {
        schema::prepare(&connection, &place)?;
        let storage = Sqlite { connection, place };
        storage.verify()?;
        Ok(storage)
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sqlite").field(&self.place.name).finish()
    }
}
