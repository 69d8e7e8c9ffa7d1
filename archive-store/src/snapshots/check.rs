//! Verifying the snapshots of a store.

use archive_core::{Result, Value};
use rustc_hash::FxHashSet;

use super::list::{kept_row, read_list};
use crate::layout::{self, damaged};
use crate::store::Store;

impl Store {
    /// Reads all snapshots, and every row that is kept for them with the types that it was saved
    /// with.
    pub(crate) fn check_snapshots(&self) -> Result {
        let storage = self.storage();
        let list = read_list(storage)?;
        let mut may_exist = false;
        storage.get(layout::HEADER, &mut |header| {
            may_exist = layout::read_header(header)?;
            Ok(())
        })?;
        if !may_exist && !list.is_empty() {
            return Err(damaged(
                "it has snapshots, but its version is that of a store without any",
            ));
        }
        let generations: FxHashSet<u32> = list.iter().map(|snapshot| snapshot.generation).collect();
        let (from, to) = layout::KEPT_KEYS;
        storage.scan(from, to, &mut |key, kept| {
            if !generations.contains(&layout::generation(key)?) {
                return Err(damaged("it has rows of an unknown snapshot"));
            }
            let (class, key) = kept_row(key)?;
            let class = self.0.classes.by_id(class).filter(|class| class.is_stored());
            let class = class.ok_or_else(|| damaged("a snapshot has rows of an unknown class"))?;
            if let Some(row) = layout::kept_value(kept)? {
                self.decode::<Value>(&class, key, row)?;
            }
            Ok(true)
        })
    }
}
