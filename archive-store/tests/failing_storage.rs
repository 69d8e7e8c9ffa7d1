//! Shared helpers of the tests of the store: a storage that fails on request, and loads.

use std::cell::Cell;
use std::rc::Rc;

use archive::store::storage::{Changes, Memory, Storage};
use archive::store::{Loaded, Row, Store};
use archive::{Error, ErrorKind, Result};

/// A storage that is counted, and that fails on request.
pub struct Watched {
    storage: Rc<dyn Storage>,
    /// Whether commits fail.
    pub is_full: Cell<bool>,
    /// How many reads succeed before one fails; later ones succeed again.
    pub fails_after: Cell<Option<u64>>,
    /// The number of reads: each `get`, and each row of a `scan` and its end.
    pub reads: Cell<u64>,
}

impl Watched {
    pub fn new(storage: Rc<dyn Storage>) -> Rc<Self> {
        let (is_full, fails_after, reads) = Default::default();
        Rc::new(Watched { storage, is_full, fails_after, reads })
    }

    /// Runs with commits that fail.
    pub fn full<R>(&self, run: impl FnOnce() -> R) -> R {
        self.is_full.set(true);
        let result = run();
        self.is_full.set(false);
        result
    }

    fn read(&self) -> Result {
        self.reads.set(self.reads.get() + 1);
        let left = self.fails_after.get();
        self.fails_after.set(left.and_then(|left| left.checked_sub(1)));
        match left {
            Some(0) => Err(Error::new(ErrorKind::Io, "the disk does not answer")),
            _ => Ok(()),
        }
    }
}

impl Storage for Watched {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        self.read()?;
        self.storage.get(key, found)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.storage.scan(from, to, &mut |key, value| {
            self.read()?;
            each(key, value)
        })?;
        self.read()
    }

    fn commit(&self, changes: &Changes) -> Result {
        match self.is_full.get() {
            true => Err(Error::new(ErrorKind::Io, "the disk is full")),
            false => self.storage.commit(changes),
        }
    }

    fn name(&self) -> String {
        "watched".into()
    }
}

/// Returns a store over a storage that can fail, and both.
pub fn watched() -> Result<(Rc<Memory>, Rc<Watched>, Store)> {
    let memory = Rc::new(Memory::new());
    let disk = Watched::new(memory.clone());
    let store = Store::over(disk.clone())?;
    Ok((memory, disk, store))
}

/// Loads a world in a new program.
pub fn load<T: Row + Default>(storage: impl Storage + 'static) -> Result<(T, Loaded)> {
    load_from(&Store::over(storage)?)
}

/// Loads a world from a store.
pub fn load_from<T: Row + Default>(store: &Store) -> Result<(T, Loaded)> {
    let mut world = T::default();
    store.attach(&mut world)?;
    let loaded = store.finish_load()?;
    Ok((world, loaded))
}
