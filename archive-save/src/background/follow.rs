//! [`Follow`]: a file system that counts the bytes a load reads, and ends a cancelled load.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::job::Phase;
use super::work::Work;
use crate::system::{File, FileSystem, Layer};

/// A file system that records the progress of a load.
pub struct Follow<R> {
    system: Arc<dyn FileSystem>,
    work: Arc<Work<R>>,
}

impl<R> Follow<R> {
    pub fn new(system: Arc<dyn FileSystem>, work: Arc<Work<R>>) -> Self {
        Follow { system, work }
    }

    fn check(&self) -> io::Result<()> {
        match self.work.is_cancelled() {
            true => Err(io::Error::other("the load was cancelled")),
            false => Ok(()),
        }
    }
}

impl<R: Send> Layer for Follow<R> {
    type Below = dyn FileSystem;

    fn below(&self) -> &Self::Below {
        &*self.system
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        self.check()?;
        Ok(Box::new(Open { file: self.system.open(path)?, of: self, end: 0, later: None }))
    }
}

struct Open<'f, R> {
    file: Box<dyn File + 'f>,
    of: &'f Follow<R>,
    /// The offset up to which the file was read, and the bytes read after it: the end of a file is
    /// read before its middle.
    end: u64,
    later: Option<(u64, u64)>,
}

impl<R: Send> File for Open<'_, R> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }

    fn length(&mut self) -> io::Result<u64> {
        self.file.length()
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        self.of.check()?;
        let bytes = self.file.read(from, len)?;
        let total = self.file.length()?;
        let to = from.saturating_add(bytes.len() as u64);
        if from <= self.end {
            self.end = self.end.max(to);
        } else {
            self.later = Some((from, to));
        }
        if let Some((from, to)) = self.later
            && from <= self.end
        {
            self.end = self.end.max(to);
        }
        let phase = if self.end < total { Phase::Reading } else { Phase::Decoding };
        self.of.work.read(phase, self.end, total);
        Ok(bytes)
    }
}
