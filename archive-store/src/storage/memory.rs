//! [`Memory`]: rows in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Bound;

use archive_core::{Error, ErrorKind, Result};

use super::{Change, Changes, Storage};

/// A storage in memory, for tests and for worlds that do not outlive the program.
#[derive(Debug, Default)]
pub struct Memory(RefCell<BTreeMap<Vec<u8>, Vec<u8>>>);

impl Memory {
    /// Returns an empty storage.
    pub fn new() -> Self {
        Memory::default()
    }
}

impl Storage for Memory {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        match self.0.borrow().get(key) {
            Some(value) => found(value).map(|()| true),
            None => Ok(false),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        let to = match to {
            [] => Bound::Unbounded,
            _ if from >= to => return Ok(()),
            _ => Bound::Excluded(to),
        };
        for (key, value) in self.0.borrow().range::<[u8], _>((Bound::Included(from), to)) {
            if !each(key, value)? {
                break;
            }
        }
        Ok(())
    }

    fn commit(&self, changes: &Changes) -> Result {
        let Ok(mut rows) = self.0.try_borrow_mut() else {
            let message = "`commit` was called inside a function that reads rows";
            return Err(Error::new(ErrorKind::Borrowed, message));
        };
        for change in changes.iter() {
            match change {
                Change::Put(key, value) => drop(rows.insert(key.to_vec(), value.to_vec())),
                Change::Delete(key) => drop(rows.remove(key)),
            }
        }
        Ok(())
    }

    fn name(&self) -> String {
        "memory".into()
    }
}
