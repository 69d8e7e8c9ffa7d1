//! [`Postgres`]: one save of a database, as the storage of a store.

use std::cell::{Cell, RefCell};
use std::fmt;

use archive::Result;
use archive::store::storage::{Changes, Storage};

use crate::connection::Connection;
use crate::{Conflict, Database};

/// A save of a [`Database`], as the storage of one store. [`Database::open`] opens it.
///
/// It counts the commits of the save. If another program has changed the save since this one read it, every call fails with a
/// [`Conflict`], so reads never see rows of two versions.
///
/// No connection is in use between two calls, so a program may have more open saves than the server has connections.
///
/// A commit whose answer is lost is looked up on the server, by this call or by the next one.
pub struct Postgres {
    pub(crate) database: Database,
    pub(crate) save: i64,
    save_name: String,
    /// The name in messages.
    pub(crate) name: String,
    pub(crate) version: Cell<i64>,
    /// The id of a commit whose outcome is not known.
    pub(crate) pending: RefCell<Option<String>>,
}

const CREATE: &str =
    "insert into archive_saves (name, generation, version, writer, commit_id, saved_at)
    values ($1, nextval('archive_generations'), 0, $2, '', now()) on conflict (name) do nothing";
const OPEN: &str = "select save, version from archive_saves where name = $1";

impl Postgres {
    pub(crate) fn open(database: &Database, save: &str) -> Result<Postgres> {
        let name = format!("the save `{save}`");
        let row = database.with(&name, |connection| {
            let open = connection.prepared(OPEN)?;
            if let Some(row) = connection.client.query_opt(&open, &[&save])? {
                return Ok(row);
            }
            connection.client.execute(CREATE, &[&save, &database.writer_name()])?;
            connection.client.query_one(&open, &[&save])
        })?;
        Ok(Postgres {
            database: database.clone(),
            save: row.get(0),
            save_name: save.to_owned(),
            name,
            version: Cell::new(row.get(1)),
            pending: RefCell::default(),
        })
    }

    /// Returns how many commits the save has had when this program read or changed it last.
    pub fn version(&self) -> i64 {
        self.version.get()
    }

    /// Returns an error if the save has another version than the one that was read. `found` is the version and the writer on the
    /// server.
    pub(crate) fn check_version(&self, found: Option<(i64, String)>) -> Result {
        match found {
            Some((version, _)) if version == self.version.get() => Ok(()),
            found => {
                let (found, theirs) = found.unzip();
                let (save, mine) = (self.save_name.clone(), self.database.writer_name().to_owned());
                Err(Conflict { save, mine, read: self.version.get(), theirs, found }.into_error())
            }
        }
    }

    /// Runs statements that only read.
    pub(crate) fn read<T>(
        &self,
        run: impl FnMut(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<T> {
        self.settle()?;
        self.database.with(&self.name, run)
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Postgres { save_name, version, .. } = self;
        f.debug_struct("Postgres")
            .field("save", save_name)
            .field("version", &version.get())
            .finish()
    }
}

impl Storage for Postgres {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        self.read_one(key, found)
    }

    fn get_many(
        &self,
        keys: &[&[u8]],
        each: &mut dyn FnMut(usize, Option<&[u8]>) -> Result,
    ) -> Result {
        self.read_many(keys, each)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.read_range((from, to), each)
    }

    fn keys(&self, from: &[u8], to: &[u8], each: &mut dyn FnMut(&[u8]) -> Result<bool>) -> Result {
        self.read_keys((from, to), each)
    }

    fn commit(&self, changes: &Changes) -> Result {
        self.write(changes)
    }

    fn check(&self) -> Result {
        self.read_range((&[], &[]), &mut |_, _| Ok(true))
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
