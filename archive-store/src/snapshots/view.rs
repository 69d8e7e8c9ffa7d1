//! [`View`]: a storage that has the rows of a snapshot.

use archive_core::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;

use super::list::find;
use super::past::Past;
use crate::layout::{self, Record};
use crate::storage::{Changes, Storage};
use crate::store::Store;

impl Store {
    /// Opens a snapshot as a store of its own that cannot be changed: to read objects, to load a
    /// world of it, or to [export](Store::export) it. Saves to this store do not change what it
    /// shows. It has no snapshots itself.
    ///
    /// This store, and with it its file, stays open as long as the returned one exists.
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
    /// let store = Store::over(Memory::new())?;
    /// store.save(&World { tick: 7 })?;
    /// store.snapshot("first")?;
    /// store.save_all(&World { tick: 8 })?;
    ///
    /// let mut world = World::default();
    /// store.open_snapshot("first")?.attach(&mut world)?;
    /// assert_eq!(world.tick, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no snapshot of that name, and errors of the storage.
    /// Calls of the returned store are errors of the kind [`NotFound`](ErrorKind::NotFound) once the
    /// snapshot is deleted. Saves to it are errors of the kind [`ReadOnly`](ErrorKind::ReadOnly).
    pub fn open_snapshot(&self, name: &str) -> Result<Store> {
        let _busy = self.0.begin()?;
        let list = self.0.snapshots.list(self.storage())?;
        let snapshot = &list[find(&list, name)?];
        let mut rows: FxHashMap<u32, u64> = FxHashMap::default();
        for (class, change) in self.0.past(name, snapshot.number)?.row_counts()? {
            let now = self.0.classes.by_id(class).map_or(0, |class| class.stored_rows());
            rows.insert(class, now.saturating_add_signed(change));
        }
        for class in self.0.classes.all() {
            rows.entry(class.id).or_insert_with(|| class.stored_rows());
        }
        let name = name.to_owned();
        let view = View { store: self.clone(), name, number: snapshot.number, rows };
        Store::over_with(view, &self.0.options)
    }
}

/// A storage that has the rows of a snapshot, and neither other snapshots nor kept rows.
struct View {
    store: Store,
    name: String,
    number: u32,
    /// How many rows each class had.
    rows: FxHashMap<u32, u64>,
}

impl View {
    fn past(&self) -> Result<Past<'_>> {
        self.store.0.past(&self.name, self.number)
    }

    /// Passes a value that is not that of a row to `found`.
    fn pass<R>(
        &self,
        key: &[u8],
        value: &[u8],
        found: &mut dyn FnMut(&[u8]) -> Result<R>,
    ) -> Result<R> {
        if key == layout::HEADER {
            return found(&layout::header(false));
        }
        match Record::from_bytes(value) {
            Ok(record) if layout::is_class(key) => {
                let rows = self.rows.get(&record.id).copied().unwrap_or(0);
                found(&Record { rows, ..record }.to_bytes())
            }
            _ => found(value),
        }
    }
}

impl Storage for View {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        let (rows, after) = layout::ROW_KEYS;
        let past = self.past()?;
        match key {
            _ if key < rows => {
                self.store.storage().get(key, &mut |value| self.pass(key, value, found))
            }
            _ if key < after => past.get(key, found),
            _ => Ok(false),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        let (rows, after) = layout::ROW_KEYS;
        let past = self.past()?;
        let to = if to.is_empty() { after } else { to.min(after) };
        let mut more = true;
        if from < rows {
            self.store.storage().scan(from, to.min(rows), &mut |key, value| {
                more = self.pass(key, value, &mut |value| each(key, value))?;
                Ok(more)
            })?;
        }
        if more { past.scan(from.max(rows), to, each) } else { Ok(()) }
    }

    fn commit(&self, _: &Changes) -> Result {
        let message = format_args!("the snapshot `{}` cannot be changed", self.name);
        Err(Error::new(ErrorKind::ReadOnly, message))
    }

    fn check(&self) -> Result {
        self.past()?;
        self.store.storage().check()
    }

    fn name(&self) -> String {
        format!("the snapshot `{}` of {}", self.name, self.store.storage().name())
    }
}
