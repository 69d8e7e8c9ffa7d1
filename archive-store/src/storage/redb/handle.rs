//! [`Handle`]: a database, open for writing or for reading only.

use redb::{
    Builder, Database, Error, ReadOnlyDatabase, ReadOnlyTable, ReadTransaction, ReadableDatabase,
    TableDefinition, TableError, TableHandle, WriteTransaction,
};

use super::backend::Again;
use super::failure::Failure;
use super::version;

pub(super) type Table = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// The one table. Its values end in a checksum.
pub(super) const ROWS: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("rows");

/// The number of bytes of a file that are kept in memory.
const CACHE: usize = 128 << 20;

pub(super) enum Handle {
    Writing(Database),
    Reading(ReadOnlyDatabase),
}

impl Handle {
    /// Opens a database and its table. For writing, the file is verified first: on damaged pages
    /// redb may compact without end, or abort the program in a commit.
    pub(super) fn open(backend: Again, is_read_only: bool) -> Result<Self, Failure> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE);
        let file = backend.to_look_at();
        if is_read_only {
            let database = builder.open_read_only_with_backend(backend);
            return Ok(Handle::Reading(database.map_err(|error| version::failure(error, &file))?));
        }
        // Opening a database for writing changes it, so it is opened for reading first: it may
        // belong to another program. A database that was not closed cannot be read before it is
        // opened for writing.
        if let Ok(database) = builder.open_read_only_with_backend(backend.to_look_at()) {
            has_rows(&database.begin_read()?)?;
            database.close()?;
        }
        let database = builder.create_with_backend(backend);
        let mut database = database.map_err(|error| version::failure(error, &file))?;
        database.check_integrity()?;
        let has_rows = has_rows(&database.begin_read()?)?;
        if !has_rows {
            let transaction = quickly_repaired(database.begin_write()?)?;
            transaction.open_table(ROWS)?;
            transaction.commit()?;
        }
        Ok(Handle::Writing(database))
    }

    /// Opens the table as of the last commit.
    pub(super) fn table(&self) -> Result<Table, Failure> {
        match self.read()?.open_table(ROWS) {
            Err(TableError::Storage(error)) => Err(error.into()),
            table => table.map_err(|_| Failure::Foreign),
        }
    }

    fn read(&self) -> Result<ReadTransaction, Error> {
        Ok(match self {
            Handle::Writing(database) => database.begin_read()?,
            Handle::Reading(database) => database.begin_read()?,
        })
    }

    /// Begins a commit, unless the database is open for reading only.
    pub(super) fn write(&self) -> Result<WriteTransaction, Failure> {
        quickly_repaired(self.writing()?.begin_write()?)
    }

    pub(super) fn compact(&mut self) -> Result<(), Failure> {
        match self {
            Handle::Writing(database) => database.compact()?,
            Handle::Reading(_) => return Err(Failure::ReadOnly),
        };
        Ok(())
    }

    /// Verifies the checksums of all pages. redb does not offer this check for files that are open
    /// for reading only.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        if let Handle::Writing(database) = self {
            database.check_integrity()?;
        }
        Ok(())
    }

    pub(super) fn close(self) -> Result<(), Failure> {
        match self {
            Handle::Writing(database) => database.close()?,
            Handle::Reading(database) => database.close()?,
        }
        Ok(())
    }

    fn writing(&self) -> Result<&Database, Failure> {
        match self {
            Handle::Writing(database) => Ok(database),
            Handle::Reading(_) => Err(Failure::ReadOnly),
        }
    }
}

/// Returns whether a database has the table, or none at all.
fn has_rows(transaction: &ReadTransaction) -> Result<bool, Failure> {
    let tables: Vec<_> = transaction.list_tables()?.collect();
    match &*tables {
        // A new file. Only a new file is written to when it is opened.
        [] => Ok(false),
        tables if tables.iter().any(|table| table.name() == ROWS.name()) => Ok(true),
        _ => Err(Failure::Foreign),
    }
}

/// Makes a transaction store the list of free pages, so that the file opens fast after a loss of
/// power. The transaction is then committed in two phases.
fn quickly_repaired(mut transaction: WriteTransaction) -> Result<WriteTransaction, Failure> {
    transaction.set_quick_repair(true);
    Ok(transaction)
}
