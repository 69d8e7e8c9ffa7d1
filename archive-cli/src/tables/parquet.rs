//! [`Parquet`]: a Parquet file for each table. Members of members are structs, and lists and maps are lists and maps.

mod leaf;
mod schema;
mod shred;

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use archive::value::Number;
use archive::{Error, ErrorKind, Result};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::folder::Folder;
use super::{Row, Sink, Tables};
use leaf::Leaf;
use shred::Shape;

/// The number of bytes after which the values of the largest table are written.
const MOST: usize = 8 << 20;

/// Writes rows to Parquet files.
pub struct Parquet<'a> {
    tables: &'a Tables,
    folder: &'a Folder,
    files: Vec<Output>,
    /// How many bytes the values take that are not written yet.
    len: usize,
}

/// The file of a table.
struct Output {
    path: PathBuf,
    schema: Arc<Type>,
    /// Is there once values were written.
    writer: Option<SerializedFileWriter<Append>>,
    shape: Vec<Shape>,
    leaves: Vec<Leaf>,
    len: usize,
}

/// A file that is open only while it is written, since there may be more files than a process can open.
struct Append(PathBuf);

impl Write for Append {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        File::options().append(true).open(&self.0)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> Parquet<'a> {
    /// Creates the files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(tables: &'a Tables, folder: &'a Folder) -> Result<Self> {
        let mut files = Vec::new();
        for (index, table) in tables.all.iter().enumerate() {
            let schema = schema::of(table);
            let (schema, shape, leaves) = schema.map_err(|error| failed(error, folder, index))?;
            drop(folder.create(index)?);
            let (path, schema) = (folder.path(index), Arc::new(schema));
            files.push(Output { path, schema, writer: None, shape, leaves, len: 0 });
        }
        Ok(Parquet { tables, folder, files, len: 0 })
    }

    /// Completes the files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(self) -> Result {
        for (index, output) in self.files.into_iter().enumerate() {
            output.finish().map_err(|error| failed(error, self.folder, index))?;
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
        let mut writer = self.take_writer()?;
        let mut group = writer.next_row_group()?;
        for leaf in &mut self.leaves {
            let Some(mut column) = group.next_column()? else { break };
            leaf.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        self.writer = Some(writer);
        Ok(())
    }

    fn take_writer(&mut self) -> Result<SerializedFileWriter<Append>, ParquetError> {
        if let Some(writer) = self.writer.take() {
            return Ok(writer);
        }
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = Append(self.path.clone());
        SerializedFileWriter::new(file, self.schema.clone(), Arc::new(properties))
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        self.flush()?;
        self.take_writer()?.close()?;
        Ok(())
    }
}

impl Sink for Parquet<'_> {
    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result {
        /// What a row takes besides its values.
        const BESIDES: usize = 64;
        let (of, output) = (&self.tables.all[table], &mut self.files[table]);
        let [of_save, of_key, of_path, leaves @ ..] = &mut output.leaves[..] else { return Ok(()) };
        let values = of.values(row)?;
        of_save.text(save, 0, 0);
        match row.key {
            Some(key) => drop(of_key.number(Number::Int(key.into()), 1, 0)),
            None => of_key.null(0, 0),
        }
        of_path.text(&row.path(), 0, 0);
        let before: usize = leaves.iter().map(Leaf::len).sum();
        shred::members(&of.fields, &output.shape, (row.tape, &values), (0, 0), leaves)?;
        let after: usize = leaves.iter().map(Leaf::len).sum();
        let len = BESIDES + after.saturating_sub(before);
        output.len += len;
        self.len += len;
        if self.len > MOST
            && let Some((index, largest)) =
                self.files.iter_mut().enumerate().max_by_key(|(_, output)| output.len)
        {
            self.len -= largest.len;
            largest.flush().map_err(|error| failed(error, self.folder, index))?;
        }
        Ok(())
    }
}

#[cold]
fn failed(error: ParquetError, folder: &Folder, table: usize) -> Error {
    let error = match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => Error::io(*error),
            Err(error) => Error::new(ErrorKind::Io, format_args!("Parquet: {error}")),
        },
        error => Error::new(ErrorKind::Io, format_args!("Parquet: {error}")),
    };
    error.in_file(folder.place(table).display())
}
