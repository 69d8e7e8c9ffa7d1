//! [`Snapshot`]: an earlier state of a store, kept as the rows that were changed since.
// Why: docs/decisions/store.md#a-snapshot-keeps-the-rows-that-are-replaced

mod compare;
mod keep;
mod list;
mod past;
mod records;
mod view;

use std::time::SystemTime;

use archive_core::{Error, ErrorKind, Result};

use crate::layout;
use crate::storage::Changes;
use crate::store::Store;
pub use compare::{Difference, DifferenceKind};
pub(crate) use list::Snapshots;

/// A snapshot of a store, from [`Store::snapshot`] or [`Store::snapshots`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    name: String,
    created: SystemTime,
    /// Its number. A newer snapshot has a larger one.
    number: u32,
}

impl Snapshot {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns when it was taken, in whole milliseconds. In browsers the standard library has no
    /// clock, and this is 1970.
    pub fn created(&self) -> SystemTime {
        self.created
    }
}

impl Store {
    /// Keeps the rows of the storage, as of the last save, under a name. This takes the same time
    /// for a store of any size. From then on, the first save that changes or deletes a row also
    /// writes its old bytes, until the next snapshot.
    ///
    /// A program that does not know snapshots refuses to open a store that has some.
    ///
    /// ```
    /// use archive::Serialize;
    /// use archive::store::{Pool, Ref, Store, persistent, storage::Memory};
    ///
    /// #[derive(Default, Serialize)]
    /// struct Unit { hp: u16 }
    /// #[derive(Default, Serialize)]
    /// struct World { units: Pool<Unit> }
    /// persistent!(Unit = "unit", World = "world");
    ///
    /// # fn main() -> archive::Result {
    /// let store = Store::over(Memory::new())?;
    /// let mut world = World::default();
    /// let ann = world.units.insert(Unit { hp: 100 });
    /// store.save(&world)?;
    /// store.snapshot("before the battle")?;
    ///
    /// world.units[ann].hp = 3;
    /// store.save(&world)?;
    /// let differences = store.compare("before the battle")?;
    /// assert_eq!(differences[0].to_string(), "unit 1: changed");
    /// let past = store.open_snapshot("before the battle")?;
    /// assert_eq!(past.value("unit", 1)?.unwrap().to_string(), r#"{"hp":100}"#);
    ///
    /// store.restore("before the battle")?;
    /// let mut world = World::default();
    /// store.attach(&mut world)?;
    /// store.finish_load()?;
    /// assert_eq!(world.units[ann].hp, 100);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if there is a snapshot of that name, [`ErrorKind::Custom`] if
    /// the name is empty, and errors of the storage. There is no new snapshot then, unless only the answer of the
    /// storage was lost.
    pub fn snapshot(&self, name: &str) -> Result<Snapshot> {
        let _busy = self.0.begin()?;
        let (storage, snapshots) = (self.storage(), &self.0.snapshots);
        let list = snapshots.list(storage)?;
        if name.is_empty() {
            return Err(Error::custom("the name of a snapshot must not be empty"));
        }
        if list.iter().any(|snapshot| snapshot.name == name) {
            let message = format_args!("there is a snapshot `{name}` already");
            return Err(Error::new(ErrorKind::DuplicateMember, message));
        }
        let snapshot = Snapshot::now(name, snapshots.next_number(&list)?);
        let number = snapshot.number;
        // A store whose version is that of a store without snapshots may have some that are forged.
        let unknown = [
            (layout::snapshot(number), layout::SNAPSHOT_KEYS.1),
            (layout::all_kept(number).0, layout::KEPT_KEYS.1),
        ];
        for (from, to) in unknown {
            storage.keys(&from, to, &mut |_| Err(records::unknown_snapshot()))?;
        }

        let mut changes = Changes::new();
        if list.is_empty() {
            changes.put(layout::HEADER, &layout::header(true));
        }
        changes.put(&layout::snapshot(number), &snapshot.to_bytes());
        snapshots.commit(storage, &changes)?;
        snapshots.set(list.iter().chain([&snapshot]).cloned().collect());
        snapshots.know_kept(records::RowSet::default());
        Ok(snapshot)
    }

    /// Returns the snapshots, the oldest one first.
    ///
    /// # Errors
    /// Errors of the storage. They are possible only after an error of another call.
    pub fn snapshots(&self) -> Result<Vec<Snapshot>> {
        Ok(self.0.snapshots.list(self.storage())?.to_vec())
    }

    /// Deletes a snapshot, and the rows that are kept only for it. Other snapshots, and the rows of
    /// the store, are unchanged.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no snapshot of that name, and errors of the storage.
    /// Nothing is deleted then, unless only the answer of the storage was lost.
    pub fn delete_snapshot(&self, name: &str) -> Result {
        let _busy = self.0.begin()?;
        let (storage, snapshots) = (self.storage(), &self.0.snapshots);
        let list = snapshots.list(storage)?;
        let index = list::find(&list, name)?;
        let number = list[index].number;
        let mut changes = Changes::new();
        changes.delete(&layout::snapshot(number));
        let (from, to) = layout::all_kept(number);
        match index.checked_sub(1).map(|older| list[older].number) {
            // The older snapshot needs the rows that were not changed between the two.
            Some(older) => {
                let has = records::kept_rows(storage, older)?;
                storage.scan(&from, &to, &mut |key, value| {
                    let row = layout::row_of_kept(key);
                    if !has.contains(&records::row_of(&row)?) {
                        changes.put(&layout::kept(older, &row), value);
                    }
                    changes.delete(key);
                    Ok(true)
                })?;
            }
            None => storage.keys(&from, &to, &mut |key| {
                changes.delete(key);
                Ok(true)
            })?,
        }
        if list.len() == 1 {
            changes.put(layout::HEADER, &layout::header(false));
        }
        snapshots.commit(storage, &changes)?;
        let mut left = list.to_vec();
        left.remove(index);
        snapshots.set(left);
        snapshots.forget_rows();
        Ok(())
    }
}
