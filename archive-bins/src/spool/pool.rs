//! [`Pool`]: many streams of bytes in one file.

use std::io::{Read, Seek, SeekFrom, Write};

use archive_core::{Error, Result};
use byteorder::{ByteOrder, LittleEndian};

/// A temporary file, or memory that is used like one.
pub trait Spool: Read + Write + Seek {}

impl<S: Read + Write + Seek> Spool for S {}

/// The number of bytes in a chunk. No record crosses the end of a chunk.
const CHUNK: usize = 16 * 24 * 40;

/// A sequence of bytes: chunks in the file, and the rest in memory.
#[derive(Default)]
pub(super) struct Stream {
    chunks: Vec<u64>,
    rest: Vec<u8>,
}

/// The file with the chunks of all streams.
pub(super) struct Pool<'s> {
    spool: &'s mut dyn Spool,
    len: u64,
}

impl<'s> Pool<'s> {
    pub(super) fn new(spool: &'s mut dyn Spool) -> Self {
        Pool { spool, len: 0 }
    }

    /// Appends bytes to a stream. All appends come before the first read.
    pub(super) fn append(&mut self, stream: &mut Stream, mut bytes: &[u8]) -> Result {
        while stream.rest.len() + bytes.len() >= CHUNK {
            let (now, later) = bytes.split_at(CHUNK - stream.rest.len());
            stream.rest.extend_from_slice(now);
            self.spool.write_all(&stream.rest).map_err(Error::io)?;
            stream.chunks.push(self.len);
            self.len += CHUNK as u64;
            stream.rest.clear();
            bytes = later;
        }
        stream.rest.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends a record to a stream.
    pub(super) fn append_words<const N: usize>(
        &mut self,
        stream: &mut Stream,
        words: [u32; N],
    ) -> Result {
        let bytes = words.map(u32::to_le_bytes);
        self.append(stream, bytes.as_flattened())
    }

    /// Visits the bytes of a stream, chunk by chunk.
    pub(super) fn each(
        &mut self,
        stream: &Stream,
        mut visit: impl FnMut(&[u8]) -> Result,
    ) -> Result {
        let mut chunk = Vec::new();
        for at in &stream.chunks {
            chunk.resize(CHUNK, 0);
            self.spool.seek(SeekFrom::Start(*at)).map_err(Error::io)?;
            self.spool.read_exact(&mut chunk).map_err(Error::io)?;
            visit(&chunk)?;
        }
        visit(&stream.rest)
    }

    /// Visits the records of a stream.
    pub(super) fn records<const N: usize>(
        &mut self,
        stream: &Stream,
        mut visit: impl FnMut([u32; N]),
    ) -> Result {
        self.try_records(stream, |words| {
            visit(words);
            Ok(())
        })
    }

    /// Visits the records of a stream, until there is an error.
    pub(super) fn try_records<const N: usize>(
        &mut self,
        stream: &Stream,
        mut visit: impl FnMut([u32; N]) -> Result,
    ) -> Result {
        self.each(stream, |bytes| {
            bytes.chunks_exact(4 * N).try_for_each(|record| {
                let mut words = [0; N];
                LittleEndian::read_u32_into(record, &mut words);
                visit(words)
            })
        })
    }
}
