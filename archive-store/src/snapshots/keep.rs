//! Commits that keep the old values of the rows that they change.

use std::collections::BTreeMap;

use archive_core::Result;

use crate::layout;
use crate::storage::{Change, Changes};
use crate::store::Inner;

/// How many values one request reads.
pub(super) const PAGE: usize = 256;

impl Inner {
    /// Commits changes of rows. Adds the old values of the rows that are not yet kept for the
    /// newest snapshot. All changes of rows use this function.
    pub(crate) fn commit(&self, changes: &mut Changes) -> Result {
        if changes.is_empty() {
            return Ok(());
        }
        let Some(newest) = self.snapshots.newest(&*self.storage)? else {
            let done = self.storage.commit(changes);
            self.has_failed_commit.set(done.is_err());
            return done;
        };
        let (kept, rows) = self.old_rows(newest, changes)?;
        changes.append(kept);
        match self.storage.commit(changes) {
            Ok(()) => self.snapshots.keeps(rows),
            Err(error) => {
                // If the connection was lost, the engine finds out later what was committed.
                self.snapshots.forget_rows();
                self.has_failed_commit.set(true);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns the old values of the rows that the changes change, and which rows these are.
    fn old_rows(&self, newest: u32, changes: &Changes) -> Result<(Changes, Vec<(u32, u64)>)> {
        let rows = self.snapshots.with_kept(&*self.storage, newest, |kept| {
            let mut rows = BTreeMap::new();
            for change in changes.iter() {
                let (key, new) = match change {
                    Change::Put(key, new) => (key, Some(new)),
                    Change::Delete(key) => (key, None),
                };
                // The last change of a key counts.
                if let Some(row) = layout::row_of(key).filter(|row| !kept.contains(row)) {
                    rows.insert(row, (key, new));
                }
            }
            rows.into_iter().collect::<Vec<_>>()
        })?;
        let (mut old, mut kept, mut value) = (Changes::new(), Vec::new(), Vec::new());
        for page in rows.chunks(PAGE) {
            let keys: Vec<&[u8]> = page.iter().map(|(_, (key, _))| *key).collect();
            self.storage.get_many(&keys, &mut |index, found| {
                let (row, (key, new)) = page[index];
                if found != new {
                    layout::put_kept(&mut value, found);
                    old.put(&layout::kept(newest, key), &value);
                    kept.push(row);
                }
                Ok(())
            })?;
        }
        Ok((old, kept))
    }
}
