//! [`Past`]: the rows that a store had when a snapshot was taken.

use std::collections::BTreeMap;

use archive_core::Result;

use super::keep::PAGE;
use super::list::not_found;
use crate::layout;
use crate::storage::Storage;
use crate::store::Inner;

/// The rows of a snapshot. A row has the value that the first snapshot from this one on keeps for
/// it, and the current value if none does.
pub(super) struct Past<'a> {
    storage: &'a dyn Storage,
    /// The numbers of this snapshot and of the newer ones, in ascending order.
    numbers: Vec<u32>,
}

/// A row of a snapshot.
pub(super) struct Place {
    /// The key of the row.
    pub(super) row: Vec<u8>,
    /// The number of the snapshot that keeps its value; `None` if the value is the current one.
    kept: Option<u32>,
}

impl Place {
    fn key(&self) -> Vec<u8> {
        key(self.kept, &self.row)
    }

    fn value<'a>(&self, found: Option<&'a [u8]>) -> Result<Option<&'a [u8]>> {
        match (self.kept, found) {
            (Some(_), Some(found)) => layout::kept_value(found),
            (_, found) => Ok(found),
        }
    }
}

/// Returns the key of the value of a row.
fn key(kept: Option<u32>, row: &[u8]) -> Vec<u8> {
    kept.map_or_else(|| row.to_vec(), |number| layout::kept(number, row))
}

impl Inner {
    /// Returns the rows of a snapshot, which has this name and number.
    pub(super) fn past(&self, name: &str, number: u32) -> Result<Past<'_>> {
        let list = self.snapshots.list(&*self.storage)?;
        let numbers = list.iter().map(|snapshot| snapshot.number);
        let numbers: Vec<u32> = numbers.filter(|other| *other >= number).collect();
        match numbers.first() == Some(&number) {
            true => Ok(Past { storage: &*self.storage, numbers }),
            false => Err(not_found(name)),
        }
    }
}

impl Past<'_> {
    /// Passes the value of a row to `found`, if there was one.
    pub(super) fn get(&self, row: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        let sources = self.numbers.iter().copied().map(Some).chain([None]);
        let places: Vec<Place> = sources.map(|kept| Place { row: row.to_vec(), kept }).collect();
        let (mut is_known, mut is_found) = (false, false);
        self.values(&places, &mut |index, value| {
            // A place without a value is left out, so that a kept one comes first.
            let Some(value) = value.filter(|_| !is_known) else { return Ok(()) };
            is_known = true;
            match places[index].value(Some(value))? {
                Some(value) => {
                    is_found = true;
                    found(value)
                }
                None => Ok(()),
            }
        })?;
        Ok(is_found)
    }

    /// Passes the rows from `from` on and before `to` with their values to `each`, in the order of
    /// their keys, until it returns `false`. Both are keys of rows.
    #[allow(clippy::type_complexity, reason = "it is that of `Storage::scan`")]
    pub(super) fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.pages(true, from, to, &mut |places| {
            let mut more = true;
            self.values(places, &mut |index, found| {
                if let (true, Some(value)) = (more, places[index].value(found)?) {
                    more = each(&places[index].row, value)?;
                }
                Ok(())
            })?;
            Ok(more)
        })
    }

    /// Passes each row that may differ from the current one to `each`: its key, its value then, and
    /// its value now.
    #[allow(clippy::type_complexity, reason = "an alias would hide what is passed")]
    pub(super) fn changes(
        &self,
        each: &mut dyn FnMut(&[u8], Option<&[u8]>, Option<&[u8]>) -> Result,
    ) -> Result {
        let (from, to) = layout::ROW_KEYS;
        self.pages(false, from, to, &mut |places| {
            let mut then = Vec::with_capacity(places.len());
            self.values(places, &mut |index, found| {
                then.push(places[index].value(found)?.map(<[u8]>::to_vec));
                Ok(())
            })?;
            let keys: Vec<&[u8]> = places.iter().map(|place| &place.row[..]).collect();
            self.storage.get_many(&keys, &mut |index, now| {
                each(keys[index], then[index].as_deref(), now)
            })?;
            Ok(true)
        })
    }

    /// Reads the values at some places, as they are stored.
    fn values(
        &self,
        places: &[Place],
        each: &mut dyn FnMut(usize, Option<&[u8]>) -> Result,
    ) -> Result {
        let keys: Vec<Vec<u8>> = places.iter().map(Place::key).collect();
        let keys: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
        self.storage.get_many(&keys, each)
    }

    /// Passes the places of the rows in a range to `page`, in pages and in the order of their keys,
    /// until it returns `false`. Rows that were not changed since are left out unless `with_now`.
    fn pages(
        &self,
        with_now: bool,
        from: &[u8],
        to: &[u8],
        page: &mut dyn FnMut(&[Place]) -> Result<bool>,
    ) -> Result {
        let mut from = from.to_vec();
        while from[..] < *to {
            let (mut end, mut places) = (to.to_vec(), BTreeMap::new());
            // The oldest snapshot comes last, because its values count.
            let kept = self.numbers.iter().rev().copied().map(Some);
            for kept in with_now.then_some(None).into_iter().chain(kept) {
                let (first, after) = (key(kept, &from), end_key(kept, &end));
                let mut left = PAGE;
                self.storage.keys(&first, &after, &mut |key| {
                    let row = if kept.is_some() { layout::row_of_kept(key) } else { key.to_vec() };
                    left -= 1;
                    if left == 0 {
                        // Rows after this one are on the next page.
                        end = [&row[..], &[0]].concat();
                    }
                    places.insert(row, kept);
                    Ok(left > 0)
                })?;
            }
            let places = places.into_iter().take_while(|(row, _)| *row < end);
            let places: Vec<Place> = places.map(|(row, kept)| Place { row, kept }).collect();
            if !page(&places)? {
                return Ok(());
            }
            from = end;
        }
        Ok(())
    }
}

/// Returns the end of the keys whose rows are before `end`.
fn end_key(kept: Option<u32>, end: &[u8]) -> Vec<u8> {
    match kept {
        Some(number) if end == layout::ROW_KEYS.1 => layout::all_kept(number).1.to_vec(),
        _ => key(kept, end),
    }
}
