//! [`Parquet`]: a Parquet file for each table. Members of members are structs, and lists and maps are lists and maps.

mod leaf;
mod schema;
mod shred;

use std::fs::File;
use std::sync::Arc;

use archive::value::Number;
use archive::{Error, ErrorKind, Result};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use super::folder::Folder;
use super::{Row, Sink, Tables};
use leaf::Leaf;
use shred::Shape;

/// The number of bytes after which the values of the largest table are written.
const MOST: usize = 8 << 20;

/// Writes rows to Parquet files.
pub struct Parquet<'a> {
    tables: &'a Tables,
    files: Vec<Output>,
    /// How many bytes the values take that are not written yet.
    len: usize,
}

/// The file of a table.
struct Output {
    writer: SerializedFileWriter<File>,
    shape: Vec<Shape>,
    leaves: Vec<Leaf>,
    len: usize,
}

impl<'a> Parquet<'a> {
    /// Creates the files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(tables: &'a Tables, folder: &Folder) -> Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let properties = Arc::new(properties);
        let mut files = Vec::new();
        for (index, table) in tables.all.iter().enumerate() {
            let (schema, shape, leaves) = schema::of(table).map_err(failed)?;
            let file = folder.create(index)?;
            let writer = SerializedFileWriter::new(file, Arc::new(schema), properties.clone());
            files.push(Output { writer: writer.map_err(failed)?, shape, leaves, len: 0 });
        }
        Ok(Parquet { tables, files, len: 0 })
    }

    /// Completes the files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(self) -> Result {
        for mut output in self.files {
            output.flush().map_err(failed)?;
            output.writer.close().map_err(failed)?;
        }
        Ok(())
    }
}

impl Output {
    /// Writes the values as a group of rows.
    fn flush(&mut self) -> Result<(), ParquetError> {
        if std::mem::take(&mut self.len) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for leaf in &mut self.leaves {
            let Some(mut column) = group.next_column()? else { break };
            leaf.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}

impl Sink for Parquet<'_> {
    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result {
        /// What a row takes besides its values.
        const BESIDES: usize = 64;
        let output = &mut self.files[table];
        let fields = &self.tables.all[table].fields;
        let [of_save, of_key, of_path, leaves @ ..] = &mut output.leaves[..] else { return Ok(()) };
        of_save.text(save, 0, 0);
        match row.key {
            Some(key) => of_key.number(Number::Int(key.into()), 1, 0),
            None => of_key.null(0, 0),
        }
        of_path.text(&row.path(), 0, 0);
        let before: usize = leaves.iter().map(Leaf::len).sum();
        shred::members(fields, &output.shape, (row.tape, row.at), (0, 0), leaves)?;
        let after: usize = leaves.iter().map(Leaf::len).sum();
        let len = BESIDES + after.saturating_sub(before);
        output.len += len;
        self.len += len;
        if self.len > MOST
            && let Some(largest) = self.files.iter_mut().max_by_key(|output| output.len)
        {
            self.len -= largest.len;
            largest.flush().map_err(failed)?;
        }
        Ok(())
    }
}

#[cold]
fn failed(error: ParquetError) -> Error {
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(error) => Error::io(*error),
            Err(error) => Error::new(ErrorKind::Io, format_args!("Parquet: {error}")),
        },
        error => Error::new(ErrorKind::Io, format_args!("Parquet: {error}")),
    }
}
