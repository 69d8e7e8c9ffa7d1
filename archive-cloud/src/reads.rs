//! Reads of objects: metadata by ranges, and whole saves with bounded memory.

use std::io;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, PoisonError};

use archive::save::{File, Meta, SaveFile};
use archive::{Error, Result};
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStoreExt, UpdateVersion};

use crate::failure::{damaged, explain, too_long};
use crate::remote::Remote;

/// The length of the first range. [`SaveFile::peek`] reads as much.
const FIRST: u64 = 4096;
/// How many ranges a peek reads at most: the beginning, the rest of the metadata, and the end.
const RANGES: usize = 4;

/// A save in the store whose metadata was read.
pub(crate) struct Stored {
    pub meta: Meta,
    pub size: u64,
    /// The version, which an update and a download compare.
    pub version: UpdateVersion,
}

/// A range of an object, and what the answer says of the whole.
struct Range {
    bytes: Vec<u8>,
    size: u64,
    version: UpdateVersion,
}

impl Remote {
    /// Reads the metadata of a save by ranges: 4 KiB, and the end. Returns `None` if there is none.
    ///
    /// # Errors
    /// As [`SaveFile::peek`].
    pub async fn peek(&self, name: &str) -> Result<Option<Stored>> {
        let (key, label) = (self.key(name)?, self.label(name));
        // If the object is replaced between two ranges, the next attempt reads the new one.
        for attempt in 1..=self.retry.attempts.max(2) {
            match self.peek_once(&key, &label).await {
                Ok(Peeked::Replaced) => self.retry.wait(attempt).await,
                Ok(Peeked::Save(stored)) => return Ok(Some(*stored)),
                Ok(Peeked::Nothing) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Err(crate::failure::busy(&label))
    }

    async fn peek_once(&self, key: &Path, label: &str) -> Result<Peeked> {
        let io = |failure| explain("read", label, failure);
        let first = match self.range(key, 0..FIRST, None).await {
            Ok(first) => first,
            Err(object_store::Error::NotFound { .. }) => return Ok(Peeked::Nothing),
            // There is no first byte.
            Err(failure) => match self.store.head(key).await {
                Ok(meta) if meta.size == 0 => return Err(damaged(label, "it is empty")),
                _ => return Err(io(failure)),
            },
        };
        let Range { bytes, size, version } = first;
        let known = Arc::new(Mutex::new(Known { size, parts: vec![(0, bytes)], missing: None }));
        for _ in 0..RANGES {
            let read = SaveFile::peek_file(FilePath::new(label), Sparse(known.clone()));
            let Some(missing) = lock(&known).missing.take() else {
                let meta = read?;
                return Ok(Peeked::Save(Box::new(Stored { meta, size, version })));
            };
            let from = missing.start;
            let part = match self.range(key, missing, version.e_tag.clone()).await {
                Err(failure) if crate::failure::is_race(&failure) => return Ok(Peeked::Replaced),
                part => part.map_err(io)?,
            };
            if part.size != size || part.version.e_tag != version.e_tag {
                return Ok(Peeked::Replaced);
            }
            lock(&known).parts.push((from, part.bytes));
        }
        Err(damaged(label, "the store returns other ranges than requested"))
    }

    /// Reads a whole save of that version. Returns `None` if it was replaced or removed meanwhile.
    pub async fn download(&self, name: &str, stored: &Stored) -> Result<Option<Vec<u8>>> {
        let (key, label) = (self.key(name)?, self.label(name));
        if stored.size > self.max_size {
            return Err(too_long(&label, stored.size, self.max_size));
        }
        let tag = stored.version.e_tag.as_ref();
        let read = self.retry.repeat(|| self.fetch(&key, None, stored.size, tag)).await;
        match read {
            Ok(whole) if whole.size == stored.size && whole.version.e_tag.as_ref() == tag => {
                Ok(Some(whole.bytes))
            }
            Ok(_) => Ok(None),
            Err(failure) if crate::failure::is_race(&failure) => Ok(None),
            Err(failure) => Err(explain("download", &label, failure)),
        }
    }

    async fn range(
        &self,
        key: &Path,
        range: std::ops::Range<u64>,
        tag: Option<String>,
    ) -> object_store::Result<Range> {
        let (most, tag) = (range.end - range.start, tag.as_ref());
        let range = || Some(GetRange::Bounded(range.clone()));
        self.retry.repeat(|| self.fetch(key, range(), most, tag)).await
    }

    /// Reads a range, or the whole object. Takes no more than `most` bytes of the answer.
    async fn fetch(
        &self,
        key: &Path,
        range: Option<GetRange>,
        most: u64,
        tag: Option<&String>,
    ) -> object_store::Result<Range> {
        let options = GetOptions { range, if_match: tag.cloned(), ..GetOptions::default() };
        let answer = self.store.get_opts(key, options).await?;
        let version = UpdateVersion {
            e_tag: answer.meta.e_tag.clone(),
            version: answer.meta.version.clone(),
        };
        let (size, mut bytes) = (answer.meta.size, Vec::new());
        let mut stream = answer.into_stream();
        while let Some(more) = stream.try_next().await? {
            bytes.extend_from_slice(&more);
            if bytes.len() as u64 > most {
                let source = "the answer is longer than the range that was requested".into();
                return Err(object_store::Error::NotSupported { source });
            }
        }
        Ok(Range { bytes, size, version })
    }
}

/// What was found under a name.
enum Peeked {
    Save(Box<Stored>),
    Nothing,
    /// Another object took the name between two ranges.
    Replaced,
}

/// The parts of an object that were read.
struct Known {
    size: u64,
    parts: Vec<(u64, Vec<u8>)>,
    /// A range that is needed.
    missing: Option<std::ops::Range<u64>>,
}

fn lock(known: &Mutex<Known>) -> std::sync::MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file with some ranges that are known. A read of others fails and is noted.
struct Sparse(Arc<Mutex<Known>>);

impl File for Sparse {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(lock(&self.0).size)
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        let mut known = lock(&self.0);
        let end = from.saturating_add(len).min(known.size);
        if from >= end {
            return Ok(Vec::new());
        }
        for (start, part) in &known.parts {
            if *start <= from && end <= start + part.len() as u64 {
                return Ok(part[(from - start) as usize..(end - start) as usize].to_vec());
            }
        }
        known.missing = Some(from..end);
        Err(io::ErrorKind::WouldBlock.into())
    }
}

/// Returns the error for a save that must exist.
#[cold]
pub(crate) fn absent(label: &str) -> Error {
    Error::new(archive::ErrorKind::NotFound, format_args!("{label} does not exist"))
}
