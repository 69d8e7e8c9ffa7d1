//! What differs between a snapshot and now, and restoring a snapshot.

use std::fmt;

use archive_core::Result;
use rustc_hash::FxHashMap;

use super::list::find;
use super::past::Past;
use super::records::{row_of, unknown_class};
use crate::report::Saved;
use crate::row::RowId;
use crate::storage::Changes;
use crate::store::{Inner, Store};

/// A row that differs between a snapshot and now. Printed as `unit 7: changed`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Difference {
    /// The row.
    pub row: RowId,
    /// How it differs.
    pub kind: DifferenceKind,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            DifferenceKind::Added => "added",
            DifferenceKind::Removed => "removed",
            DifferenceKind::Changed => "changed",
        };
        write!(f, "{}: {kind}", self.row)
    }
}

/// How a row differs between a snapshot and now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// The snapshot does not have the row.
    Added,
    /// Only the snapshot has the row.
    Removed,
    /// Both have the row, with different bytes.
    Changed,
}

impl Store {
    /// Returns the rows that differ between a snapshot and now. A row that was changed and changed
    /// back is not one of them. A row whose values are the same is one if it was saved with other
    /// types. The rows of each class are together, in the order of their keys.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`](archive_core::ErrorKind::NotFound) if there is no snapshot of that
    /// name, and errors of the storage.
    pub fn compare(&self, name: &str) -> Result<Vec<Difference>> {
        let mut found = Vec::new();
        self.0.past_of(name)?.changes(&mut |row, then, now| {
            let kind = match (then, now) {
                (None, Some(_)) => DifferenceKind::Added,
                (Some(_), None) => DifferenceKind::Removed,
                _ if then == now => return Ok(()),
                _ => DifferenceKind::Changed,
            };
            let (class, key) = row_of(row)?;
            let class = self.0.classes.by_id(class).ok_or_else(unknown_class)?;
            let row = RowId { class: class.name.to_string(), key };
            found.push(Difference { row, kind });
            Ok(())
        })?;
        Ok(found)
    }

    /// Gives the rows of the store the values that they had when a snapshot was taken, in one
    /// transaction. All snapshots stay as they are. So a restore is undone by restoring a snapshot
    /// that was taken before it.
    ///
    /// Afterwards the store is as after [`begin_load`](Store::begin_load): the program makes its
    /// world again. The keys of rows that it deletes are not assigned again.
    ///
    /// ```
    /// use archive::Serialize;
    /// use archive::store::{Store, persistent, storage::Memory};
    ///
    /// #[derive(Default, Serialize)]
    /// struct World { tick: u64 }
    /// persistent!(World = "world");
    ///
    /// # fn main() -> archive::Result {
    /// # let store = Store::over(Memory::new())?;
    /// store.save(&World { tick: 7 })?;
    /// store.snapshot("checkpoint")?;
    /// store.save_all(&World { tick: 8 })?;
    ///
    /// store.snapshot("before the restore")?;
    /// store.restore("checkpoint")?;
    /// let mut world = World::default();
    /// store.attach(&mut world)?;
    /// store.finish_load()?;
    /// assert_eq!(world.tick, 7);
    ///
    /// store.restore("before the restore")?;
    /// assert_eq!(store.value("world", 1)?.unwrap().to_string(), r#"{"tick":8}"#);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`](archive_core::ErrorKind::NotFound) if there is no snapshot of that
    /// name, and errors of the storage. Nothing is changed then, unless only the answer of the storage
    /// was lost: after an error of the storage, load the world again.
    pub fn restore(&self, name: &str) -> Result<Saved> {
        let _busy = self.0.begin()?;
        let past = self.0.past_of(name)?;
        let (mut changes, mut saved) = (Changes::new(), Saved::default());
        let (mut counts, mut gone) = (RowCounts::default(), FxHashMap::default());
        past.changes(&mut |row, then, now| {
            count(&mut counts, row, then, now)?;
            match then {
                _ if then == now => {}
                Some(then) => {
                    changes.put(row, then);
                    saved.written += 1;
                    saved.bytes += then.len() as u64;
                }
                None => {
                    changes.delete(row);
                    let (class, key) = row_of(row)?;
                    // The keys of a class are passed in ascending order.
                    gone.insert(class, key);
                    saved.deleted += 1;
                }
            }
            Ok(())
        })?;
        let classes = self.0.classes.all();
        let stored =
            classes.iter().filter(|class| class.is_stored() && counts.contains_key(&class.id));
        if stored.count() < counts.len() {
            return Err(unknown_class());
        }
        for class in &classes {
            let change = counts.get(&class.id).copied().unwrap_or(0);
            class.will_have(class.stored_rows().saturating_add_signed(change));
            if let Some(key) = gone.get(&class.id) {
                class.gives_up(*key);
            }
            class.put_changes(&mut changes);
        }
        if !changes.is_empty()
            && let Err(error) = self.0.commit(&mut changes)
        {
            classes.iter().for_each(|class| class.changes_failed());
            return Err(error);
        }
        classes.iter().for_each(|class| class.changes_are_stored());
        self.0.load_again();
        Ok(saved)
    }
}

impl Inner {
    /// Returns the rows of the snapshot with a name.
    fn past_of(&self, name: &str) -> Result<Past<'_>> {
        let list = self.snapshots.list(&*self.storage)?;
        self.past(name, list[find(&list, name)?].number)
    }
}

impl Past<'_> {
    /// Returns how many rows more each class had than it has now.
    pub(super) fn row_counts(&self) -> Result<RowCounts> {
        let mut counts = RowCounts::default();
        self.changes(&mut |row, then, now| count(&mut counts, row, then, now))?;
        Ok(counts)
    }
}

/// How many rows more each class had, for each class with kept rows.
type RowCounts = FxHashMap<u32, i64>;

fn count(counts: &mut RowCounts, row: &[u8], then: Option<&[u8]>, now: Option<&[u8]>) -> Result {
    let count = counts.entry(row_of(row)?.0).or_default();
    *count += i64::from(then.is_some()) - i64::from(now.is_some());
    Ok(())
}
