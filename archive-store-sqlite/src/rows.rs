//! [`Storage`] for [`Sqlite`].

use archive::store::storage::{Change, Changes, Storage, checksum};
use archive::{Error, ErrorKind, Result};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params};

use crate::Sqlite;

/// The rows from a key on, and those between two keys, in order.
const FROM: &str = "where key >= ?1 order by key";
const BETWEEN: &str = "where key >= ?1 and key < ?2 order by key";

/// Writes the log to the file.
const EMPTY_LOG: &str = "pragma wal_checkpoint(truncate)";

impl Sqlite {
    fn prepared(&self, statement: &str) -> Result<CachedStatement<'_>> {
        self.connection.prepare_cached(statement).map_err(|error| self.place.explain(error))
    }

    /// Passes rows with these columns to `each` until it returns `false`.
    fn each(
        &self,
        columns: &str,
        (from, to): (&[u8], &[u8]),
        each: &mut dyn FnMut(&Row<'_>) -> Result<bool>,
    ) -> Result {
        let part = if to.is_empty() { FROM } else { BETWEEN };
        let mut select = self.prepared(&format!("select {columns} from rows {part}"))?;
        let found = match to {
            [] => select.query(params![from]),
            _ => select.query(params![from, to]),
        };
        let mut rows = found.map_err(|error| self.place.explain(error))?;
        while let Some(row) = rows.next().map_err(|error| self.place.explain(error))? {
            if !each(row)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the bytes of a column.
    fn bytes<'r>(&self, row: &'r Row<'_>, column: usize) -> Result<&'r [u8]> {
        let bytes = row.get_ref(column).map_err(|error| self.place.explain(error))?;
        bytes.as_blob().map_err(|_| self.place.damaged("a column of a row is not a blob"))
    }

    /// Returns the value in a row after its checksum was compared.
    fn value<'r>(&self, key: &[u8], row: &'r Row<'_>, columns: [usize; 2]) -> Result<&'r [u8]> {
        let value = self.bytes(row, columns[0])?;
        let sum = row.get::<_, i64>(columns[1]);
        if !sum.is_ok_and(|sum| sum == i64::from(checksum(key, value))) {
            return Err(self.place.damaged("a row differs from its checksum"));
        }
        Ok(value)
    }

    /// Reads all rows. Since their order is correct then, a search for a key finds its row.
    pub(crate) fn verify(&self) -> Result {
        let mut last: Option<Vec<u8>> = None;
        self.scan(&[], &[], &mut |key, _| {
            if last.as_deref().is_some_and(|last| last >= key) {
                return Err(self.place.damaged("its rows are not in order"));
            }
            let last = last.get_or_insert_default();
            last.clear();
            last.extend_from_slice(key);
            Ok(true)
        })
    }
}

impl Storage for Sqlite {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        let mut select = self.prepared("select value, checksum from rows where key = ?1")?;
        let row = select
            .query_row(params![key], |row| Ok(self.value(key, row, [0, 1]).and_then(&mut *found)));
        match row.optional() {
            Ok(Some(done)) => done.map(|()| true),
            Ok(None) => Ok(false),
            Err(error) => Err(self.place.explain(error)),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.each("key, value, checksum", (from, to), &mut |row| {
            let key = self.bytes(row, 0)?;
            each(key, self.value(key, row, [1, 2])?)
        })
    }

    fn keys(&self, from: &[u8], to: &[u8], each: &mut dyn FnMut(&[u8]) -> Result<bool>) -> Result {
        self.each("key", (from, to), &mut |row| each(self.bytes(row, 0)?))
    }

    fn commit(&self, changes: &Changes) -> Result {
        if changes.is_empty() {
            return Ok(());
        }
        // A transaction is also open while a row is read.
        if self.connection.is_busy() {
            let message = "`commit` was called inside a function that reads rows";
            return Err(Error::new(ErrorKind::Borrowed, message));
        }
        write(&self.connection, changes).map_err(|error| {
            // If only the last step failed, the log may have the commit. It must not come back after a crash.
            let _ = self.connection.execute_batch(EMPTY_LOG);
            self.place.explain(error)
        })
    }

    fn compact(&self) -> Result {
        let done = self.connection.execute_batch("vacuum");
        // The file gets smaller when the log is written to it.
        done.and_then(|()| self.connection.execute_batch(EMPTY_LOG))
            .map_err(|error| self.place.explain(error))
    }

    fn check(&self) -> Result {
        let mut what = None;
        let check = self.connection.pragma_query(None, "integrity_check", |row| {
            let line: String = row.get(0)?;
            what = what.take().or((line != "ok").then_some(line));
            Ok(())
        });
        check.map_err(|error| self.place.explain(error))?;
        match what {
            Some(what) => Err(self.place.damaged(&what)),
            None => self.verify(),
        }
    }

    fn name(&self) -> String {
        self.place.name.clone()
    }
}

/// Makes the changes in one transaction. It is rolled back after an error.
fn write(connection: &Connection, changes: &Changes) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    {
        let mut put =
            transaction.prepare_cached("insert or replace into rows values (?1, ?2, ?3)")?;
        let mut delete = transaction.prepare_cached("delete from rows where key = ?1")?;
        for change in changes.iter() {
            match change {
                Change::Put(key, value) => {
                    put.execute(params![key, value, checksum(key, value)])?
                }
                Change::Delete(key) => delete.execute(params![key])?,
            };
        }
    }
    transaction.commit()
}
