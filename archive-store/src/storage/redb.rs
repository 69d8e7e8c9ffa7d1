//! [`Redb`]: rows in one file, by the embedded database redb.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use archive_core::{Error, ErrorKind, Result};
use redb::{Database, ReadOnlyTable, ReadableDatabase, TableDefinition};

use super::{Change, Changes, Storage};

const ROWS: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("rows");

/// A storage in one file.
pub struct Redb {
    path: PathBuf,
    database: RefCell<Database>,
    /// The table as of the last commit. It stays open, since opening it takes longer than a read.
    table: RefCell<Option<Rc<ReadOnlyTable<&'static [u8], &'static [u8]>>>>,
}

fn failed(error: impl Into<redb::Error>) -> Error {
    let error = error.into();
    Error::with_source(ErrorKind::Io, error.to_string(), error)
}

impl Redb {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if another process has it open, or it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let database = Database::create(path).map_err(failed)?;
        let mut transaction = database.begin_write().map_err(failed)?;
        transaction.set_quick_repair(true);
        transaction.open_table(ROWS).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(Redb { path: path.into(), database: RefCell::new(database), table: RefCell::default() })
    }

    fn table(&self) -> Result<Rc<ReadOnlyTable<&'static [u8], &'static [u8]>>> {
        if let Some(table) = &*self.table.borrow() {
            return Ok(table.clone());
        }
        let read = self.database.borrow().begin_read().map_err(failed)?;
        let table = Rc::new(read.open_table(ROWS).map_err(failed)?);
        Ok(self.table.borrow_mut().insert(table).clone())
    }
}

impl Storage for Redb {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        match self.table()?.get(key).map_err(failed)? {
            Some(value) => found(value.value()).map(|()| true),
            None => Ok(false),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        for row in self.table()?.range(from..to).map_err(failed)? {
            let (key, value) = row.map_err(failed)?;
            if !each(key.value(), value.value())? {
                break;
            }
        }
        Ok(())
    }

    fn commit(&self, changes: &Changes) -> Result {
        self.table.take();
        let database = self.database.borrow();
        let mut transaction = database.begin_write().map_err(failed)?;
        transaction.set_quick_repair(true);
        {
            let mut table = transaction.open_table(ROWS).map_err(failed)?;
            for change in changes.iter() {
                match change {
                    Change::Put(key, value) => drop(table.insert(key, value).map_err(failed)?),
                    Change::Delete(key) => drop(table.remove(key).map_err(failed)?),
                }
            }
        }
        transaction.commit().map_err(failed)
    }

    fn compact(&self) -> Result {
        self.table.take();
        self.database.borrow_mut().compact().map_err(failed)?;
        Ok(())
    }

    fn check(&self) -> Result {
        self.table.take();
        self.database.borrow_mut().check_integrity().map_err(failed)?;
        Ok(())
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}
