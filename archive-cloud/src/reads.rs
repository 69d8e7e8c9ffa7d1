//! Reads of objects: metadata by ranges, and whole saves with bounded memory.

use std::io;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, PoisonError};

use archive::save::{File, Meta, SaveFile};
use archive::{Error, Result};
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStoreExt, UpdateVersion};

use crate::failure::{damaged, explain, lacks_bucket, lacks_range, too_long};
use crate::limit::within;
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

impl Range {
    /// Returns whether it is a range of the object of that length and version.
    fn is_of(&self, size: u64, version: &UpdateVersion) -> bool {
        self.size == size && self.version == *version
    }
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
            Err(failure) if lacks_bucket(&failure) => return Err(io(failure)),
            Err(object_store::Error::NotFound { .. }) => return Ok(Peeked::Nothing),
            // There is no first byte.
            Err(failure) if lacks_range(&failure) => {
                return match within(0, self.store.head(key)).await {
                    Ok(meta) if meta.size == 0 => Err(damaged(label, "it is empty")),
                    Ok(_) => Ok(Peeked::Replaced),
                    Err(_) => Err(io(failure)),
                };
            }
            Err(failure) => return Err(io(failure)),
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
            let part = match self.range(key, missing, Some((size, &version))).await {
                Err(object_store::Error::NotFound { .. }) => return Ok(Peeked::Replaced),
                Err(failure) if lacks_range(&failure) => return Ok(Peeked::Replaced),
                part => part.map_err(io)?,
            };
            if !part.is_of(size, &version) {
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
        let (size, of) = (stored.size, Some((stored.size, &stored.version)));
        match self.retry.repeat(|| self.fetch(&key, None, size, of)).await {
            Ok(whole) if whole.is_of(size, &stored.version) => Ok(Some(whole.bytes)),
            Ok(_) => Ok(None),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(failure) => Err(explain("download", &label, failure)),
        }
    }

    async fn range(
        &self,
        key: &Path,
        range: std::ops::Range<u64>,
        of: Option<(u64, &UpdateVersion)>,
    ) -> object_store::Result<Range> {
        let most = range.end - range.start;
        let range = || Some(GetRange::Bounded(range.clone()));
        self.retry.repeat(|| self.fetch(key, range(), most, of)).await
    }

    /// Reads a range, or the whole object. Takes no more than `most` bytes of the answer, and
    /// none if the object is not `of` that length and version. The request has no condition, since a
    /// weak ETag would not fulfill it.
    async fn fetch(
        &self,
        key: &Path,
        range: Option<GetRange>,
        most: u64,
        of: Option<(u64, &UpdateVersion)>,
    ) -> object_store::Result<Range> {
        let options = GetOptions { range, ..GetOptions::default() };
        let answer = within(0, self.store.get_opts(key, options)).await?;
        let version = UpdateVersion {
            e_tag: answer.meta.e_tag.clone(),
            version: answer.meta.version.clone(),
        };
        let mut read = Range { bytes: Vec::new(), size: answer.meta.size, version };
        if of.is_some_and(|(size, version)| !read.is_of(size, version)) {
            return Ok(read);
        }
        let mut stream = answer.into_stream();
        while let Some(more) = within(0, stream.try_next()).await? {
            read.bytes.extend_from_slice(&more);
            if read.bytes.len() as u64 > most {
                let source = "the answer is longer than the range that was requested".into();
                return Err(object_store::Error::NotSupported { source });
            }
        }
        Ok(read)
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
