//! Writing the bytes of a save to a new file, or to a sink.

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use super::SaveFile;
use super::replace::{Stage, Watch};
use crate::container::{FRAME, frames};
use crate::fault;
use crate::meta::Meta;

impl SaveFile {
    /// Writes the new file, and syncs it.
    pub(super) fn write_new(
        &self,
        new: &Path,
        path: &Path,
        meta: &Meta,
        watch: &dyn Watch,
        body: &[u8],
    ) -> Result {
        let file = self.system.create(new, path);
        let mut file = file.map_err(|error| fault::io("create", new, error))?;
        self.write(meta, body, &mut |bytes, of_body| {
            file.append(bytes).map_err(|error| fault::io("write", new, error))?;
            watch.next(Stage::Write(of_body))
        })?;
        watch.next(Stage::Sync)?;
        file.sync().map_err(|error| fault::io("sync", new, error))
    }

    /// Passes the bytes of a save to a sink, each time with the number of bytes of the body in
    /// them.
    ///
    /// # Errors
    /// An error if metadata and thumbnail are too long, and errors of the sink.
    pub(super) fn write(
        &self,
        meta: &Meta,
        body: &[u8],
        sink: &mut dyn FnMut(&[u8], usize) -> Result,
    ) -> Result {
        if self.is_plain() {
            return body.chunks(FRAME).try_for_each(|some| sink(some, some.len()));
        }
        let (head, seed) = meta.to_head()?;
        sink(&head, 0)?;
        frames(sink, self.compression, seed, head.len(), body)
    }

    /// Returns an error if a plain text file would get a format other than JSON.
    pub(super) fn check_plain(&self, meta: &Meta) -> Result {
        if !self.is_plain() || meta.format == "json" {
            return Ok(());
        }
        let message = format_args!(
            "{} has the name of a plain text file, so its format cannot be {}",
            self.path.display(),
            meta.format
        );
        Err(Error::new(ErrorKind::Unsupported, message))
    }
}

#[cfg(test)]
mod tests {
    use archive_format::Format;

    use super::SaveFile;
    use crate::container::Compression;

    /// What a file has, and the bytes without a file.
    #[test]
    fn a_file_has_the_bytes_that_are_passed_on() {
        let folder = tempfile::tempdir().unwrap();
        for compression in [Compression::None, Compression::Lz4] {
            let file = SaveFile::new(folder.path().join("a.sav")).compression(compression);
            let file = file.title("the harbour").thumbnail([7; 5_000]).metadata(&[1, 2]).unwrap();
            for len in [0, 1, 300_000] {
                let value: Vec<u32> = (0..len).map(|number| number * 7).collect();
                file.save(&value, Format::Json).unwrap();
                let (meta, body) = file.read_body().unwrap();
                let mut bytes = Vec::new();
                let mut sink = |more: &[u8], _| {
                    bytes.extend_from_slice(more);
                    Ok(())
                };
                file.write(&meta, &body, &mut sink).unwrap();
                assert!(bytes == std::fs::read(file.path()).unwrap());
                let packed = file.to_bytes(&value, Format::Json).unwrap();
                assert_eq!(file.from_bytes::<Vec<u32>>(&packed).unwrap().value, value);
            }
        }
    }
}
