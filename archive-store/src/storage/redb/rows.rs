//! Reading and committing rows.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::rc::Rc;

use archive_core::{ErrorKind, Result};

use redb::AccessGuard;

use super::failure::Failure;
use super::handle::{Handle, ROWS, Table};
use super::place::is_sound;
use super::sealed::{SEAL, seal, unseal};
use super::{Open, Redb};
use crate::storage::{Change, Changes, Storage};

impl Storage for Redb {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        let table = self.table()?;
        let row = self.guarded(|| {
            // redb looks up a value in its page only when it is used.
            table.get(key).inspect(|row| _ = row.as_ref().map(AccessGuard::value))
        })?;
        match row {
            Some(row) => match unseal(key, row.value()) {
                Some(value) => found(value).map(|()| true),
                None => Err(self.damaged(Key(key))),
            },
            None => self.check_place(&table, key, true).map(|()| false),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        let end = match to {
            [] => Bound::Unbounded,
            _ if from >= to => return Ok(()),
            _ => Bound::Excluded(to),
        };
        let table = self.table()?;
        let mut rows = self.guarded(|| table.range::<&[u8]>((Bound::Included(from), end)))?;
        let mut last: Option<Vec<u8>> = None;
        self.check_place(&table, from, false)?;
        let mut next = || {
            self.guarded(|| {
                let row = rows.next().transpose();
                row.inspect(|row| _ = row.as_ref().map(|row| (row.0.value(), row.1.value())))
            })
        };
        while let Some((key, value)) = next()? {
            let (key, sealed) = (key.value(), value.value());
            let value = unseal(key, sealed).ok_or_else(|| self.damaged(Key(key)))?;
            let follows = last.as_ref().map_or(key >= from, |last| key > &**last);
            if !follows || (!to.is_empty() && key >= to) {
                return Err(self.damaged(format_args!("the order of {}", Key(key))));
            }
            if !each(key, value)? {
                return Ok(());
            }
            let last = last.get_or_insert_default();
            last.clear();
            last.extend_from_slice(key);
        }
        if to.is_empty() { Ok(()) } else { self.check_place(&table, to, false) }
    }

    fn commit(&self, changes: &Changes) -> Result {
        if changes.is_empty() {
            return Ok(());
        }
        let Err(error) = self.try_commit(changes) else {
            return Ok(());
        };
        // The disk may have failed after the commit was written. Opening the database again has
        // made the commit durable.
        match error.kind() == ErrorKind::Io && !self.is_read_only && self.has(changes) == Ok(true) {
            true => Ok(()),
            false => Err(error),
        }
    }

    fn compact(&self) -> Result {
        self.alone(Handle::compact)
    }

    fn check(&self) -> Result {
        self.alone(Handle::check)?;
        self.scan(&[], &[], &mut |_, _| Ok(true))
    }

    fn name(&self) -> String {
        self.place.name.clone()
    }
}

impl Redb {
    fn try_commit(&self, changes: &Changes) -> Result {
        self.table()?;
        self.guarded(|| {
            let transaction = match &mut *self.open.borrow_mut() {
                Some(open) => {
                    open.table = None;
                    open.handle.write()?
                }
                None => return Err(Failure::ReadOnly),
            };
            let mut table = transaction.open_table(ROWS)?;
            for change in changes.iter() {
                match change {
                    Change::Put(key, value) => {
                        let mut place = table.insert_reserve(key, value.len() + SEAL)?;
                        seal(key, value, place.as_mut());
                    }
                    Change::Delete(key) => drop(table.remove(key)?),
                }
            }
            drop(table);
            Ok(transaction.commit()?)
        })
    }

    /// Returns whether the rows already have the changes.
    fn has(&self, changes: &Changes) -> Result<bool, ErrorKind> {
        let mut wanted = BTreeMap::new();
        for change in changes.iter() {
            match change {
                Change::Put(key, value) => wanted.insert(key, Some(value)),
                Change::Delete(key) => wanted.insert(key, None),
            };
        }
        for (key, value) in wanted {
            let mut is_same = value.is_none();
            let is_there = self.get(key, &mut |found| {
                is_same = value == Some(found);
                Ok(())
            });
            if !is_same || is_there.map_err(|error| error.kind())? != value.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs an operation that needs exclusive access to the database.
    fn alone(&self, run: impl FnOnce(&mut Handle) -> Result<(), Failure>) -> Result {
        self.table()?;
        let Some(Open { mut handle, table }) = self.open.take() else {
            return Ok(());
        };
        drop(table);
        // If the operation fails, the handle is dropped, and the next call opens the database
        // again.
        let handle = self.guarded(move || run(&mut handle).map(|()| handle))?;
        self.open.replace(Some(Open { handle, table: None }));
        Ok(())
    }

    fn check_place(&self, table: &Rc<Table>, key: &[u8], is_absent: bool) -> Result {
        match self.guarded(|| is_sound(table, key, is_absent))? {
            true => Ok(()),
            false => Err(self.damaged(format_args!("the rows around {}", Key(key)))),
        }
    }
}

/// Displays a key in messages.
struct Key<'a>(&'a [u8]);

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The maximum number of bytes that are shown.
        const MAX_SHOWN: usize = 32;
        let end = if self.0.len() > MAX_SHOWN { "…" } else { "" };
        let shown = self.0[..self.0.len().min(MAX_SHOWN)].escape_ascii();
        write!(f, "the row `{shown}{end}`")
    }
}
