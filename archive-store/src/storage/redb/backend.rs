//! [`Again`]: what a database is opened on, more than once.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{BackendError, StorageBackend};

/// A backend that a database is opened on again after an error, since redb refuses all further
/// work then.
#[derive(Debug)]
pub(super) struct Again {
    backend: Arc<dyn StorageBackend>,
    /// Whether the file was looked at, or need not be.
    is_known: AtomicBool,
}

impl Again {
    /// Creates one that begins a file again whose power was lost when it was created, if `begins`.
    pub(super) fn new(backend: Arc<dyn StorageBackend>, begins: bool) -> Self {
        Again { backend, is_known: AtomicBool::new(!begins) }
    }

    /// Returns one on which a file is left as it is.
    pub(super) fn to_look_at(&self) -> Self {
        Again::new(self.backend.clone(), false)
    }
}

/// Returns whether a file was never finished: redb writes the first bytes of a new file last, and
/// does not open a file without them. There is nothing in it but a header.
fn is_unfinished(backend: &dyn StorageBackend, len: u64) -> std::io::Result<bool> {
    /// More than a new file has.
    const MAX_LEN: u64 = 128 << 10;
    const MAGIC: usize = 9;
    const HEADER: usize = 320;
    if len == 0 || len > MAX_LEN {
        return Ok(false);
    }
    let mut bytes = vec![0; len as usize];
    backend.read(0, &mut bytes)?;
    let header = bytes.len().min(HEADER);
    Ok(bytes[..header.min(MAGIC)].iter().chain(&bytes[header..]).all(|byte| *byte == 0))
}

impl StorageBackend for Again {
    fn len(&self) -> std::io::Result<u64> {
        let len = self.backend.len()?;
        // redb has locked the file when it first calls this.
        if !self.is_known.swap(true, Ordering::Relaxed) && is_unfinished(&*self.backend, len)? {
            self.backend.set_len(0)?;
            return Ok(0);
        }
        Ok(len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.backend.read(offset, out)
    }

    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.backend.set_len(len)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        self.backend.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.backend.write(offset, data)
    }

    fn close(&self) -> std::io::Result<()> {
        self.backend.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.backend.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.backend.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.backend.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.backend.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.backend.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.backend.query_lock_range(start, end)
    }
}
