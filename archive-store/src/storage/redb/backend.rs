//! [`Again`]: a backend on which a database is opened several times.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{BackendError, StorageBackend};

/// A backend on which a database is opened again after an error, because redb then refuses all
/// further work.
#[derive(Debug)]
pub(super) struct Again {
    backend: Arc<dyn StorageBackend>,
    /// Whether the file was checked, or need not be.
    is_known: AtomicBool,
}

impl Again {
    /// Creates a backend. If `begins`, a file whose creation was interrupted by a loss of power is
    /// created again.
    pub(super) fn new(backend: Arc<dyn StorageBackend>, begins: bool) -> Self {
        Again { backend, is_known: AtomicBool::new(!begins) }
    }

    /// Returns a backend that leaves the file unchanged.
    pub(super) fn to_look_at(&self) -> Self {
        Again::new(self.backend.clone(), false)
    }
}

/// Returns whether the creation of a file was interrupted. redb writes the first bytes of a new
/// file last, and does not open a file without them. Such a file has only a header.
fn is_unfinished(backend: &dyn StorageBackend, len: u64) -> std::io::Result<bool> {
    /// More bytes than a new file has.
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
