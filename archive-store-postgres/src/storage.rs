//! [`Postgres`]: one save of a database, as the storage of a store.

use std::cell::{Cell, RefCell};
use std::fmt;

use archive::store::storage::{Changes, Storage};
use archive::{Error, ErrorKind, Result};

use crate::connection::Connection;
use crate::{Conflict, Database};

/// A save of a [`Database`], as the storage of one store. [`Database::open`] opens it.
///
/// It remembers the last commit of the save. If another program has changed the save since this one read it, all calls that read or
/// change rows fail with a [`Conflict`], so reads never return rows of two versions.
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
    /// The id of the commit that was read or made last. Unlike its number, no other commit has it, not even after the server was
    /// restored from a backup.
    pub(crate) commit_id: RefCell<String>,
    /// The id of a commit whose outcome is not known.
    pub(crate) pending: RefCell<Option<String>>,
}

const CREATE: &str = "insert into archive_saves (name, version, writer, commit_id, saved_at)
    values ($1, 0, $2, gen_random_uuid()::text, now()) on conflict (name) do nothing";
const OPEN: &str = "select save, version, commit_id from archive_saves where name = $1";

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
            commit_id: RefCell::new(row.get(2)),
            pending: RefCell::default(),
        })
    }

    /// Returns how many commits the save has had when this program read or changed it last.
    pub fn version(&self) -> i64 {
        self.version.get()
    }

    /// Returns the error for a save that another program has changed or deleted.
    #[cold]
    pub(crate) fn conflict(&self) -> Error {
        const FOUND: &str = "select version, writer, commit_id from archive_saves where save = $1";
        let found = self
            .database
            .with(&self.name, |connection| connection.client.query_opt(FOUND, &[&self.save]));
        match found {
            // A commit changed nothing, or the answer came from a server that lacks the last commit.
            Ok(Some(row)) if row.get::<_, &str>(2) == *self.commit_id.borrow() => {
                let message =
                    format_args!("{}: a policy or a trigger of the server prevents it", self.name);
                Error::new(ErrorKind::Io, message)
            }
            Ok(found) => {
                let (found, theirs) = found.map(|row| (row.get(0), row.get(1))).unzip();
                let (save, mine) = (self.save_name.clone(), self.database.writer_name().to_owned());
                Conflict { save, mine, read: self.version.get(), theirs, found }.into_error()
            }
            Err(error) => error,
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
